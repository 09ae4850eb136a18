import { describe, expect, it } from 'vitest';
import { judgeGoneRuns } from '../detectors/u3-vanished-run.ts';
import { watchedOn } from '../profiles/places.ts';
import { isSameProcess } from '../runs/process-ref.ts';
import { checkpointOf, writersOf } from './checkpoint-of.ts';
import { judgeLook } from './judge-look.ts';
import { judgeVanished } from './judge-vanished.ts';
import { goneLook, LOOK, mount, RUN, RUN_LOG } from './look.fixture.ts';
import { selectLost } from './lost-runs.ts';
import type { LookJudgement } from './look-detector.ts';
import type { PatrolLook, RunInLook } from './patrol-look.ts';
import { rememberLook, type PatrolMemory } from './patrol-memory.ts';
import { NO_PATROL } from './patrol-state.ts';
import { selectSeen } from './select-seen.ts';
import { toldOnce } from './told-once.ts';

const BESIDE = { ...watchedOn(null, []), isGpuWorking: null };

const BEFORE = rememberLook({ look: LOOK, before: null, alive: [], missing: [], judged: [] }, null);

function patrol(
  look: PatrolLook,
  before: PatrolMemory = BEFORE,
  fellIdleAtMs: number | null = null,
  traps: readonly string[] = [],
): { readonly alerts: readonly string[]; readonly memory: PatrolMemory } {
  const asked = { ...before, machine: LOOK.machine, memory: LOOK.memory };
  const missing = before.runs
    .filter((run) => !look.runs.some((each) => isSameProcess(each, run)))
    .map((run) => ({ run, judgement: judgeVanished(run, asked, look, null) }));
  const all = judgeLook(look, before, { ...BESIDE, traps, missing });
  const memory = rememberLook(
    { look, before, alive: [], missing, judged: all, fellIdleAtMs },
    before,
  );
  const state = { ...NO_PATROL, seen: selectSeen(look, [], null), gone: memory.gone };
  const judged = toldOnce(all, selectLost(memory.gone, state.seen.runs));
  const u3 = judgeGoneRuns(state, look.atMs).flatMap(({ subject, belief }) =>
    belief.kind === 'found' ? [`U3 ${subject.kind}`] : [],
  );
  const namesOf = ({ detector, subject, answer }: LookJudgement) =>
    answer.kind === 'found' && detector !== 'U3' ? [`${detector} ${subject.kind}`] : [];
  return { alerts: [...u3, ...judged.flatMap(namesOf)], memory };
}

describe('one cause gives one alert', () => {
  it('an OOM of the card that ended a run is told by the run alone (U3, not U10 too)', () => {
    const { alerts } = patrol(goneLook('step 9\ntorch.OutOfMemoryError: CUDA out of memory.\n'));
    expect(alerts).toContain('U3 run');
    expect(alerts).not.toContain('U10 run');
  });

  it('an OOM after which the same command began again is told, for U3 is silent on what came back', () => {
    const again = { ...RUN, pid: 42, startTicks: 9000, ageS: 30 };
    const [row] = LOOK.processes.rows;
    const { alerts } = patrol(
      goneLook('step 9\ntorch.OutOfMemoryError: CUDA out of memory.\n', {
        runs: [{ ...again, logs: [{ ...RUN_LOG, path: '/work/second.log', inode: 8 }] }],
        processes: { rows: [{ ...row!, pid: 42, startTicks: 9000 }], isWhole: true },
      }),
    );
    expect(alerts).toEqual(['U10 run']);
  });

  it('a disk that is still full is told of the disk, and of the run that it ended once', () => {
    const full = goneLook('OSError: [Errno 28] No space left on device\n', {
      mounts: [mount('/work', { usedPct: 100, freeKiB: 0, usedKiB: 100_000_000 })],
    });
    const { alerts } = patrol(full);
    expect(alerts).toContain('U3 run');
    expect(alerts).toContain('U6 mount');
    expect(alerts).not.toContain('U6 run');
  });
});

