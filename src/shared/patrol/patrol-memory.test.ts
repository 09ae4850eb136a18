import { expect, it } from 'vitest';
import { judgeVanished } from './judge-vanished.ts';
import { goneLook, LOOK, RUN } from './look.fixture.ts';
import type { PatrolLook, RunInLook } from './patrol-look.ts';
import { dismissGone, patrolMemory, rememberLook, type PatrolMemory } from './patrol-memory.ts';

/** What a patrol that knew `before` makes of a look. */
function patrol(look: PatrolLook, before: PatrolMemory | null, current = before): PatrolMemory {
  const asked = {
    ...(before ?? { atMs: 0, machine: LOOK.machine, runs: [] }),
    memory: LOOK.memory,
  };
  const judged = (before?.runs ?? []).map((run) => ({
    run,
    judgement: judgeVanished(run, asked, look, null),
  }));
  const isAlive = ({ judgement }: (typeof judged)[number]): boolean => judgement.kind === 'running';
  return rememberLook(
    {
      look,
      before,
      alive: judged.filter(isAlive).map(({ run }) => run),
      missing: judged.filter((each) => !isAlive(each)),
      judged: [],
    },
    current,
  );
}

const OTHER: RunInLook = { ...RUN, pid: 77, startTicks: 900, command: 'python eval.py' };
const row = { ...LOOK.processes.rows[0]!, pid: OTHER.pid, startTicks: OTHER.startTicks };
const BOTH: PatrolLook = {
  ...LOOK,
  atMs: LOOK.atMs + 30_000,
  runs: [RUN, OTHER],
  processes: { rows: [...LOOK.processes.rows, row], isWhole: true },
};
const pids = ({ runs }: PatrolMemory): number[] => runs.map(({ pid }) => pid).sort();
const BEFORE = patrol(LOOK, null);

it('keeps the runs and the counters, and nothing that a living run’s log says', () => {
  expect(patrolMemory.parse(JSON.parse(JSON.stringify(BEFORE)))).toEqual(BEFORE);
  expect(BEFORE).toMatchObject({ oomKills: 3, runs: [{ pid: RUN.pid, logs: [{ end: null }] }] });
});

it('takes CPUs that work for work, though no run is seen', () => {
  const quiet = { ...LOOK, atMs: LOOK.atMs + 300_000, runs: [] };
  const after = (usedS: number): number | null =>
    patrol(
      {
        ...quiet,
        machine: { ...LOOK.machine, uptimeS: 9300 },
        cpu: { ...LOOK.cpu!, usedS },
      },
      { ...BEFORE, runs: [] },
    ).workedAtMs;
  expect(after(100 + 300 * 4)).toBe(quiet.atMs);
  expect(after(100 + 300 * 0.2)).toBe(LOOK.atMs);
});

it('reads what an older Leasehold kept, and says that it does not hold what that did not keep', () => {
  const { artefacts: _artefacts, runs, ...older } = BEFORE;
  const olderRuns = runs.map(({ argumentCount: _count, program: _program, ...run }) => run);
  expect(patrolMemory.parse({ ...older, runs: olderRuns })).toMatchObject({
    artefacts: null,
    runs: [{ argumentCount: null, program: null }],
  });
});

it('reads what an earlier version remembered, which knew of no run that is gone', () => {
  const { gone: _gone, ...earlier } = BEFORE;
  expect(patrolMemory.parse(earlier)).toEqual(BEFORE);
});

it('reads what happened and was told to nobody, though an earlier version kept its words and called its clues evidence', () => {
  const clues = [{ kind: 'line', line: 'oom_kill 3 → 4' }];
  const found = {
    kind: 'found',
    severity: 'critical',
    wastedShare: null,
    caveat: null,
    isEvent: true,
  };
  const words = { headline: 'Killed', means: 'It was full', fix: [] };
  const says = { variant: 'kept', values: {} };
  const remembered = (told: object): object => ({
    ...BEFORE,
    untold: [
      {
        detector: 'U9',
        subject: { kind: 'box' },
        sinceMs: 1,
        found: { ...found, ...told },
        seenAtMs: 2,
      },
    ],
  });
  const asNow = remembered({ clues, says });
  expect(patrolMemory.parse(remembered({ ...words, evidence: clues }))).toEqual(asNow);
  expect(patrolMemory.parse(remembered({ ...words, clues }))).toEqual(asNow);
  expect(patrolMemory.parse(asNow)).toEqual(asNow);
});

