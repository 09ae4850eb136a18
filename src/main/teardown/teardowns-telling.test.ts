import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PatrolSeen } from '../../shared/patrol/patrol-state.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { StreamBatch } from '../../shared/streams/stream.ts';
import type { BoxChange } from '../../shared/streams/meter-stream.ts';
import { foundNothing, MACHINE } from '../../shared/teardown/found-on-box.fixture.ts';
import type { GateState } from '../../shared/teardown/gate.ts';
import { states } from '../../shared/teardown/gate-cases.fixture.ts';
import { ACT } from '../../shared/teardown/gate.fixture.ts';
import { endedBox } from '../../shared/teardown/teardown-record.ts';
import type { Change, ChangePass } from '../../shared/teardown/change-pass.ts';
import type { ActAnswer } from '../../shared/teardown/provider-said.ts';
import type { Inspection } from '../../shared/teardown/inspection.ts';
import type { TeardownView } from '../../shared/teardown/teardown-view.ts';
import { BoxRoster } from '../boxes/box-roster.ts';
import { untouchedEntry } from '../../shared/streams/fleet-stream.ts';
import { BOX, value } from '../runs/run-box.fixture.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import type { NotedOrder } from './box-orders.ts';
import { APPROVED_STEP } from './approved-step.fixture.ts';
import { findsNothing } from './finds-nothing.fixture.ts';
import { TeardownRecords } from './teardown-records.ts';
import { QUIET_MS, Teardowns } from './teardowns.ts';

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
  /** How many looks came as far as its processes. */
  let patrols: number;
  /** What happens while its order is out. */
  let onAct: () => Promise<void>;
  /** What comes of its order. */
  let answer: ActAnswer;
  /** What only the log is told of. */
  let problems: string[];
  /** What comes of noting its end on the box, and of each note whether it was to go. */
  let noted: Result<NotedOrder, Problem>;
  let notes: boolean[];
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
    answer = { kind: 'by-hand' };
    patrols = 0;
    onAct = () => Promise.resolve();
    [noted, notes, problems] = [ok({ others: [], unnoted: null }), [], []];
    const never = () => Promise.reject(new Error('nothing was launched here'));
    const nothing = { runs: [], leftOut: 0, problem: null, atMs: 0 };
    teardowns = new Teardowns({
      ...{ hub, roster },
      runs: {
        look: () => new Promise((resolve) => looks.push(() => resolve(ok(nothing)))),
        ...{ proof: never, folders: () => [], list: never, hash: never },
      },
      home: { check: never, checkRecord: () => Promise.resolve(ok(null)) },
      patrol: () => {
        patrols += 1;
        return Promise.resolve(ok(null));
      },
      seenOn: () => NOTHING_RUNS,
      ...findsNothing,
      noteOrder: (_id, _order, isOver) => {
        notes.push(isOver);
        return Promise.resolve(isOver ? ok({ others: [], unnoted: null }) : noted);
      },
      outside: () => Promise.resolve(ok({ outside: foundNothing(0).outside, life })),
      records: new TeardownRecords(database.evidence),
      verbs: {
        aimOf: () => 'gone',
        act: async () => {
          acts += 1;
          await onAct();
          return answer;
        },
        providerOf: () => provider,
        look: () => new Promise((resolve) => questions.push(() => resolve(null))),
      },
      costOf: () => null,
      onGone: () => undefined,
      archive: () => ok(null),
      onAgain: () => undefined,
      onProblem: ({ message }) => problems.push(message),
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
    expect(problems).toEqual([]);
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

  /** Nothing is in the way of its end but what is accepted. */
  async function ready(): Promise<void> {
    const first = teardowns.inspect(BOX.id);
    await looked();
    value(await first);
    const accepted = teardowns.accept(BOX.id, aLoss());
    await looked();
    value(await accepted);
  }
  const saidOf = (result: Result<unknown, Problem>): string =>
    result.ok ? 'ok' : result.error.message;
  const approve = (digest = inspection().digest): string =>
    saidOf(teardowns.approve(BOX.id, { verb: 'Terminate', digest, typed: BOX.name }));
  const changed = async (
    does: Change['does'],
    act = (pass: ChangePass) => Promise.resolve(ok(pass.take(does, 'r-1'))),
  ): Promise<string> => saidOf(await teardowns.change(BOX.id, { does, about: 'r-1' }, act));
  const both = async () => [await changed('end-work'), await changed('delete')];

  it('is that nothing is changed on the box while a yes stands, nor until its order is answered', async () => {
    await ready();
    expect(approve()).toBe('ok');
    const withdraw = expect.stringMatching(/^Withdraw your approval first/);
    expect(await both()).toEqual([withdraw, withdraw]);
    expect(gate().kind).toBe('approved');
    const whileOrdering: string[] = [];
    onAct = async () => void whileOrdering.push(await changed('end-work'));
    const begun = teardowns.begin(BOX.id);
    await looked();
    value(await begun);
    expect(whileOrdering).toEqual(['The end of this box is under way.']);
    // A provider may say for hours that it is at it.
    expect(await both()).toEqual(['ok', expect.stringMatching(/Nothing is deleted on it now/)]);
    expect(gate()).toMatchObject({ kind: 'acting', isAnswered: true });
  });

  it('is that the work of a box whose end nobody confirms can be ended, and nothing on it deleted', async () => {
    await ready();
    expect(approve()).toBe('ok');
    answer = { kind: 'refused', provider: 'Acme', says: 'No.', atMs: 6 };
    const begun = teardowns.begin(BOX.id);
    await looked();
    value(await begun);
    expect(gate().kind).toBe('unconfirmed');
    expect(await both()).toEqual(['ok', expect.stringMatching(/Nothing is deleted on it now/)]);
    expect([gate().kind, looks]).toEqual(['unconfirmed', []]);
  });

  it('is that the work of a box can be ended that was stopped and started again, and nothing on it deleted', async () => {
    const records = new TeardownRecords(database.evidence);
    const beside = { ends: false, told: [], cost: null };
    const stopped = endedBox({ ...ACT, aim: 'stopped' }, states.gone.gone, beside);
    value(records.append(BOX.id, { step: 'gone', ...stopped }));
    expect(await both()).toEqual(['ok', expect.stringMatching(/until you say that it is back/)]);
    expect(gate().kind).toBe('gone');
  });

  it('is that work is ended though the evidence of the box cannot be read, which is told, and nothing deleted', async () => {
    await ready();
    const { digest } = inspection();
    const entry = { atMs: 1, kind: 'teardown', boxId: BOX.id, about: BOX.id } as const;
    value(database.evidence.append({ ...entry, body: '{"step":"newer"}' }));
    const unread = expect.stringMatching(/^Evidence entry \d+ is not what Leasehold writes/);
    expect(await both()).toEqual(['ok', unread]);
    expect(problems.splice(0)).toEqual([unread]);
    expect(approve(digest)).toEqual(unread);
  });

  it('is that nothing is deleted once another Leasehold ends the box, though judging began before', async () => {
    const refusals: Problem[] = [];
    const deleting = await changed('delete', (pass) => {
      value(new TeardownRecords(database.evidence).append(BOX.id, APPROVED_STEP));
      const isTaken = pass.take('delete', 'r-1');
      refusals.push(pass.whyNot);
      return Promise.resolve(ok(isTaken));
    });
    expect(deleting).toBe('ok');
    expect(refusals).toMatchObject([
      { message: expect.stringMatching(/Nothing is deleted on it now/) },
    ]);
    expect(gate().kind).toBe('unconfirmed');
  });

  it('is that a yes in memory refuses also where the evidence cannot be read', async () => {
    await ready();
    expect(approve()).toBe('ok');
    const entry = { atMs: 1, kind: 'teardown', boxId: BOX.id, about: BOX.id } as const;
    value(database.evidence.append({ ...entry, body: '{"step":"newer"}' }));
    expect(await changed('end-work')).toMatch(/^Withdraw your approval first/);
    expect(problems.splice(0)).toHaveLength(1);
  });

  it('is that no yes is given while something is changed, nor to what was seen before that', async () => {
    await ready();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { digest } = inspection();
    let end: () => void = () => undefined;
    const ending = changed('end-work', async (pass) => {
      await new Promise<void>((resolve) => (end = resolve));
      return ok(pass.take('end-work', 'r-1'));
    });
    expect(approve(digest)).toMatch(/^Something else is being done on this box/);
    expect([told.at(-1), own.at(-1)]).toEqual(['ending-work', false]);
    end();
    expect(await ending).toBe('ok');
    expect(told.at(-1)).toBeNull();
    expect(gate()).toEqual({ kind: 'shut', inspection: null });
    expect(approve(digest)).toBe('Check the box first.');
    await vi.advanceTimersByTimeAsync(QUIET_MS);
    expect([own.at(-1), told.at(-1)]).toEqual([true, 'inspecting']);
    await looked();
    await vi.waitFor(() => expect(told.at(-1)).toBeNull());
    expect(approve()).toBe('ok');
  });

  it('is that a look counts for nothing during which something was changed, and is made up for', async () => {
    const first = teardowns.inspect(BOX.id);
    await expect.poll(() => looks.length).toBe(1);
    // What deletes waits for it, and what must end does not.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    expect(await both()).toEqual(['ok', expect.stringMatching(/^Something else is being done/)]);
    await looked();
    value(await first);
    expect(gate()).toEqual({ kind: 'shut', inspection: null });
    await vi.advanceTimersByTimeAsync(QUIET_MS);
    await looked();
    await vi.waitFor(() => expect(told.at(-1)).toBeNull());
    expect(inspection().blockers).toHaveLength(1);
    expect(await changed('delete')).toBe('ok');
    await vi.advanceTimersByTimeAsync(QUIET_MS);
    await looked();
    await vi.waitFor(() => expect(told.at(-1)).toBeNull());
    expect(inspection().blockers).toHaveLength(1);
  });

  it('is of one look after many changes, once nothing is changed any more', async () => {
    await ready();
    const before = patrols;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    for (let at = 0; at < 50; at += 1) {
      expect(await changed('delete')).toBe('ok');
      await vi.advanceTimersByTimeAsync(QUIET_MS - 1);
      expect(looks).toEqual([]);
    }
    await vi.advanceTimersByTimeAsync(1);
    expect(looks).toHaveLength(1);
    await looked();
    await vi.waitFor(() => expect(told.at(-1)).toBeNull());
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    expect([patrols - before, looks.length, vi.getTimerCount()]).toEqual([1, 0, 0]);
  });

  it('is nothing of what a look that was stopped would have found: it ends with its part', async () => {
    const first = teardowns.inspect(BOX.id);
    await expect.poll(() => looks.length).toBe(1);
    teardowns.stop(BOX.id);
    expect(saidOf(await first)).toMatch(/^It was stopped/);
    await looked();
    const second = teardowns.inspect(BOX.id);
    await looked();
    value(await second);
    expect(patrols).toBe(1);
  });

  it('is how a person gets past a look that a delete waits for, and that one secret goes without waiting', async () => {
    const first = teardowns.inspect(BOX.id);
    await expect.poll(() => looks.length).toBe(1);
    const about = { does: 'delete', about: 'r-1' } as const;
    const act = (pass: ChangePass) => Promise.resolve(ok(pass.take('delete', 'r-1')));
    expect(await teardowns.change(BOX.id, about, act)).toMatchObject({
      error: {
        message: 'Something else is being done on this box: it is being checked.',
        nextStep: expect.stringContaining('choose “Stop” on the Teardown tab'),
      },
    });
    expect(value(await teardowns.change(BOX.id, about, act, false))).toBe(true);
    teardowns.stop(BOX.id);
    expect(saidOf(await first)).toMatch(/^It was stopped/);
    expect(await changed('delete')).toBe('ok');
  });

  it('is that a delete hears it when a person stops it', async () => {
    const about = { does: 'delete', about: 'r-1' } as const;
    const deleting = teardowns.change(BOX.id, about, (_pass, signal) => {
      teardowns.stop(BOX.id);
      return Promise.resolve(ok(signal?.aborted));
    });
    expect(value(await deleting)).toBe(true);
  });

  it('is that a verb which did nothing takes nothing away', async () => {
    await ready();
    expect(await changed('end-work', () => Promise.resolve(ok(false)))).toBe('ok');
    expect(looks).toEqual([]);
    expect(approve()).toBe('ok');
  });

  it('sends no order where the evidence does not tell who else is ending this machine, and calls that end off', async () => {
    await ready();
    expect(approve()).toBe('ok');
    noted = err(problem('results-unknown', 'The evidence log cannot be read.'));
    const begun = teardowns.begin(BOX.id);
    await looked();
    expect(saidOf(await begun)).toBe('The evidence log cannot be read.');
    expect([acts, gate().kind, notes]).toEqual([0, 'shut', [false, true]]);
    expect(problems.splice(0)).toEqual(['The evidence log cannot be read.']);
    const kept = value(new TeardownRecords(database.evidence).newest(BOX.id));
    expect(kept?.step.step).toBe('called-off');
  });
});
