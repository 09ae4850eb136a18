import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { SshAddress } from '../../shared/boxes/address.ts';
import type { Box } from '../../shared/boxes/box.ts';
import { USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import { DEMO_PLATFORM } from '../../shared/demo/demo-platform.ts';
import { demoTerms } from '../../shared/demo/demo-terms.ts';
import type { DemoFault, DemoState } from '../../shared/demo/faults.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, type Result } from '../../shared/result.ts';
import type { Settings } from '../../shared/settings/settings.ts';
import { demoStream } from '../../shared/streams/app-streams.ts';
import { accountKey, type Clocks } from '../clocks/clocks.ts';
import type { Fleet } from '../boxes/fleet.ts';
import type { Log } from '../log/log.ts';
import type { Notices } from '../notices/notices.ts';
import { sessionHostKeys } from '../known-hosts/session-host-keys.ts';
import type { HostKeyStore } from '../ssh/host-key-store.ts';
import type { SettingsStore } from '../storage/settings.ts';
import type { SessionEntries } from '../storage/session-entries.ts';
import type { StreamHub } from '../streams/stream-hub.ts';
import type { ProviderLinks } from '../teardown/provider-links.ts';
import type { DemoBox } from './demo-box.ts';
import { DemoRentalFile, type DemoOrders, type DemoRental } from './demo-rental.ts';
import type { HeldDemoBox } from './former-demo-box.ts';

export interface DemoServiceOptions {
  readonly hub: StreamHub;
  readonly fleet: Pick<Fleet, 'addTransient' | 'removeTransient'>;
  readonly settings: SettingsStore;
  readonly notices: Notices;
  readonly entries: SessionEntries;
  readonly setAccount: Clocks['setAccount'];
  readonly links: Pick<ProviderLinks, 'hold'>;
  /** Whether the evidence has an end of this box begun, and not over. */
  readonly isUnderWay: (boxId: string) => Result<boolean, Problem>;
  readonly toolsFolder: string;
  /** Whether the evidence is kept after this session. What the provider knows is not without it: nobody could tell whose end is under way. */
  readonly isDatabaseKept: boolean;
  /** What its provider knows is kept in here. */
  readonly dataFolder: string;
  readonly log: Log;
}

/** Keeps the demo box as the settings want it, and shows it in the fleet like any other box. */
export interface DemoService {
  /** From now on the box is there if the settings want it. Costs a moment, so the window is painted first. */
  start(): void;
  setFault(fault: DemoFault, isOn: boolean): Promise<Result<null, Problem>>;
  /** Ends the box and everything that runs in it. */
  dispose(): Promise<void>;
}

type DemoSettings = Settings['demo'];

const RENTAL_FILE = 'demo-provider.json';

export function openDemoService(options: DemoServiceOptions): DemoService {
  const { hub, fleet, settings, notices, entries, setAccount, links, toolsFolder, log } = options;
  const rentals = new DemoRentalFile(join(options.dataFolder, RENTAL_FILE), log);
  const topic = hub.addTopic<DemoState, DemoState>('demo', '', {
    kind: demoStream,
    initial: { boxId: null, active: [], isStarting: settings.current().demo.isOn },
  });
  let current: { readonly box: HeldDemoBox; readonly boxId: string } | null = null;
  /** The box whose provider may keep what it is told. What an order told one that was let go meanwhile would be written over the next one's. */
  let rentedId: string | null = null;
  /** False: the file is there and cannot be read, so it is left as it is. */
  let isFileFree = true;
  let letGo: () => void = () => undefined;
  let applied: DemoSettings | null = null;
  /** One start or stop at a time, in the order in which they were wanted. */
  let queue: Promise<void> = Promise.resolve();

  /** A box whose provider forgets what it was told is still a box. */
  const notKept = (cause: unknown): null => {
    log.warn('what the provider of the demo box knows could not be kept', { cause: String(cause) });
    return null;
  };

  async function keep(rented: DemoRental): Promise<void> {
    if (rented.boxId !== rentedId) throw new Error('this demo box was let go');
    if (!options.isDatabaseKept) return;
    if (!isFileFree) throw new Error('what was kept before cannot be read');
    await rentals.write(rented).catch((cause: unknown) => {
      notKept(cause);
      throw cause;
    });
  }

  async function rentedBefore(): Promise<DemoRental | null> {
    isFileFree = true;
    if (!options.isDatabaseKept) return null;
    return rentals.read().catch((cause: unknown) => {
      isFileFree = false;
      return notKept(cause);
    });
  }

  /** Where it cannot be read as well: why not is told by the gate of each box that is shown. */
  function mayBeUnderWay(boxId: string): boolean {
    const underWay = options.isUnderWay(boxId);
    return !underWay.ok || underWay.value;
  }

  async function start(wanted: DemoSettings): Promise<void> {
    topic.publish({ boxId: null, active: [], isStarting: true });
    const rented = await rentedBefore();
    if (rented !== null && mayBeUnderWay(rented.boxId)) {
      const { boxId } = rented;
      rentedId = boxId;
      const { formerDemoBox } = await import('./former-demo-box.ts');
      const box = formerDemoBox(rented, (orders) => keep({ ...rented, ...orders }));
      show(boxId, box, rented.gpuCount, sessionHostKeys());
    } else await startAnew(wanted);
  }

  async function startAnew({ gpuModel, gpuCount }: DemoSettings): Promise<void> {
    const boxId = randomUUID();
    rentedId = boxId;
    const { startDemoBox } = await import('./demo-box.ts');
    const keepOf = (box: DemoBox, orders: DemoOrders): Promise<void> => {
      const { address, provider } = box;
      return keep({ boxId, instance: provider.instance, address, gpuCount, ...orders });
    };
    const started: Result<DemoBox, Problem> = await startDemoBox({
      ...{ gpuModel, gpuCount, toolsFolder, log },
      keepOrders: (orders) => (started.ok ? keepOf(started.value, orders) : Promise.resolve()),
    });
    if (!started.ok) {
      notices.add(started.error);
      topic.publish({ boxId: null, active: [], isStarting: false });
      return;
    }
    const box = started.value;
    await keepOf(box, box.provider.orders).catch(() => undefined); // said in the log
    // The demo box's key is new at each start, so it is remembered no longer than that.
    const hostKeys = sessionHostKeys();
    const trust = { address: box.address, by: 'built-in', where: null } as const;
    hostKeys.store(boxId, box.hostKey, Date.now(), trust);
    show(boxId, box, gpuCount, hostKeys);
  }

  function show(boxId: string, box: HeldDemoBox, gpuCount: number, hostKeys: HostKeyStore): void {
    current = { box, boxId };
    let linkedTo: string | null = null;
    let unlink: () => void = () => undefined;
    const publish = (): void => {
      topic.publish({ boxId, active: box.activeFaults(), isStarting: false });
      const { provider } = box;
      if (linkedTo === provider.listedAs) return;
      linkedTo = provider.listedAs;
      unlink = links.hold(boxId, { link: provider, instance: linkedTo });
    };
    const unfollow = box.onChange(publish);
    publish();
    const endLease = rentOut(boxId, gpuCount, Date.now());
    letGo = () => {
      unfollow();
      unlink();
      endLease();
    };
    fleet.addTransient(describe(boxId, box.address), {
      hostKeys,
      credentials: [{ kind: 'key', privateKey: box.clientKey }],
    });
  }

  /** Its price, balance and rental end, as a person would have entered them; of none of it anything is stored. */
  function rentOut(boxId: string, gpuCount: number, nowMs: number): () => void {
    const terms = demoTerms(gpuCount, nowMs);
    const held = [
      entries.hold(boxId, 'prices', terms.prices, nowMs),
      entries.hold(boxId, 'clocks', terms.clocks, nowMs),
      entries.hold('', accountKey(DEMO_PLATFORM), terms.account, nowMs),
    ];
    setAccount(DEMO_PLATFORM, terms.account);
    return () => {
      for (const release of held) release();
    };
  }

  /** `isForGood`: the person has switched it off, also one whose end is under way and may never be confirmed. */
  async function stop(isForGood: boolean): Promise<void> {
    if (current === null) return;
    const { box, boxId } = current;
    [current, rentedId] = [null, null];
    topic.publish({ boxId: null, active: [], isStarting: false });
    fleet.removeTransient(boxId);
    letGo();
    await box.stop();
    // What it was told it answers for at the next start, until the evidence has that over; an order may also be on its way to it.
    const isOwed = !isForGood && (box.provider.orders.told.length > 0 || mayBeUnderWay(boxId));
    if (!isOwed && isFileFree && options.isDatabaseKept) await rentals.remove().catch(notKept);
  }

  async function apply(wanted: DemoSettings): Promise<void> {
    const isSame = JSON.stringify(wanted) === JSON.stringify(applied);
    if (isSame) return;
    applied = wanted;
    await stop(!wanted.isOn);
    if (wanted.isOn) await start(wanted);
  }

  function enqueue(step: () => Promise<void>): Promise<void> {
    queue = queue.then(step).catch((cause: unknown) => {
      log.error('the demo box failed', { cause });
      notices.add(problem('demo-unavailable', 'The demo box could not be started or stopped.'));
    });
    return queue;
  }

  let stopListening: () => void = () => undefined;
  let isDisposed = false;

  return {
    start: () => {
      if (isDisposed) return; // the app quits while it starts
      stopListening();
      stopListening = settings.onChange(({ demo }) => void enqueue(() => apply(demo)));
      void enqueue(() => apply(settings.current().demo));
    },
    setFault: (fault, isOn) =>
      current === null
        ? Promise.resolve(err(problem('demo-unavailable', 'The demo box is not running.')))
        : current.box.setFault(fault, isOn),
    dispose: () => {
      isDisposed = true;
      stopListening();
      return enqueue(() => stop(false));
    },
  };
}

function describe(id: string, address: SshAddress): Box {
  return {
    id,
    name: 'demo',
    platform: DEMO_PLATFORM,
    address,
    ...USUAL_WAY,
    tags: [],
    addedAtMs: Date.now(),
  };
}
