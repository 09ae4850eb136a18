import { LOCAL_TYPES } from '../../shared/mounts/select-mounts.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { copyFolder } from '../../shared/runs/launch/copy-plan.ts';
import { commandWords, type CommandWords } from '../../shared/runs/launch/command-words.ts';
import { fetchPrograms } from '../../shared/runs/launch/checks/fetch-checks.ts';
import { exportsOf, firstWord, scriptOf } from '../../shared/runs/launch/job-script.ts';
import type { KnownBox } from '../../shared/runs/launch/known-box.ts';
import { namedFolders } from '../../shared/runs/launch/named-folders.ts';
import { profileSettings } from '../../shared/runs/launch/profile-settings.ts';
import { readRunPreflight } from '../../shared/runs/launch/read-run-preflight.ts';
import type { RunPreflight } from '../../shared/runs/launch/run-preflight.ts';
import type { RunRequest } from '../../shared/runs/launch/run-request.ts';
import { choosesTracker, isOffline, routesOf } from '../../shared/runs/launch/routes.ts';
import { doAtOnce } from '../../shared/steps.ts';
import { newMark, type OnboxScripts } from '../onbox/onbox-scripts.ts';
import { keepsSettings } from './settled-settings.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { doInTurns } from '../streams/in-turns.ts';

interface AskedOf extends Pick<KnownBox, 'profile' | 'accelerators'> {
  /** Whether a line of the crontab is to start it again. */
  readonly startsAgain?: boolean;
  /** Of the cells that run, where the command of the request stands for them; absent: there are none. */
  readonly commands?: readonly string[];
  /** What they have in them; absent: that is looked for here. */
  readonly words?: CommandWords;
}

/** Programs, and scripts, of cells that are looked for beside the first one's. */
const MAX_OF_CELLS = 20;

/** Asks a box what a launch has to know. Changes nothing there. */
export async function askBox(
  connection: SshConnection,
  scripts: OnboxScripts,
  request: RunRequest,
  {
    profile,
    accelerators,
    startsAgain = false,
    commands = [request.command],
    words = doAtOnce(commandWords(commands)),
  }: AskedOf,
): Promise<Result<RunPreflight, Problem>> {
  const mark = newMark();
  const { folder, results, activate, command, env, copy, fetch = [], secrets = [] } = request;
  const settings = profileSettings(request, profile)?.used ?? [];
  const probes = settings.flatMap(({ probe }) => (probe === null ? [] : [probe]));
  const hasTracker = request.tracker === 'wandb' && !isOffline(request);
  const said = [command, request.smoke, ...commands];
  const isElsewhere = choosesTracker(said);
  const isSettled = hasTracker && !isElsewhere && (await keepsSettings(request, said));
  // What a push brings is looked at here.
  const ofCells = request.push === undefined ? words.scripts.slice(0, MAX_OF_CELLS) : [];
  const named = await doInTurns(namedFolders(request, commands));
  const programs = new Set([...fetchPrograms(request), ...words.programs.slice(0, MAX_OF_CELLS)]);
  const askedAtMs = Date.now();
  const ran = await scripts.run(connection, 'run-preflight.sh', {
    LEASEHOLD_MARK: mark,
    LEASEHOLD_FOLDER: folder,
    LEASEHOLD_RESULTS: results ?? '',
    LEASEHOLD_COPY: copy === undefined ? '' : (copyFolder(copy, profile) ?? ''),
    LEASEHOLD_DATA: fetch[0]?.into ?? '',
    LEASEHOLD_ACTIVATE: activate ?? '',
    LEASEHOLD_WORD: firstWord(command) ?? '',
    LEASEHOLD_SCRIPT: scriptOf(command) ?? '',
    LEASEHOLD_SCRIPTS: ofCells.join('\t'),
    LEASEHOLD_PROGRAMS: [...programs].join(' '),
    LEASEHOLD_EXPORTS: [...probes, ...exportsOf(env)].join('; '),
    LEASEHOLD_PYTHON: words.pythons[0] ?? '',
    LEASEHOLD_SECRETS: secrets.join(' '),
    LEASEHOLD_TRACKER: hasTracker && !isElsewhere ? 'wandb' : '',
    LEASEHOLD_NAMED: named.join('\t'),
    LEASEHOLD_ROUTES: routesOf(request).join(' '),
    LEASEHOLD_ACCELERATORS: accelerators.join(' '),
    LEASEHOLD_LOOKS: profile?.looks.join(' ') ?? '',
    LEASEHOLD_WRITES: request.push === undefined ? '' : 'yes',
    LEASEHOLD_SETTLED: isSettled ? 'yes' : '',
    LEASEHOLD_REBOOT: startsAgain ? 'yes' : '',
    LEASEHOLD_LOCAL_TYPES: [...LOCAL_TYPES].join(' '),
  });
  if (!ran.ok) return ran;
  const between = { fromMs: askedAtMs, toMs: Date.now() };
  const look = readRunPreflight(ran.value.stdout, mark, between, { named, scripts: ofCells });
  if (look !== null) {
    return ok(
      hasTracker && isElsewhere ? { ...look, trackerKey: { kind: 'unasked', host: '' } } : look,
    );
  }
  return err(problem('runs-not-read', 'The box did not answer all that a launch has to know.'));
}