describe('what an entry says of the very line that ended a run', () => {
  const NO_KERNEL = 'RuntimeError: CUDA error: no kernel image is available for execution\n';
  const NO_HOST = "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='x', port=443)\n";
  it.each([
    ['SLURM4', 'slurmstepd: error: Detected 1 oom_kill event in StepId=7.0.\n', []],
    ['NB3', NO_HOST, ['NB3']],
    ['AD9', NO_KERNEL, ['AD9']],
    ['PS11', NO_KERNEL, ['PS11']],
  ])('%s is told with the end of the run, and not beside it', (id, end, traps) => {
    const { alerts, memory } = patrol(goneLook(end), BEFORE, null, traps);
    expect(alerts).toEqual(['U3 run']);
    expect(memory.gone[0]?.alike).toEqual([id]);
    const [, said] = judgeGoneRuns({ ...NO_PATROL, gone: memory.gone }, LOOK.atMs);
    expect(said?.belief).toMatchObject({ found: { says: { also: id } } });
  });
});

describe('what is kept of a run that is gone', () => {
  const words = Array.from({ length: 12 }, (_, i) => `line ${String(i)}`).join('\n');

  it('are the last lines of its log, without secrets, and which log it was', () => {
    const key = 'hf_abcdefghijklmnopqrstuvwxyzABCDEFGH';
    const { memory } = patrol(goneLook(`${words}\nHF_TOKEN=${key}\nValueError: no\n`));
    const [gone] = memory.gone;
    expect(gone?.lastLines).toHaveLength(8);
    expect(gone?.lastLines.at(-1)).toBe('ValueError: no');
    expect(JSON.stringify(gone)).not.toContain(key);
    expect(gone?.log).toEqual({ path: RUN_LOG.path, writtenAtMs: 900_000 });
  });

  it('no part of a secret that is cut in the middle or goes over several lines', () => {
    const token = `eyJhbGciOiJIUzI1NiJ9.${'eyJzdWIiOiIxMjM0NTY3ODkwIn0'.repeat(8)}.SflKxwRJSMeKKF2QT4fw`;
    const body = 'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ';
    const key = `-----BEGIN OPENSSH PRIVATE KEY-----\n${body}\n-----END OPENSSH PRIVATE KEY-----`;
    const hub = 'hf_abcdefghijklmnopqrstuvwxyzABCDEFGH';
    const { memory } = patrol(
      goneLook(`${'x '.repeat(130)}${token}\n${key}\nValueError: bad key ${hub}\n`),
    );
    const kept = JSON.stringify(memory.gone);
    expect(memory.gone[0]?.steps.some(({ because }) => because.startsWith('ValueError'))).toBe(
      true,
    );
    for (const secret of ['eyJhbGci', body, hub]) expect(kept).not.toContain(secret);
  });

  it('is until when its cards worked, where no other run held one', () => {
    const at = LOOK.atMs + 20_000;
    const untilOf = ({ memory }: ReturnType<typeof patrol>) => memory.gone[0]?.workedUntilMs;
    const working = { ...BEFORE, isGpuWorking: true };
    expect(untilOf(patrol(goneLook('x\n'), working, at))).toBe(at);
    expect(untilOf(patrol(goneLook('x\n'), working, LOOK.atMs - 1))).toBeNull();
    expect(untilOf(patrol(goneLook('x\n'), working, null))).toBeNull();
    const two = { ...working, runs: [...working.runs, { ...working.runs[0]!, pid: 99 }] };
    expect(untilOf(patrol(goneLook('x\n'), two, at))).toBeNull();
    // It held the card’s memory and did nothing: another worked there in the meantime.
    for (const isGpuWorking of [false, null]) {
      expect(untilOf(patrol(goneLook('x\n'), { ...BEFORE, isGpuWorking }, at))).toBeNull();
    }
  });
});

