import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { wholeCost } from '../../shared/meter/whole-cost.ts';
import type { PatrolSeen } from '../../shared/patrol/patrol-state.ts';
import { ok } from '../../shared/result.ts';
import { untouchedEntry } from '../../shared/streams/fleet-stream.ts';
import { isUnderWay, type Act, type GateState } from '../../shared/teardown/gate.ts';
import { pictureOf } from '../../shared/teardown/judge-gone.ts';
import type { TeardownView } from '../../shared/teardown/teardown-view.ts';
import { BoxRoster } from '../boxes/box-roster.ts';
import { startTestBox } from '../demo/demo-box.fixture.ts';
import type { DemoBox } from '../demo/demo-box.ts';
import { DemoProvider } from '../demo/demo-provider.ts';
import type { DemoOrders } from '../demo/demo-rental.ts';
import { receiptOf } from '../evidence/export-evidence.ts';
import { checkReceipt } from '../evidence/receipt-file.ts';
import { value } from '../runs/run-box.fixture.ts';
import type { TestSshd } from '../ssh/sshd.fixture.ts';
import { trustingLink } from '../ssh/trusting-link.fixture.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import { findsNothing } from './finds-nothing.fixture.ts';
import { ProviderLinks, type ProviderLink } from './provider-links.ts';
import { TeardownRecords } from './teardown-records.ts';
import { Teardowns } from './teardowns.ts';
import { LinkedVerbs, VerbsByHand } from './teardown-verbs.ts';

const BOX_ID = 'b1';
const NOTHING_RUNS: PatrolSeen = {
  ...{ atMs: 0, took: null, uptimeS: 1, isWhole: true, runs: [], memoryShare: null, unread: [] },
};
const PLATFORM = {
  actions: [
    { kind: 'stop', verb: 'stop' },
    { kind: 'destroy', verb: 'destroy' },
  ],
} as unknown as NonNullable<ReturnType<ConstructorParameters<typeof VerbsByHand>[1]>>;
const COST = wholeCost({
  ...{ transfers: [], corrections: [] },
  intervals: [
    {
      ...{ no: 1, fromMs: 0, ms: 3_600_000, phase: 'running', source: 'observed', life: null },
      charges: [
        {
          kind: 'compute',
          what: 'GPU time',
          rate: { micros: 2_400_000, currency: 'USD', per: 'hour' },
        },
      ],
    },
  ],
});
const LATE = { timeout: 20_000 };

