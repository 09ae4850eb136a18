import { plainLine } from '../../../questions/hostile-text.ts';
import { holdsSecret, redactText } from '../../../secrets/redact-text.ts';
import { holdsSignedAddress } from '../../../secrets/signed-address.ts';
import type { QueueCell } from '../../queue/queue-cell.ts';
import type { PreflightCheck } from '../launch-plan.ts';
import type { RunRequest } from '../run-request.ts';
import { commandsIn } from '../shell-commands.ts';
import { downloads } from './fetch-checks.ts';
import { block, listWords, warn, type Judged } from './judged.ts';

/** A key that stands in the request itself would stand in job.sh, in the list of processes, and wherever the file goes (U34). */
export function judgeKeys(request: RunRequest, nowMs: number): Judged | null {
  const {
    name: called,
    command,
    activate,
    smoke,
    rehearsal,
    env,
    fetch = [],
    secrets = [],
  } = request;
  const parts: readonly (readonly [name: string, text: string])[] = [
    ['The name', called],
    ['The command', command],
    ['“activate”', activate ?? ''],
    ['“smoke”', smoke ?? ''],
    ['“rehearsal”', rehearsal ?? ''],
    ...Object.entries(env).map(([name, text]) => [name, `${name}=${text}`] as const),
    ...fetch.map(({ into, run }) => [`The download into ${plainLine(into, 80)}`, run] as const),
  ];
  const open = parts.filter(([, text]) => holdsSecret(text, nowMs)).map(([name]) => name);
  if (open.length > 0) return blockKeys(open);
  const shown = secrets.filter((name) =>
    fetch.some(({ run }) =>
      commandsIn(run).some(({ said }) => downloads(said) && isWritten(said, name)),
    ),
  );
  const signed = parts.filter(([, text]) => holdsSignedAddress(text, nowMs)).map(([name]) => name);
  const warnings = [
    ...(shown.length === 0
      ? []
      : [
          `Whoever lists the processes of the box reads ${listWords(shown)} in the words of a download. Let its program read it by itself: from its variable, as hf and aws do, or from ~/.netrc, as wget and curl do.`,
        ]),
    ...(signed.length === 0
      ? []
      : [
          `${listWords(signed)} ${signed.length === 1 ? 'has' : 'have'} a signed address: until it expires, whoever reads that on the box can use it.`,
        ]),
  ];
  return warnings.length === 0 ? null : warn(warnings.join(' '), 'U34');
}

/** The same of every cell of a queue, also one that is left out: all of them are written into the run folder. */
export function judgeCellKeys(holding: readonly QueueCell[]): readonly PreflightCheck[] {
  if (holding.length === 0) return [];
  return [{ id: CELL_KEYS, title: 'Keys in the cells', ...blockKeys(cellNames('Cell', holding)) }];
}

/** The name of that check, under which a person goes over it. */
export const CELL_KEYS = 'cell-keys';

/** What is said where such cells are added to a queue. */
export const keysAdded = (holding: readonly QueueCell[]): string =>
  holdWords(cellNames('cell', holding));

/** The first of them behind that word, in one or more. */
function cellNames(word: string, holding: readonly QueueCell[]): readonly string[] {
  const [first = '', ...others] = holding.map(({ name }) => `“${plainLine(redactText(name), 80)}”`);
  return [`${word}${others.length === 0 ? '' : 's'} ${first}`, ...others];
}

export const holdsKey = ({ name, command }: QueueCell, nowMs: number): boolean =>
  holdsSecret(command, nowMs) || holdsSecret(name, nowMs);

const holdWords = (open: readonly string[]): string =>
  `${listWords(open)} ${open.length === 1 ? 'holds' : 'hold'} what looks like a key.`;

/** What becomes of such a key. */
export const KEYS_ANYWAY =
  'the key stands in the run folder, for whoever reads that or lists the processes of the box.';

const blockKeys = (open: readonly string[]): Judged =>
  block(
    `${holdWords(open)} Put it on the box with “Send a secret…”, and name it under “secrets”.`,
    'U34',
    KEYS_ANYWAY,
  );

/** Whether the shell puts the value of this variable into the words of a command; not so between single quotes. */
const isWritten = (command: string, name: string): boolean =>
  new RegExp(String.raw`\$(?:${name}(?!\w)|\{${name}\W)`).test(command.replace(/'[^']*'/g, ''));
