import { plainLine } from '../../../questions/hostile-text.ts';
import { activeCells, type QueueCell } from '../../queue/queue-cell.ts';
import type { CommandWords } from '../command-words.ts';
import type { PreflightCheck } from '../launch-plan.ts';
import type { RunPreflight, ScriptLook } from '../run-preflight.ts';
import { block, listWords, unknown, warn, type Judged } from './judged.ts';
import { CRLF_ANYWAY } from './shell-checks.ts';

/** Of a queue: what its cells have in common, and should not, and what they start. */
export function judgeCells(
  cells: readonly QueueCell[],
  look: Pick<RunPreflight, 'programs' | 'cellScripts'>,
  { programs, pythons }: Pick<CommandWords, 'programs' | 'pythons'>,
): readonly PreflightCheck[] {
  const checks = [
    [
      'epochs',
      'Epochs of the cells',
      judgeEpochs(activeCells(cells).map(({ cell }) => cell.command)),
    ],
    ['cell-programs', 'Programs of the cells', judgeCellPrograms(look, programs)],
    ['cell-pythons', 'Python of the cells', judgeCellPythons(pythons)],
    ['cell-scripts', 'Scripts of the cells', judgeCellScripts(look)],
  ] as const;
  return checks.flatMap(([id, title, judged]) =>
    judged === null ? [] : [{ id, title, ...judged }],
  );
}

function judgeCellScripts({
  cellScripts: looks,
}: Pick<RunPreflight, 'cellScripts'>): Judged | null {
  const which = (wanted: ScriptLook): readonly string[] =>
    [...looks].flatMap(([name, look]) => (look === wanted ? [plainLine(name, 80)] : []));
  const returns = which('returns');
  if (returns.length > 0) {
    return block(
      `${listWords(returns)} ${returns.length === 1 ? 'has' : 'have'} Windows line endings (CRLF). Convert ${returns.length === 1 ? 'it' : 'them'} first: sed -i 's/\\r$//' <script>`,
      'U26',
      CRLF_ANYWAY,
    );
  }
  const missing = which('missing');
  return missing.length === 0
    ? null
    : warn(
        `${listWords(missing)}, which further cells run, ${missing.length === 1 ? 'was' : 'were'} not found from the working folder.`,
      );
}

/** What was not asked or not told may be there. */
function judgeCellPrograms(
  { programs }: Pick<RunPreflight, 'programs'>,
  wanted: readonly string[],
): Judged | null {
  const missing = wanted.filter((name) => programs.get(name) === false);
  if (missing.length === 0) return null;
  return block(
    `Further cells begin with ${listWords(missing)}, not found in the login shell of the box. Activate the environment that has ${missing.length === 1 ? 'it' : 'them'}, or use full paths.`,
    null,
    'each of these cells ends at once if its program is still not found.',
  );
}

/** What torch sees is asked of one Python: each takes its seconds to import it. */
function judgeCellPythons([asked, ...others]: readonly string[]): Judged | null {
  if (asked === undefined || others.length === 0) return null;
  return unknown(
    `Only ${plainLine(asked, 80)} was asked for torch and CUDA. Further cells run ${listWords(others.map((each) => plainLine(each, 80)))}.`,
  );
}

/** One number of epochs for tasks that each have a config of their own: such a number replaces what the configs say (U32). */
function judgeEpochs(commands: readonly string[]): Judged | null {
  const only = epochsOf(commands[0] ?? '');
  // Of ten thousand cells few sweeps get further.
  if (only === null || commands.some((command) => epochsOf(command) !== only)) return null;
  const configs = new Set(commands.flatMap((command) => configOf(command) ?? []));
  if (configs.size < 2) return null;
  const named = listWords([...configs].map((config) => plainLine(config, 80)));
  return warn(
    `Every cell trains for ${only} epochs, and each has a config of its own (${named}): what these say of epochs is replaced. Give each cell its own number if they differ.`,
    'U32',
  );
}

const MAX_CHARS = 20_000;

/** As trainers take it: `--epochs 10`, `--max_epochs=10`, `trainer.max_epochs=10`. */
const epochsOf = (command: string): string | null =>
  /(?:^|[\s.-])(?:max_|num_|max-|num-)?(?:train_)?epochs[= ](\d{1,6})(?=\s|$)/.exec(
    command.slice(0, MAX_CHARS),
  )?.[1] ?? null;

const configOf = (command: string): string | null =>
  /(?:^|[\s=])([^\s=]{1,200}\.(?:ya?ml|json|toml))(?=\s|$)/.exec(
    command.slice(0, MAX_CHARS),
  )?.[1] ?? null;