describe('a checkpoint is that of the run which wrote it', () => {
  const file = (path: string, modifiedAtS: number) =>
    ({ kind: 'checkpoint', path, modifiedAtS, bytes: 9 }) as const;
  const OTHER: RunInLook = { ...RUN, pid: 77, startTicks: 900, logs: [] };
  const own = (
    run: RunInLook,
    all: readonly RunInLook[],
    ...artefacts: readonly ReturnType<typeof file>[]
  ) => checkpointOf(run, writersOf(all, LOOK.atMs), { ...LOOK, artefacts })?.path ?? null;

  it('the newest below its folder since it began', () => {
    expect(own(RUN, [RUN], file('/work/a.pt', 500), file('/work/b.pt', 900))).toBe('/work/b.pt');
    // It runs since second 400.
    expect(own(RUN, [RUN], file('/work/old.pt', 399))).toBeNull();
    expect(own(RUN, [RUN], file('/elsewhere/a.pt', 900))).toBeNull();
    const ageless = { ...RUN, ageS: null };
    expect(own(ageless, [ageless], file('/work/a.pt', 900))).toBeNull();
  });

  it('of two in one folder nobody’s, unless a log names it or the other began later', () => {
    const late = { ...OTHER, ageS: 10 };
    const naming = { ...RUN, logs: [{ ...RUN_LOG, end: 'saved /work/a.pt\n' }] };
    const checkpoint = file('/work/a.pt', 900);
    expect([own(RUN, [RUN, OTHER], checkpoint), own(OTHER, [RUN, OTHER], checkpoint)]).toEqual([
      null,
      null,
    ]);
    expect(own(naming, [naming, OTHER], checkpoint)).toBe('/work/a.pt');
    expect(own(OTHER, [naming, OTHER], checkpoint)).toBeNull();
    expect(own(RUN, [RUN, late], checkpoint)).toBe('/work/a.pt');
    expect(own(late, [RUN, late], checkpoint)).toBeNull();
  });

  it('of the run in the nearest folder', () => {
    const inside = { ...OTHER, folder: '/work/b' };
    expect(own(RUN, [RUN, inside], file('/work/b/a.pt', 900))).toBeNull();
    expect(own(inside, [RUN, inside], file('/work/b/a.pt', 900))).toBe('/work/b/a.pt');
  });

  const saying = (run: RunInLook, end: string): RunInLook => ({
    ...run,
    logs: [{ ...RUN_LOG, end }],
  });

  it('of the run whose log says that it wrote it, wherever it runs', () => {
    const checkpoint = file('/work/out/a.pt', 900);
    const elsewhere = saying({ ...OTHER, folder: '/root/proj' }, 'saved /work/out/a.pt\n');
    const all = [RUN, elsewhere];
    expect([own(RUN, all, checkpoint), own(elsewhere, all, checkpoint)]).toEqual([
      null,
      checkpoint.path,
    ]);
    const below = saying(OTHER, 'saving model to ./out/a.pt\n');
    expect(own(below, [RUN, below], checkpoint)).toBe(checkpoint.path);
  });

  it('of nobody where too little is known of one that may have written it', () => {
    const checkpoint = file('/work/out/a.pt', 900);
    for (const unknown of [{ ageS: null }, { folder: null }]) {
      const other = { ...OTHER, ...unknown };
      expect(own(RUN, [RUN, other], checkpoint)).toBeNull();
      expect(own(other, [RUN, other], checkpoint)).toBeNull();
    }
    const ageless = saying({ ...OTHER, ageS: null }, 'saved /work/out/a.pt\n');
    expect(own(RUN, [RUN, ageless], checkpoint)).toBeNull();
  });

  it.each([
    ['saved 10.pt', '/work/b/0.pt'],
    ['saved /work/b/0.pt.tmp', '/work/b/0.pt'],
    ['resuming from /work/b/0.pt', '/work/b/0.pt'],
    ['loading the weights saved at /work/b/0.pt', '/work/b/0.pt'],
  ])('“%s” does not say that %s was written', (end, path) => {
    const run = saying(RUN, end);
    expect(own(run, [run, OTHER], file(path, 900))).toBeNull();
  });

  it('not of the run that ended before its successor wrote it', () => {
    const written = file('/work/a.pt', 1050);
    const successor = { ...OTHER, ageS: 40, logs: [{ ...RUN_LOG, path: '/work/b.log', inode: 8 }] };
    const gone = (next: RunInLook) =>
      patrol(goneLook('step 9\n', { runs: [next], artefacts: [written] })).memory.gone[0]
        ?.checkpoint;
    expect(gone(saying(successor, 'saved a.pt\n'))).toBeNull();
    expect(gone(successor)).toBeNull();
    expect(gone({ ...successor, ageS: 5 })?.path).toBe(written.path);
  });
});
