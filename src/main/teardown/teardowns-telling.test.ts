import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PatrolSeen } from '../../shared/patrol/patrol-state.ts';
import { ok } from '../../shared/result.ts';
import type { StreamBatch } from '../../shared/streams/stream.ts';
import type { BoxChange } from '../../shared/streams/meter-stream.ts';
import { foundNothing, MACHINE } from '../../shared/teardown/found-on-box.fixture.ts';
import type { GateState } from '../../shared/teardown/gate.ts';
import type { Inspection } from '../../shared/teardown/inspection.ts';
import type { TeardownView } from '../../shared/teardown/teardown-view.ts';
import { BoxRoster } from '../boxes/box-roster.ts';
import { untouchedEntry } from '../../shared/streams/fleet-stream.ts';
import { BOX, value } from '../runs/run-box.fixture.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import { findsNothing } from './finds-nothing.fixture.ts';
import { TeardownRecords } from './teardown-records.ts';
import { Teardowns } from './teardowns.ts';

const NOTHING_RUNS: PatrolSeen = {
  ...{ atMs: 0, took: null, uptimeS: 1, isWhole: true, runs: [], memoryShare: null, unread: [] },
};

const HOUR_MS = 3_600_000;

describe('what the window hears of a look', () => {
  let database: Database;
  let teardowns: Teardowns;
  /** What the window was told, without any timer of the hub's. */
  let told: (string | null)[];
  let providers: (string | null)[];
  /** Who is linked. */
  let provider: string | null;
  /** Each look waits for its own. */
  let looks: (() => void)[];
  /** Of each view that was told: whether what is being done is nobody's wish. */
  let own: boolean[];
  let newest: TeardownView | null;
  /** Which life of the machine it is. */
  let life: string | null;
  let acts: number;
  /** Each question to the provider waits for its own. */
  let questions: (() => void)[];

  beforeEach(() => {
    // By this clock no time passes: whatever may come late would never come.
    const hub = new StreamHub(() => 0);
    const roster = new BoxRoster(new StreamHub());
    roster.put(untouchedEntry(BOX));
    database = openTemporaryDatabase();
    [told, looks, providers, provider] = [[], [], [], null];
    [own, newest, life, acts, questions] = [[], null, MACHINE.life, 0, []];
    const never = () => Promise.reject(new Error('nothing was launched here'));
    const nothing = { runs: [], leftOut: 0, problem: null, atMs: 0 };
    teardowns = new Teardowns({
      ...{ hub, roster },
      runs: {
        look: () => new Promise((resolve) => looks.push(() => resolve(ok(nothing)))),
        ...{ proof: never, folders: () => [], list: never, hash: never },
      },
      home: { check: never, checkRecord: () => Promise.resolve(ok(null)) },
      patrol: () => Promise.resolve(ok(null)),
      seenOn: () => NOTHING_RUNS,
      ...findsNothing,
      outside: () => Promise.resolve(ok({ outside: foundNothing(0).outside, life })),
      records: new TeardownRecords(database.evidence),
      verbs: {
        aimOf: () => 'gone',
        act: () => {
          acts += 1;
          return Promise.resolve({ kind: 'by-hand' });
        },
        providerOf: () => provider,
        look: () => new Promise((resolve) => questions.push(() => resolve(null))),
      },
      costOf: () => null,
      onGone: () => undefined,
      archive: () => ok(null),
      onAgain: () => undefined,
      onProblem: ({ message }) => {
        throw new Error(message);
      },
      isOnline: () => true,
    });
    hub.addClient(1, ({ deltas }: StreamBatch<unknown>) => {
      for (const { value: view } of deltas as BoxChange<TeardownView>[]) {
        told.push(view?.doing?.kind ?? null);
        providers.push(view?.provider ?? null);
        own.push(view?.doing?.isByItself === true);
        newest = view;
      }
    });
    value(hub.open(1, 'teardowns', ''));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
    teardowns.close();
    database.close();
  });

  /** Once the next look has begun, it is let go on. */
  async function looked(): Promise<void> {
    await expect.poll(() => looks.length).toBeGreaterThan(0);
    looks.shift()?.();
  }

  function gate(): GateState {
    if (newest === null) throw new Error('nothing was told');
    return newest.gate;
  }
  function inspection(): Inspection {
    const now = gate();
    if (!('inspection' in now) || now.inspection === null) throw new Error(now.kind);
    return now.inspection;
  }

  it('comes at once, when it begins as when it ends', async () => {
    const inspected = teardowns.inspect(BOX.id);
    expect(told).toEqual(['inspecting']);
    await looked();
    value(await inspected);
    expect(told.at(-1)).toBeNull();
    void teardowns.inspect(BOX.id);
    expect(told.at(-1)).toBe('inspecting');
  });

  it('has a provider that is linked later, before any look', () => {
    provider = 'Acme';
    teardowns.relinked(BOX.id);
    expect(providers.at(-1)).toBe('Acme');
    expect(looks).toEqual([]);
  });

  /** As Leasehold does by itself once something of a box is home that was looked at before. */
  async function looksByItself(): Promise<void> {
    const first = teardowns.inspect(BOX.id);
    await looked();
    value(await first);
    teardowns.cameHome(BOX.id);
    await expect.poll(() => looks.length).toBe(1);
    expect(own.at(-1)).toBe(true);
  }
  const aLoss = (): { readonly id: string; readonly loss: string; readonly because: string } => {
    const { id, loss } = inspection().blockers[0] ?? {};
    return { id: id ?? '', loss: loss ?? '', because: 'nothing else' };
  };

  it('is of a look that nobody asked for what a person is told who asks for it meanwhile', async () => {
    await looksByItself();
    const asked = teardowns.inspect(BOX.id);
    // From now on it is theirs, and of two that ask at once the second is told that the first is at it.
    expect(own.at(-1)).toBe(false);
    expect(await teardowns.inspect(BOX.id)).toMatchObject({ error: { code: 'teardown-refused' } });
    await looked();
    value(await asked);
    expect(looks).toEqual([]);
  });

  it('is that a look which nobody asked for ends where it may have missed something', async () => {
    await looksByItself();
    teardowns.cameHome(BOX.id);
    const asked = teardowns.inspect(BOX.id);
    await expect.poll(() => looks.length).toBe(2);
    // The first one never comes to its end.
    looks.pop()?.();
    value(await asked);
    expect([told.at(-1), looks.length]).toEqual([null, 1]);
  });

  it('is that no request of a person waits for a look that nobody asked for, which is made up for', async () => {
    await looksByItself();
    const before = inspection().atMs;
    value(await teardowns.meanwhile(BOX.id, { kind: 'deleting' }, () => Promise.resolve(ok(null))));
    await expect.poll(() => looks.length).toBe(2);
    expect(own.at(-1)).toBe(true);
    // What the one that was stopped finds after all is nobody's.
    vi.spyOn(Date, 'now').mockReturnValue(before + 5);
    looks.shift()?.();
    looks.shift()?.();
    await vi.waitFor(() => expect(told.at(-1)).toBeNull());
    expect(inspection().atMs).toBe(before + 5);
    expect(looks).toEqual([]);
  });

  it('is that a loss is accepted while nobody asked for a look, and looked at once more', async () => {
    await looksByItself();
    const accepted = teardowns.accept(BOX.id, aLoss());
    await expect.poll(() => looks.length).toBe(2);
    looks.pop()?.();
    value(await accepted);
    expect(inspection().blockers).toMatchObject([{ accepted: { because: 'nothing else' } }]);
    // Theirs saw what had come home.
    expect(looks).toHaveLength(1);
    expect(told.at(-1)).toBeNull();
  });

  it('is that a yes is given and begun while nobody asked for a look, which ends it where anything changed', async () => {
    const accepting = async (): Promise<void> => {
      const accepted = teardowns.accept(BOX.id, aLoss());
      await looked();
      value(await accepted);
    };
    const approve = () => {
      const { digest } = inspection();
      return teardowns.approve(BOX.id, { verb: 'Terminate', digest, typed: BOX.name });
    };
    const first = teardowns.inspect(BOX.id);
    await looked();
    value(await first);
    await accepting();
    teardowns.cameHome(BOX.id);
    await expect.poll(() => looks.length).toBe(1);
    value(approve());
    await looked();
    await vi.waitFor(() => expect(told.at(-1)).toBeNull());
    expect(gate().kind).toBe('approved');
    // Another machine is found meanwhile.
    teardowns.cameHome(BOX.id);
    await expect.poll(() => looks.length).toBe(1);
    life = 'another';
    await looked();
    await vi.waitFor(() => expect(told.at(-1)).toBeNull());
    expect(gate().kind).toBe('shut');
    await accepting();
    value(approve());
    teardowns.cameHome(BOX.id);
    await expect.poll(() => looks.length).toBe(1);
    const begun = teardowns.begin(BOX.id);
    await expect.poll(() => looks.length).toBe(2);
    looks.pop()?.();
    value(await begun);
    expect([gate().kind, acts]).toEqual(['acting', 1]);
  });

  it('asks nothing more about an end that is called off while it was asking', async () => {
    const first = teardowns.inspect(BOX.id);
    await looked();
    value(await first);
    const accepted = teardowns.accept(BOX.id, aLoss());
    await looked();
    value(await accepted);
    const { digest } = inspection();
    provider = 'Acme';
    value(teardowns.approve(BOX.id, { verb: 'Terminate', digest, typed: BOX.name }));
    const begun = teardowns.begin(BOX.id);
    await looked();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    value(await begun);
    await vi.waitFor(() => expect(questions.length).toBe(1));
    expect(told.at(-1)).toBe('confirming');
    value(teardowns.callOff(BOX.id));
    questions[0]?.();
    await vi.waitFor(() => expect(told.at(-1)).toBeNull());
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    expect([gate().kind, questions.length, vi.getTimerCount()]).toEqual(['shut', 1, 0]);
  });
});