it('reads runs of an older Leasehold, which kept no life of their machine, and when they began in a key alone', () => {
  const { gone } = patrol(goneLook(null), BEFORE);
  const olderGone = gone.map(({ bootId: _boot, startTicks: _ticks, ...rest }) => rest);
  const olderRuns = BEFORE.runs.map(({ bootId: _boot, ...rest }) => rest);
  const read = patrolMemory.parse({ ...BEFORE, runs: olderRuns, gone: olderGone });
  expect(read.runs).toEqual([{ ...BEFORE.runs[0], bootId: null }]);
  expect(read.gone).toEqual([{ ...gone[0], bootId: null }]);
  expect(read.gone).toMatchObject([{ pid: RUN.pid, startTicks: RUN.startTicks }]);
  const nameless = olderGone.map((each) => ({ ...each, key: 'lost' }));
  expect(patrolMemory.safeParse({ ...BEFORE, gone: nameless }).success).toBe(false);
});

it('lets no answer that is not whole take the place of what was known', () => {
  const later = { memory: { ...LOOK.memory!, oomKills: 4 } };
  expect(patrol(goneLook(null, { ...later, isWhole: false }), BEFORE)).toBe(BEFORE);
  const cut = { rows: [], isWhole: false };
  expect(patrol(goneLook(null, { ...later, processes: cut }), BEFORE)).toBe(BEFORE);
  expect(patrol(goneLook(null, later), BEFORE)).toMatchObject({ oomKills: 4, runs: [] });
});

it('goes on asking after a run that is alive and was not told again', () => {
  expect(pids(patrol({ ...LOOK, runs: [] }, BEFORE))).toEqual([RUN.pid]);
  expect(pids(patrol(LOOK, BEFORE))).toEqual([RUN.pid]);
});

it('remembers a run that is gone with its ladder, until the person is done with it', () => {
  const after = patrol(goneLook('OSError: [Errno 28] No space left on device\n'), BEFORE);
  expect(patrolMemory.parse(JSON.parse(JSON.stringify(after)))).toEqual(after);
  const [gone] = after.gone;
  expect(gone).toMatchObject({
    pid: RUN.pid,
    cause: 'disk-full',
    sinceMs: LOOK.atMs - 600_000,
    lastSeenMs: LOOK.atMs,
    missedMs: LOOK.atMs + 60_000,
  });
  expect(gone?.steps).toHaveLength(11);
  // Told once: the next look does not ask after it again, and does not forget it either.
  expect(patrol(goneLook(null), after).gone).toEqual(after.gone);
  expect(dismissGone(after, gone?.key ?? '').gone).toEqual([]);
});

it('forgets no run that is gone, and bounds how many ladders and how much of a line it keeps', () => {
  let memory = BEFORE;
  for (let i = 0; i < 30; i += 1) {
    const again = { ...LOOK, atMs: LOOK.atMs + i * 1000, runs: [{ ...RUN, startTicks: i }] };
    memory = { ...patrol(again, null), gone: memory.gone };
    memory = patrol({ ...goneLook(`KeyError: ${'x'.repeat(5000)}\n`), atMs: again.atMs }, memory);
  }
  expect(memory.gone).toHaveLength(30);
  expect(memory.gone.filter(({ steps }) => steps.length > 0)).toHaveLength(20);
  expect(JSON.stringify(memory).length).toBeLessThan(60_000);
});

it('keeps what another patrol of the same box has seen meanwhile', () => {
  // The other one looked later and was done first: it saw a new run.
  const theirs = patrol(BOTH, BEFORE);
  const mine = patrol({ ...LOOK, atMs: LOOK.atMs + 20_000 }, BEFORE, theirs);
  expect(pids(mine)).toEqual([RUN.pid, OTHER.pid]);
  expect(mine.atMs).toBe(BOTH.atMs);
  // And the other way round: the later look was also done later.
  const early = patrol({ ...LOOK, atMs: LOOK.atMs + 20_000 }, BEFORE);
  expect(pids(patrol(BOTH, BEFORE, early))).toEqual([RUN.pid, OTHER.pid]);
});

it('tells a run once that two patrols missed at the same time, and does not bring it back', () => {
  const first = patrol(goneLook('Hangup\n'), BEFORE);
  const second = patrol({ ...goneLook('Hangup\n'), atMs: LOOK.atMs + 61_000 }, BEFORE, first);
  expect(second.gone).toHaveLength(1);
  // A look that began before the run ended, and was answered slowly.
  const slow = patrol({ ...LOOK, atMs: LOOK.atMs + 50_000 }, BEFORE, first);
  expect(pids(slow)).toEqual([]);
  expect(slow.gone).toHaveLength(1);
});
