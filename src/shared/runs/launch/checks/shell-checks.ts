import type { CommandWords } from '../command-words.ts';
import { plainLine } from '../../../questions/hostile-text.ts';
import { firstWord } from '../job-script.ts';
import type { KnownBox } from '../known-box.ts';
import { profilePython } from '../profile-settings.ts';
import type { RunPreflight } from '../run-preflight.ts';
import type { RunRequest } from '../run-request.ts';
import { shown } from '../shell-commands.ts';
import {
  bar,
  block,
  MAX_SHOWN_CHARS,
  ownTrap,
  pass,
  unknown,
  warn,
  type Judged,
} from './judged.ts';

export function judgeTable({ hasTable }: RunPreflight): Judged {
  return hasTable
    ? pass('The box shows which of your processes run.')
    : bar('The box hides its processes (/proc), so nothing could tell whether the run lives.');
}

export function judgeShell({ shell, loginEnds }: RunPreflight): Judged {
  if (shell === null) return unknown('The box did not tell its login shell.');
  if (loginEnds) {
    return block(
      'A login file of the box (~/.bash_profile, ~/.profile or one in /etc) ends the shell, or puts another program in its place (“exec”), before anything can run. Let it do that only in a terminal: [ -t 1 ] && exec …',
      null,
      'the run ends at once, without having begun, if they do so again.',
    );
  }
  if (shell.startsWith('bash')) return pass('bash reads your login files before the run.');
  return warn(
    `The box has no bash: the run starts in ${plainLine(shell, 40)}, which reads ~/.profile only and knows no “source”.`,
  );
}

/** What such line ends come to. */
export const CRLF_ANYWAY = 'the shell takes each carriage return as part of a word.';

export function judgeLineEnds({ command, activate }: RunRequest, { script }: RunPreflight): Judged {
  if (/\r/.test(`${command}${activate ?? ''}`)) {
    return block(
      'The command has Windows line endings (CRLF): the shell would take them as part of each word.',
      'U26',
      CRLF_ANYWAY,
    );
  }
  switch (script) {
    case 'returns':
      return block(
        "The script that the command runs has Windows line endings (CRLF). Convert it first: sed -i 's/\\r$//' <script>",
        'U26',
        CRLF_ANYWAY,
      );
    case 'missing':
      return warn('The script that the command runs was not found from the working folder.');
    case 'plain':
      return pass('The command and the script that it runs have Unix line endings.');
    case null:
      return pass('The command has Unix line endings.');
  }
}

export function judgeActivate({ activate }: RunRequest, look: RunPreflight): Judged | null {
  if (activate === null) return null;
  const told = plainLine(activate, MAX_SHOWN_CHARS);
  if (look.activate === 'passed') return pass(`“${told}” worked in the login shell.`);
  if (look.activate === 'failed') {
    return block(
      `“${told}” failed in the login shell of the box.`,
      null,
      'the run ends at once if it fails again.',
    );
  }
  if (look.isLate) return unknown(`“${told}” did not finish in time.`);
  const why = look.folder === 'missing' ? ': the folder that it runs in is not there yet' : '';
  return unknown(`“${told}” could not be tried${why}.`);
}

export function judgeProgram(
  { command }: RunRequest,
  { found, folder, activate, isLate }: RunPreflight,
  known: Pick<KnownBox, 'profile' | 'traps'>,
): Judged {
  const word = firstWord(command);
  if (word === null) {
    return unknown('The command begins with shell code: which program it runs is not known.');
  }
  if (found === null) {
    const why = isLate
      ? 'the login shell did not answer in time'
      : activate === 'failed'
        ? 'the environment could not be activated'
        : folder === 'missing'
          ? 'the folder that it runs in is not there yet'
          : 'the login shell did not answer';
    return unknown(`${word} was not looked for: ${why}.`);
  }
  if (found !== '') return pass(`${word} is ${plainLine(found, MAX_SHOWN_CHARS)}.`);
  const python = profilePython(known.profile?.overrides.extra?.['PY']);
  const way =
    python !== null && /^python[\d.]*$/.test(word)
      ? `On ${known.profile?.name ?? 'this platform'} it is ${python}: use that.`
      : 'Activate the environment that has it, or use its full path.';
  // The entry is true of that platform alone.
  return block(
    `${word} is not found in the login shell of the box. ${way}`,
    word === 'python3' ? ownTrap(known, 'AD6') : null,
    'the run ends at once if it is still not found.',
  );
}

/** Set by job.sh; only the person's own environment can take it back. */
export function judgeUnbuffered({ env }: RunRequest): Judged {
  return env['PYTHONUNBUFFERED'] === ''
    ? warn(
        'Your environment sets PYTHONUNBUFFERED to nothing: what Python prints reaches the log late.',
        'U43',
      )
    : pass('The run sets PYTHONUNBUFFERED=1: what Python prints is in the log at once.', 'U43');
}

/** Since Slurm 22.05 a step takes the CPUs of its job only where it is told so. */
export function judgeSrun(
  { env }: Pick<RunRequest, 'env'>,
  { isSet }: Pick<RunPreflight, 'isSet'>,
  { srun }: Pick<CommandWords, 'srun'>,
): Judged | null {
  if (srun === null) return null;
  if (srun === 'told') return pass('srun is told how many CPUs its step gets.', 'SLURM3');
  if ('SRUN_CPUS_PER_TASK' in env || isSet?.has('SRUN_CPUS_PER_TASK') === true) {
    return pass('SRUN_CPUS_PER_TASK says how many CPUs a step of srun gets.', 'SLURM3');
  }
  const advice = 'Add --cpus-per-task to it, or SRUN_CPUS_PER_TASK to the environment.';
  return isSet === null
    ? unknown(`Whether SRUN_CPUS_PER_TASK is set is not known. ${advice}`, 'SLURM3')
    : warn(
        `From Slurm 22.05 on, srun does not take the CPUs of its job along, and the step may get a single one. ${advice}`,
        'SLURM3',
      );
}

/** Of several commands the last one says whether the run went well. A text of success says it too, unless the command itself prints it. */
export function judgeUnheard(
  { successLine }: Pick<RunRequest, 'successLine'>,
  { unheard }: Pick<CommandWords, 'unheard'>,
): Judged | null {
  if (unheard === null) return null;
  const { said, why, command } = unheard;
  if (successLine !== null && !command.includes(successLine)) return null;
  return warn(
    why === 'piped'
      ? `If ${shown(said)} fails, nobody hears of it behind “| tee”, and the run is called done. Put “set -o pipefail” in front.`
      : `If ${shown(said)} fails, the run goes on, and is called done if what follows works. Put “set -e” in front, or “&&” between them.`,
  );
}
