import { tellFindings } from '../../shared/detectors/alert-words.ts';
import { BoxDetectors } from '../../shared/detectors/box-detectors.ts';
import { clockEntries } from '../../shared/clocks/clock-entries.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import type { Profiles } from '../../shared/profiles/loaded.ts';
import { watchedOn } from '../../shared/profiles/places.ts';
import type { Result } from '../../shared/result.ts';
import type { KnownBox } from '../../shared/runs/launch/known-box.ts';
import type { CheckAnswer, PreflightCheck } from '../../shared/runs/launch/launch-plan.ts';
import type { WantedRun } from '../../shared/runs/request/wanted-run.ts';
import { NO_GPU_FACTS } from '../../shared/telemetry/gpu-facts.ts';
import { runningCharges } from '../meter/running-charges.ts';
import { knownResults } from '../runs/known-box.ts';
import { makePlan } from '../runs/make-plan.ts';
import type { PlannedLaunch } from '../runs/plan-of.ts';
import { readRehearsals } from '../runs/request/rehearsals.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { lookAtFacts } from '../telemetry/facts-probe.ts';
import { CodePusher } from '../transfer/code-pusher.ts';
import { readMeasured } from '../transfer/measured-pushes.ts';
import { problemOf } from '../telemetry/stream-end.ts';
import type { CommandContext } from './command.ts';
import { catalogFor } from './gotchas-common.ts';
import { overItsLink, type NamedBox } from './named-box.ts';
import { maxAgeFor, profilesFor, tellFaults } from './profiles-common.ts';
import { keptClocks } from './recovery.ts';

/** The plan that the window would show, from one look at the box and what is kept on this machine. Changes nothing. */
export function planFor(
  named: NamedBox,
  { request, queue }: WantedRun,
): Promise<Result<PlannedLaunch, Problem>> {
  const { scripts, hashes } = named;
  const pushes = new CodePusher(scripts, hashes);
  return planOn(named, (connection, known) =>
    makePlan(connection, { scripts, pushes, request, queue, known }),
  );
}

/** Reaches the box, reads its GPUs once, and hands over what is known of it by then. */
export async function planOn<T>(
  named: NamedBox,
  act: (connection: SshConnection, known: KnownBox) => Promise<Result<T, Problem>>,
): Promise<Result<T, Problem>> {
  return planWith(named, await toldProfiles(named.context), act);
}

/** The facts of the platforms, once what is wrong with them is told. */
export async function toldProfiles(context: CommandContext): Promise<Profiles> {
  const profiles = await profilesFor(context);
  await tellFaults(profiles, context);
  return profiles;
}

/** The same as `planOn`, where several boxes are asked. */
export async function planWith<T>(
  named: NamedBox,
  profiles: Profiles,
  act: (connection: SshConnection, known: KnownBox) => Promise<Result<T, Problem>>,
): Promise<Result<T, Problem>> {
  const { box, database, context } = named;
  const known = new Map(profiles.all.map(({ profile }) => [profile.id, profile]));
  const profile = known.get(box.platform) ?? null;
  const { accelerators, traps } = watchedOn(box.platform, [...known.values()]);
  const maxAgeMonths = await maxAgeFor(context);
  const rehearsals = readRehearsals(database.entries);
  const pushes = readMeasured(database.entries, box.id);
  return overItsLink(named, async (connection) => {
    const gpus = await judgeGpus(await readGpus(connection, named), named);
    const around = { database, profiles: known, maxAgeMonths, atMs: gpus.nowMs };
    return act(connection, {
      ...gpus,
      platform: box.platform,
      profile,
      accelerators,
      traps,
      idleStopAtMs: idleStopOf(named),
      clocks: keptClocks(box, around).clocks,
      rehearsals: rehearsals.ok ? rehearsals.value : [],
      // Nothing has asked for them here: a plan of the command line tells no times of earlier runs.
      runs: [],
      results: knownResults(box.id, database),
      pushes: pushes.ok ? pushes.value : null,
      charges: runningCharges(database.entries, box.id, profile),
    });
  });
}

/** The worst first, as the window has it. */
const WORST_FIRST: readonly CheckAnswer[] = ['block', 'warn', 'unknown', 'pass'];
const WORDS: Readonly<Record<CheckAnswer, string>> = {
  block: 'blocks ',
  warn: 'warning',
  unknown: 'unknown',
  pass: 'passed ',
};

/** One look of the slow probe; what goes wrong with it is an answer, too. */
async function readGpus(
  connection: SshConnection,
  { scripts }: Pick<NamedBox, 'scripts'>,
): Promise<ReadGpus> {
  const looked = await lookAtFacts(connection, scripts, {
    refused: [],
    isFirst: true,
    isSuspect: true,
    signal: new AbortController().signal,
  });
  if (!looked.ok) return { gpus: NO_GPU_FACTS, gpuProblem: looked.error };
  const { atMs, facts, failures, tools } = looked.value;
  const [failure] = failures;
  const isNone = facts.gpus.length === 0 && tools.length === 0;
  return {
    gpus: { facts: { ...facts, atMs, cpu: null }, problem: null },
    gpuProblem:
      failure !== undefined
        ? problemOf(failure)
        : isNone
          ? problem('gpu-tool-failed', 'The box has no tool that tells of a GPU (nvidia-smi).')
          : null,
  };
}

type ReadGpus = Pick<KnownBox, 'gpus' | 'gpuProblem'>;

/** What one look can find: the rules that want to see something last say nothing. */
async function judgeGpus(
  read: ReadGpus,
  { context }: NamedBox,
): Promise<ReadGpus & Pick<KnownBox, 'findings' | 'nowMs'>> {
  const nowMs = Date.now();
  const detectors = new BoxDetectors();
  detectors.useTelemetry({ kind: 'starting', sinceMs: nowMs });
  detectors.useFacts(read.gpus);
  detectors.judge(nowMs);
  const { findings } = tellFindings(detectors.findings, await catalogFor(context));
  return { ...read, findings, nowMs };
}

/** As the window keeps what the person entered. */
function idleStopOf({ box, database }: NamedBox): number | null {
  const read = database.entries.read(box.id, 'clocks', clockEntries);
  return read.ok ? (read.value?.times['idle-stop'] ?? null) : null;
}

/** One line of sums, then each check, the worst first. */
export function checkLines(box: string, checks: readonly PreflightCheck[]): readonly string[] {
  const count = (answer: CheckAnswer): number =>
    checks.filter((check) => check.answer === answer).length;
  const sums = WORST_FIRST.filter((answer) => count(answer) > 0).map(
    (answer) => `${String(count(answer))} ${WORDS[answer].trim()}`,
  );
  return [
    `${box} · ${sums.join(' · ')}`,
    ...WORST_FIRST.flatMap((answer) =>
      checks
        .filter((check) => check.answer === answer)
        .flatMap(({ id, title, says, gotcha, anyway }) => [
          `  ${WORDS[answer]}  ${title}: ${says}${gotcha === null ? '' : ` (${gotcha})`}`,
          ...(id === 'rehearsal' && answer === 'block'
            ? ['            Run it: cli -- request rehearse <file>']
            : []),
          ...(anyway === null ? [] : [`            Launch over “${id}”: ${anyway}`]),
        ]),
    ),
  ];
}
