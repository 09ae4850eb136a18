import { plainLine } from '../../../questions/hostile-text.ts';
import { activeCells, type QueueCell } from '../../queue/queue-cell.ts';
import type { PreflightCheck } from '../launch-plan.ts';
import { listWords, warn, type Judged } from './judged.ts';

/** Of a queue: what its cells have in common, and should not. */
export function judgeCells(cells: readonly QueueCell[]): readonly PreflightCheck[] {
  const judged = judgeEpochs(activeCells(cells).map(({ cell }) => cell.command));
  return judged === null ? [] : [{ id: 'epochs', title: 'Epochs of the cells', ...judged }];
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
