import { describe, expect, it } from 'vitest';
import { judgeVanished } from './judge-vanished.ts';
import { LOOK, RUN } from './look.fixture.ts';
import { selectLost } from './lost-runs.ts';
import type { PatrolLook, RunInLook } from './patrol-look.ts';
import { rememberLook, type PatrolMemory } from './patrol-memory.ts';
import type { GoneRun, SeenRun } from './patrol-state.ts';
import { selectSeen } from './select-seen.ts';

const MINUTE_MS = 60_000;
const TOOK = { ms: 900, bytes: 9000 };
/** Eight runs of one command in one folder, which began one second after the other. */
const SWEEP = Array.from({ length: 8 }, (_none, n): RunInLook => ({
  ...RUN,
  pid: 100 + n,
  startTicks: 1000 + n * 100,
  ageS: 600 - n,
  logs: [],
}));

/** What a look sees of these, so many minutes after the first. */
function lookAt(minutes: number, runs: readonly RunInLook[]): PatrolLook {
  const [first] = LOOK.processes.rows;
  const shell = { ...first!, pid: 5, startTicks: 1 };
  return {
    ...LOOK,
    atMs: LOOK.atMs + minutes * MINUTE_MS,
    machine: { ...LOOK.machine, uptimeS: 9000 + minutes * 60 },
    runs: runs.map((run) => ({ ...run, ageS: (run.ageS ?? 0) + minutes * 60 })),
    knownLogs: new Map(),
    keptEnds: new Map(),
    artefacts: [],
    processes: {
      rows: [shell, ...runs.map(({ pid, startTicks }) => ({ ...shell, pid, startTicks }))],
      isWhole: true,
    },
  };
}

/** One patrol: what is remembered now, and the runs that are lost. */
function patrol(look: PatrolLook, before: PatrolMemory | null) {
  const known = before === null ? null : { ...before, memory: LOOK.memory };
  const missing = (before?.runs ?? [])
    .map((run) => ({ run, judgement: judgeVanished(run, known ?? LOOK, look, null) }))
    .filter(({ judgement }) => judgement.kind !== 'running');
  const memory = rememberLook({ look, before, alive: [], missing, judged: [] }, before);
  return { memory, lost: selectLost(memory.gone, selectSeen(look, [], TOOK).runs) };
}

const pids = (runs: readonly { readonly pid: number }[]): readonly number[] =>
  runs.map(({ pid }) => pid).sort((a, b) => a - b);

describe('runs of one command in one folder', () => {
  it('are each missed when they die one after the other, and none is taken for another’s restart', () => {
    let memory = patrol(lookAt(0, SWEEP), null).memory;
    for (let dead = 1; dead <= SWEEP.length; dead += 1) {
      const now = patrol(lookAt(dead, SWEEP.slice(dead)), memory);
      expect(pids(now.lost)).toEqual(pids(SWEEP.slice(0, dead)));
      memory = now.memory;
    }
  });

  it('are each missed when they die at once', () => {
    const { memory } = patrol(lookAt(0, SWEEP), null);
    expect(patrol(lookAt(1, SWEEP.slice(6)), memory).lost).toHaveLength(6);
  });

  it('make good one death for each that begins after it', () => {
    const { memory } = patrol(lookAt(0, SWEEP.slice(0, 3)), null);
    const again = { ...RUN, pid: 300, startTicks: 900_000, ageS: -90, logs: [] };
    const [first, ...others] = [...SWEEP.slice(2, 3), again];
    const now = patrol(lookAt(2, [first, ...others]), memory);
    expect(now.lost).toHaveLength(1);
    // It stays made good when it has ended, whatever ended it.
    const later = patrol(lookAt(9, SWEEP.slice(2, 3)), now.memory);
    expect(pids(later.lost)).toEqual([pids(now.lost)[0], 300]);
  });

  it.each<readonly [string, Partial<SeenRun>]>([
    ['of which nobody knows when it began', { sinceMs: null }],
    ['which began before the other was seen for the last time', { sinceMs: 5000 }],
    ['which was beside it, whatever the clocks say', { pid: 100, startTicks: 1000 }],
    ['in another folder', { folder: '/other' }],
    ['of another command', { command: 'python eval.py' }],
  ])('are not made good by one %s', (_what, change) => {
    const { memory } = patrol(lookAt(0, SWEEP.slice(0, 2)), null);
    const [gone] = patrol(lookAt(1, SWEEP.slice(0, 1)), memory).memory.gone;
    const restart = { ...selectSeen(lookAt(1, [RUN]), [], TOOK).runs[0]!, sinceMs: LOOK.atMs + 1 };
    const lost = (run: SeenRun): readonly GoneRun[] => selectLost([gone!], [run]);
    expect(lost(restart)).toEqual([]);
    expect(lost({ ...restart, ...change })).toEqual([gone]);
  });

  it('are made good by one that has a twin’s numbers in another life of the machine', () => {
    const { memory } = patrol(lookAt(0, SWEEP.slice(0, 2)), null);
    const [gone] = patrol(lookAt(1, SWEEP.slice(0, 1)), memory).memory.gone;
    const [twin] = selectSeen(lookAt(1, SWEEP.slice(0, 1)), [], TOOK).runs;
    const restart = { ...twin!, sinceMs: LOOK.atMs + 1 };
    expect(selectLost([gone!], [restart])).toEqual([gone]);
    expect(selectLost([gone!], [{ ...restart, bootId: 'b2' }])).toEqual([]);
  });

  it('finish by a marker of success each: one that another left proves nothing', () => {
    const { memory } = patrol(lookAt(0, SWEEP.slice(0, 3)), null);
    const done = (path: string, minutes: number) => ({
      kind: 'done' as const,
      path,
      modifiedAtS: (LOOK.atMs + (LOOK.machine.clockOffsetMs ?? 0)) / 1000 + minutes * 60,
      bytes: 0,
    });
    const causes = (
      minutes: number,
      runs: readonly RunInLook[],
      paths: readonly string[],
      known = memory,
    ) => {
      const look = { ...lookAt(minutes, runs), artefacts: paths.map((path) => done(path, 0.5)) };
      const now = patrol(look, known);
      return { causes: now.memory.gone.map(({ cause }) => cause), memory: now.memory };
    };
    expect(causes(1, SWEEP.slice(1, 3), ['/work/1/DONE']).causes).toEqual(['finished']);
    expect(causes(1, SWEEP.slice(2, 3), ['/work/1/DONE', '/work/2/DONE']).causes).toEqual([
      'finished',
      'finished',
    ]);
    expect(causes(1, SWEEP.slice(2, 3), ['/work/1/DONE']).causes).toEqual([null, null]);
    // The marker was there before the last of them was killed.
    const two = causes(1, SWEEP.slice(2, 3), ['/work/1/DONE', '/work/2/DONE']);
    expect(causes(2, [], ['/work/1/DONE', '/work/2/DONE'], two.memory).causes).toEqual([
      null,
      'finished',
      'finished',
    ]);
  });
});
