import { LOCAL_TYPES, SYSTEM_FOLDERS } from '../../shared/mounts/select-mounts.ts';
import { judgeLook } from '../../shared/patrol/judge-look.ts';
import {
  judgeVanished,
  type LookBefore,
  type MissingRun,
} from '../../shared/patrol/judge-vanished.ts';
import { kernelSince } from '../../shared/patrol/kernel-since.ts';
import type { LookBeside } from '../../shared/patrol/look-detector.ts';
import type { Judged, PatrolMemory } from '../../shared/patrol/patrol-memory.ts';
import type { PatrolLook, RunInLook } from '../../shared/patrol/patrol-look.ts';
import { readPatrol } from '../../shared/patrol/read-patrol.ts';
import type { Problem } from '../../shared/problem.ts';
import { readLogEnding } from '../../shared/triage/log-endings.ts';
import { plainLine } from '../../shared/questions/hostile-text.ts';
import { ok, type Result } from '../../shared/result.ts';
import { newMark, type OnboxScripts } from '../onbox/onbox-scripts.ts';
import { describeEnd } from '../ssh/exit-status.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { nextTurn } from '../streams/in-turns.ts';

/** A box whose disks do not answer takes some seconds; the script asks none of them twice. */
const LOOK_TIMEOUT_MS = 60_000;

export interface TickLimits {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface Tick extends Judged {
  readonly took: { readonly ms: number; readonly bytes: number };
}

/** One combined, read-only look at a box, compared with what the one before had seen. */
export async function tick(
  connection: SshConnection,
  scripts: OnboxScripts,
  before: PatrolMemory | null,
  beside: LookBeside,
  { timeoutMs = LOOK_TIMEOUT_MS, signal }: TickLimits = {},
): Promise<Result<Tick, Problem>> {
  const runsBefore = before?.runs ?? [];
  const logs = known(runsBefore.flatMap((run) => run.logs.map(({ path }) => path)));
  const mark = newMark();
  const askedAtMs = Date.now();
  const beganMs = performance.now();
  const ran = await scripts.run(
    connection,
    'patrol.sh',
    {
      LEASEHOLD_MARK: mark,
      LEASEHOLD_LOGS: logs.join('\t'),
      LEASEHOLD_FOLDERS: known(runsBefore.map(({ folder }) => folder ?? '')).join('\t'),
      LEASEHOLD_LOOKS: beside.looks.join(' '),
      LEASEHOLD_SNAPSHOTS: beside.places.snapshots.join('\t'),
      LEASEHOLD_ACCELERATORS: beside.accelerators.join(' '),
      LEASEHOLD_SYSTEM_FOLDERS: SYSTEM_FOLDERS.join(' '),
      LEASEHOLD_LOCAL_TYPES: [...LOCAL_TYPES].join(' '),
      LEASEHOLD_KERNEL_AFTER: `${before?.machine.bootId ?? ''} ${String(before?.kernelToS ?? '')}`,
    },
    timeoutMs,
    signal,
  );
  if (!ran.ok) return ran;
  const { stdout, stderr, end } = ran.value;
  const took = { ms: performance.now() - beganMs, bytes: Buffer.byteLength(stdout) };
  const clock = { askedAtMs, answeredAtMs: Date.now() };
  const ending = [describeEnd(end), plainLine(stderr.trimEnd().split('\n').at(-1) ?? '', 200)];
  // What came last was a turn of its own.
  await nextTurn();
  const look = readPatrol(
    stdout,
    mark,
    logs,
    clock,
    ending.filter((part) => part !== '').join(': '),
  );
  await readEndings(look);
  const kernel = kernelSince(look, before);
  const asked =
    before === null
      ? []
      : runsBefore.map((run): MissingRun => ({
          run,
          judgement: judgeVanished(run, asLook(before), look, kernel),
        }));
  const isAlive = ({ judgement }: MissingRun): boolean => judgement.kind === 'running';
  const missing = asked.filter((each) => !isAlive(each));
  return ok({
    look,
    before,
    alive: asked.filter(isAlive).map(({ run }) => older(run, before, look)),
    missing,
    isGpuWorking: beside.isGpuWorking,
    judged: judgeLook(look, before, { ...beside, missing }),
    took,
  });
}

/** Many rules ask how the end of a log reads, which is some milliseconds for each that is new: one a turn, and the rules are told what was read. */
async function readEndings({ runs, knownLogs }: PatrolLook): Promise<void> {
  const logs = [...runs.flatMap((run) => run.logs), ...knownLogs.values()];
  for (const end of new Set(logs.flatMap((log) => log.end ?? []))) {
    await nextTurn();
    readLogEnding(end);
  }
  await nextTurn();
}

/** A name with a control character was told with "?" in its place: asked for, it would be another one. */
function known(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].filter((path) => path.startsWith('/') && !path.includes('?'));
}

/** A run that the box did not tell of again is as much older as its machine. */
function older(run: RunInLook, before: PatrolMemory | null, look: PatrolLook): RunInLook {
  const [was, is] = [before?.machine.uptimeS ?? null, look.machine.uptimeS];
  const ageS = run.ageS === null || was === null || is === null ? null : run.ageS + is - was;
  return { ...run, ageS };
}

function asLook({ atMs, machine, runs, gone, oomKills, hostOomKills }: PatrolMemory): LookBefore {
  return {
    runs,
    gone,
    atMs,
    machine: { ...machine, isContainer: machine.isContainer === true || null },
    memory: { oomKills, hostOomKills },
  };
}
