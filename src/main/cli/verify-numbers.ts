import { basename, join, sep } from 'node:path';
import { rereadWords } from '../../shared/evidence/reread-words.ts';
import { isShortNumber, type RereadNumber } from '../../shared/evidence/reread.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { compareFigures, isFigure } from '../../shared/verify/numbers/compare-figures.ts';
import { keyText, parseKey, type NumberKey } from '../../shared/verify/numbers/number-key.ts';
import { readNumbers } from '../workers/read-numbers.ts';

/** What `--number` asks for. */
export interface AskedNumber {
  readonly path: string;
  readonly key: NumberKey;
  readonly figure: string | null;
}

/** `FILE:KEY=VALUE`, or `FILE:KEY` alone. The file is one of those that are verified; a sentence: why it is no such thing. */
export function parseAsked(text: string, paths: readonly string[]): Result<AskedNumber, string> {
  // A name may have a colon in it.
  const path = paths
    .filter((each) => text.startsWith(`${slashed(each)}:`))
    .sort((one, other) => other.length - one.length)[0];
  if (path === undefined)
    return err(`--number ${text}: none of these files is named before a colon.`);
  const rest = text.slice(slashed(path).length + 1);
  // A name in quotes may have an equals sign in it, and a figure has no quotes.
  const equals = rest.lastIndexOf('=');
  const hasFigure = equals > rest.lastIndexOf('"');
  const key = parseKey(hasFigure ? rest.slice(0, equals) : rest);
  if (!key.ok) return err(`--number ${text}: ${key.error}`);
  const figure = hasFigure ? rest.slice(equals + 1) : null;
  if (figure === null || isFigure(figure)) return ok({ path, key: key.value, figure });
  return err(`--number ${text}: “${figure}” is no number.`);
}

const slashed = (path: string): string => path.split(sep).join('/');

interface VerifiedFile {
  readonly level: string;
  readonly sha256: string | null;
}

/** Reads it again, from the bytes that were just verified. */
export async function rereadAsked(
  root: string,
  { path, key, figure }: AskedNumber,
  file: VerifiedFile | undefined,
): Promise<RereadNumber> {
  const not = (says: string): RereadNumber => ({
    ...{ path, key, name: null, figure, literal: null, sha256: null, verdict: null, says },
  });
  if (file?.level !== 'loaded') return not('the file was not loaded');
  const asked = { path: join(root, path), name: basename(path), keys: [key] };
  const { sha256, because, found } = await readNumbers(asked, () => undefined);
  if (sha256 !== file.sha256) return not('the file was written to meanwhile');
  const [number] = found;
  if (because !== null || number === undefined) return not(because ?? 'nothing was found');
  if (number.kind === 'not-found') return not(number.because);
  const { literal } = number;
  const verdict = figure === null ? null : compareFigures(figure, literal);
  return { path, key, name: null, figure, literal, sha256, verdict, says: null };
}

export const numberRow = (number: RereadNumber): readonly (string | null)[] => [
  `${number.path}:${keyText(number.key)}`,
  number.literal,
  number.figure,
  rereadWords(number),
];

export const shortNumbers = (numbers: readonly RereadNumber[]): number =>
  numbers.filter(isShortNumber).length;
