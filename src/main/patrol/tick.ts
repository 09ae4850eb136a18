import { LOCAL_TYPES, SYSTEM_FOLDERS } from '../../shared/mounts/select-mounts.ts';
import { judgeLook } from '../../shared/patrol/judge-look.ts';
import {
  judgeVanished,
  type LookBefore,
  type MissingRun,
} from '../../shared/patrol/judge-vanished.ts';
import { kernelSince } from '../../shared/patrol/kernel-since.ts';
import type { LookContext, LookJudgement } from '../../shared/patrol/look-detector.ts';
import type { PatrolLook } from '../../shared/patrol/patrol-look.ts';
import { rememberLook, type PatrolMemory } from '../../shared/patrol/patrol-memory.ts';
import { readPatrol } from '../../shared/patrol/read-patrol.ts';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import { newMark, type OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';

/** A box whose disks do not answer takes some seconds; the script asks none of them twice. */
const LOOK_TIMEOUT_MS = 60_000;

export interface Tick {
  readonly look: PatrolLook;
  /** What became of the runs that were seen before and are not seen now. */
  readonly missing: readonly MissingRun[];
  /** What each rule says of it: found, clear, or why nobody can tell. */
  readonly judged: readonly LookJudgement[];
  readonly memory: PatrolMemory;
}

/** One combined, read-only look at a box, compared with what the one before had seen. */
export async function tick(
  connection: SshConnection,
  scripts: OnboxScripts,
  before: PatrolMemory | null,
  context: Omit<LookContext, 'missing'>,
): Promise<Result<Tick, Problem>> {
  const runsBefore = before?.runs ?? [];
  const logs = known(runsBefore.flatMap((run) => run.logs.map(({ path }) => path)));
  const mark = newMark();
  const askedAtMs = Date.now();
  const ran = await scripts.run(
    connection,
    'patrol.sh',
    {
      LEASEHOLD_MARK: mark,
      LEASEHOLD_LOGS: logs.join('\t'),
      LEASEHOLD_FOLDERS: known(runsBefore.map(({ folder }) => folder ?? '')).join('\t'),
      LEASEHOLD_SYSTEM_FOLDERS: SYSTEM_FOLDERS.join(' '),
      LEASEHOLD_LOCAL_TYPES: [...LOCAL_TYPES].join(' '),
      LEASEHOLD_KERNEL_AFTER: `${before?.machine.bootId ?? ''} ${String(before?.kernelToS ?? '')}`,
    },
    LOOK_TIMEOUT_MS,
  );
  if (!ran.ok) return ran;
  const look = readPatrol(ran.value.stdout, mark, logs, { askedAtMs, answeredAtMs: Date.now() });
  const kernel = kernelSince(look, before);
  const asked = runsBefore.map((run): MissingRun => ({
    run,
    judgement:
      before === null ? { kind: 'running' } : judgeVanished(run, asLook(before), look, kernel),
  }));
  const isAlive = ({ judgement }: MissingRun): boolean => judgement.kind === 'running';
  const missing = asked.filter((each) => !isAlive(each));
  const judged = judgeLook(look, before, { ...context, missing });
  return ok({
    look,
    missing,
    judged,
    memory: rememberLook(
      look,
      before,
      asked.filter(isAlive).map(({ run }) => run),
      judged,
    ),
  });
}

/** A name with a control character was told with "?" in its place: asked for, it would be another one. */
function known(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].filter((path) => path.startsWith('/') && !path.includes('?'));
}

function asLook({ atMs, machine, oomKills, hostOomKills }: PatrolMemory): LookBefore {
  return {
    atMs,
    machine: { ...machine, isContainer: machine.isContainer === true || null },
    memory: { oomKills, hostOomKills },
  };
}