describe.skipIf(process.platform === 'win32')('the end of a box by its provider', () => {
  let demo: DemoBox;
  let link: ReturnType<typeof trustingLink>;
  let roster: BoxRoster;
  let database: Database;
  let apps: { teardowns: Teardowns; hub: StreamHub }[];
  let gone: Act['aim'][];
  let kept: DemoOrders[];
  let canKeep: boolean;
  beforeEach(async () => {
    [kept, canKeep] = [[], true];
    demo = await startTestBox({
      keepOrders: (orders) => {
        if (!canKeep) return Promise.reject(new Error('EROFS: /data/demo-provider.json'));
        kept.push(orders);
        return Promise.resolve();
      },
    });
    const { port, user } = demo.address;
    roster = new BoxRoster(new StreamHub());
    link = trustingLink({
      sshd: { port, user, privateKey: demo.clientKey } as TestSshd,
      onChange: (state) => roster.change(BOX_ID, { link: state }),
    });
    roster.put(untouchedEntry(link.box));
    roster.attach(BOX_ID, link.link);
    await link.connect();
    database = openTemporaryDatabase();
    [apps, gone] = [[], []];
  });
  afterEach(async () => {
    for (const { teardowns } of apps) teardowns.close();
    link.link.disconnect();
    database.close();
    await demo.stop();
  });

  /** An app that is started over what is kept; the box and its provider stay what they are. */
  function open(through: ProviderLink = demo.provider): Teardowns {
    const hub = new StreamHub();
    hub.addClient(1, () => undefined);
    const links = new ProviderLinks();
    links.hold(BOX_ID, { link: through, instance: demo.provider.instance });
    const byHand = new VerbsByHand(
      () => 'demo',
      () => PLATFORM,
    );
    const never = () => Promise.reject(new Error('nothing was launched here'));
    const teardowns = new Teardowns({
      ...{ hub, roster },
      runs: {
        look: () => Promise.resolve(ok({ runs: [], leftOut: 0, problem: null, atMs: 0 })),
        ...{ proof: never, folders: () => [], list: never, hash: never },
      },
      home: { check: never, checkRecord: () => Promise.resolve(ok(null)) },
      patrol: () => Promise.resolve(ok(null)),
      seenOn: () => NOTHING_RUNS,
      ...findsNothing,
      instanceOf: (id) => links.of(id)?.instance ?? null,
      records: new TeardownRecords(database.evidence),
      verbs: new LinkedVerbs({ byHand, links, redact: (text) => text }),
      costOf: () => COST,
      onGone: (_id, { aim }) => gone.push(aim),
      archive: () => ok(null),
      onAgain: () => undefined,
      onProblem: ({ message }) => {
        throw new Error(message);
      },
      isOnline: () => true,
    });
    apps.push({ teardowns, hub });
    return teardowns;
  }

  function viewOf(teardowns: Teardowns): TeardownView {
    const hub = apps.find((each) => each.teardowns === teardowns)?.hub;
    if (hub === undefined) throw new Error('of no app');
    const opened = value(hub.open(1, 'teardowns', ''));
    hub.close(1, opened.subscription);
    const view = (opened.state as { boxes: Record<string, TeardownView> }).boxes[BOX_ID];
    if (view === undefined) throw new Error('the box is not told');
    return view;
  }
  const gateOf = (teardowns: Teardowns): GateState => viewOf(teardowns).gate;

  async function approved(teardowns: Teardowns, verb = 'destroy'): Promise<void> {
    value(await teardowns.inspect(BOX_ID));
    const inspected = () => {
      const gate = gateOf(teardowns);
      if (gate.kind !== 'shut' || gate.inspection === null) throw new Error(gate.kind);
      return gate.inspection;
    };
    const { id, loss, accepted } = inspected().blockers[0] ?? {};
    if (accepted === null && id !== undefined && typeof loss === 'string') {
      value(await teardowns.accept(BOX_ID, { id, loss, because: 'a demo' }));
    }
    const { digest } = inspected();
    value(teardowns.approve(BOX_ID, { verb, digest, typed: link.box.name }));
  }

  const becomes = (teardowns: Teardowns, state: unknown): Promise<void> =>
    vi.waitFor(() => expect(gateOf(teardowns)).toMatchObject(state as object), LATE);
  const unconfirmed = (because: RegExp) => ({
    ...{ kind: 'unconfirmed', because: expect.stringMatching(because) as string },
  });

  it('is gone once the provider says so and nobody answers, and the receipt has both', async () => {
    const teardowns = open();
    await approved(teardowns);
    value(await teardowns.begin(BOX_ID));
    expect(gateOf(teardowns).kind).toBe('acting');
    await becomes(teardowns, {
      ...{ kind: 'gone', act: { aim: 'gone' } },
      gone: { by: { kind: 'provider', said: { provider: 'Demo provider', kind: 'gone' } } },
    });
    expect([demo.provider.orders.told.length, gone]).toEqual([1, ['gone']]);
    const seq = viewOf(teardowns).receipt ?? 0;
    const at = { box: () => 'train-a', atMs: Date.now() };
    const { text } = value(await receiptOf(database.evidence, seq, at)) ?? { text: '' };
    expect(text).toContain('Demo provider says so: gone (“TERMINATED”');
    expect(text).toContain('was silent');
    expect(text).toContain('It cost $2.40, from 1970-01-01T00:00:00');
    for (const said of ['accepted the request', '202 Accepted']) expect(text).toContain(said);
    const json = value(await receiptOf(database.evidence, seq, { ...at, format: 'json' }));
    expect(await checkReceipt(json?.text ?? '', null)).toEqual({
      ...{ ok: true, value: { isSealed: true, entries: 2, files: 0, faults: [] } },
    });
    const without = JSON.parse(json?.text ?? '') as { entries: unknown[] };
    without.entries.pop();
    expect(await checkReceipt(JSON.stringify(without), null)).toMatchObject({
      value: {
        faults: [
          expect.stringMatching(/or an entry left out/),
          expect.stringMatching(/on which it rests, is missing/),
        ],
      },
    });
    teardowns.close();
    expect(gateOf(open())).toMatchObject({ kind: 'gone', gone: { by: { kind: 'provider' } } });
  });

  it('is stopped, and not gone, where that was what was approved', async () => {
    const teardowns = open();
    await approved(teardowns, 'stop');
    value(await teardowns.begin(BOX_ID));
    await becomes(teardowns, { kind: 'gone', gone: { by: { said: { kind: 'stopped' } } } });
    expect(gone).toEqual(['stopped']);
  });

  it('refuses an order that its provider cannot keep, in words without a path, and was told nothing', async () => {
    const teardowns = open();
    canKeep = false;
    await approved(teardowns);
    value(await teardowns.begin(BOX_ID));
    expect(gateOf(teardowns)).toMatchObject(
      unconfirmed(/refused: no orders can be taken at the moment/),
    );
    expect(JSON.stringify(viewOf(teardowns))).not.toContain('/data/');
    expect(demo.provider.orders).toEqual({ told: [], end: null });
    await becomes(teardowns, unconfirmed(/is running still/));
  });

  it('looks where an answer was lost, over a restart, and never sends the order again', async () => {
    await demo.setFault('provider-silent', true);
    const first = open();
    await approved(first);
    value(await first.begin(BOX_ID));
    expect(gateOf(first)).toMatchObject(
      unconfirmed(/received the request is not known, and it is not/),
    );
    first.close();
    const second = open();
    await becomes(second, unconfirmed(/Nothing is known from Demo provider/));
    expect(gone).toEqual([]);
    await demo.setFault('provider-silent', false);
    await becomes(second, { kind: 'gone' });
    expect(demo.provider.orders.told).toHaveLength(1);
  });

  it('ends where app and box were killed in the middle: its provider goes on, and is told nothing again', async () => {
    const first = open();
    await approved(first);
    value(await first.begin(BOX_ID));
    first.close();
    await demo.stop();
    const before = kept[0] ?? { told: [], end: null };
    expect(before).toMatchObject({ told: [expect.any(String)], end: { aim: 'gone' } });
    const { instance } = demo.provider;
    const survivor = new DemoProvider({
      ...{ instance, machine: null, gpuCount: 2, before, delayMs: 100 },
    });
    const second = open(survivor);
    await becomes(second, { kind: 'gone', gone: { by: { kind: 'provider' } } });
    expect(survivor.orders).toEqual(before);
    expect(kept).toHaveLength(1);
  });

  it('was killed between its record and the order: it says so, and sends nothing by itself', async () => {
    let isAsked = false;
    const hangs: ProviderLink = {
      ...{ provider: 'Demo provider', verbs: ['destroy'], look: demo.provider.look },
      ...{ list: demo.provider.list, price: demo.provider.price },
      act: () => {
        isAsked = true;
        return new Promise(() => undefined);
      },
    };
    const killed = open(hangs);
    await approved(killed);
    void killed.begin(BOX_ID);
    await vi.waitFor(() => expect(isAsked).toBe(true), LATE);
    killed.close();
    const second = open();
    await becomes(second, unconfirmed(/says that the machine is running still/));
    expect((await second.begin(BOX_ID)).ok).toBe(false);
    expect(demo.provider.orders.told).toEqual([]);
    // The person does what is left to do.
    value(second.callOff(BOX_ID));
    await approved(second);
    value(await second.begin(BOX_ID));
    await becomes(second, { kind: 'gone' });
    expect(demo.provider.orders.told).toHaveLength(1);
  });

  it('goes on costing while the two do not say the same, each time in words of its own', async () => {
    const teardowns = open();
    await demo.setFault('provider-refuses', true);
    await approved(teardowns);
    value(await teardowns.begin(BOX_ID));
    expect(gateOf(teardowns)).toMatchObject(unconfirmed(/refused: the host is being serviced/));
    await demo.setFault('provider-refuses', false);
    await becomes(teardowns, unconfirmed(/is running still/));
    await demo.setFault('provider-says-gone', true);
    await becomes(teardowns, unconfirmed(/is gone, and its address answers: The box still/));
    await demo.setFault('provider-says-gone', false);
    await demo.setFault('provider-forgets', true);
    await becomes(teardowns, unconfirmed(/The box answers, and Demo provider knows no such/));
    // Somebody ends it elsewhere.
    await demo.stop();
    await becomes(teardowns, unconfirmed(/nobody answers at its address. If it was ended/));
    expect(gone).toEqual([]);
    await vi.waitFor(async () => {
      const late = await teardowns.confirm(BOX_ID, 'what was shown before');
      expect(late.ok ? '' : late.error.message).toMatch(/no longer what is shown/);
    }, LATE);
    expect(gone).toEqual([]);
    await vi.waitFor(async () => {
      const gate = gateOf(teardowns);
      value(await teardowns.confirm(BOX_ID, isUnderWay(gate) ? pictureOf(gate) : ''));
    }, LATE);
    expect(gateOf(teardowns)).toMatchObject({
      gone: { by: { kind: 'person', said: { kind: 'unheard' } } },
    });
    expect([gone, demo.provider.orders.told.length]).toEqual([['gone'], 1]);
  });

  it('asks no second time for a person who asks while it does by itself, and breaks that off for their word', async () => {
    let answers: (() => void)[] = [];
    const slow: ProviderLink = {
      ...{ provider: 'Demo provider', verbs: ['destroy'] },
      ...{ act: demo.provider.act, list: demo.provider.list, price: demo.provider.price },
      look: () =>
        new Promise((resolve) => {
          answers.push(() => resolve({ kind: 'unheard', says: '404' }));
        }),
    };
    await demo.setFault('provider-idle', true);
    const teardowns = open(slow);
    await approved(teardowns);
    value(await teardowns.begin(BOX_ID));
    const asksByItself = () =>
      vi.waitFor(() => expect(viewOf(teardowns).doing?.isByItself).toBe(true), LATE);
    await asksByItself();
    const asked = teardowns.confirm(BOX_ID, null);
    expect(viewOf(teardowns).doing).toEqual({ kind: 'confirming' });
    await demo.stop();
    expect(answers.splice(0).map((answer) => answer())).toHaveLength(1);
    value(await asked);
    expect(gateOf(teardowns)).toMatchObject(unconfirmed(/If it was ended elsewhere/));
    // The provider does not answer any more, and the person has read what it said last.
    await asksByItself();
    const gate = gateOf(teardowns);
    const word = teardowns.confirm(BOX_ID, isUnderWay(gate) ? pictureOf(gate) : '');
    await vi.waitFor(() => expect(answers).toHaveLength(2), LATE);
    answers[1]?.();
    value(await word);
    expect(gateOf(teardowns).kind).toBe('gone');
    answers = [];
  });

  it('is not gone because the order was accepted, by a provider that does nothing (RP14, VAST15)', async () => {
    const teardowns = open();
    await demo.setFault('provider-idle', true);
    await approved(teardowns);
    value(await teardowns.begin(BOX_ID));
    await becomes(teardowns, unconfirmed(/is running still/));
    expect(gone).toEqual([]);
  });
});
