import { err, ok, type Result } from '../../result.ts';

/** Where a number stands in a file of figures. */
export interface NumberKey {
  /** From the outside in: names and places in lists. Of a table or a curve one: the column, the tag. Hostile. */
  readonly parts: readonly (string | number)[];
  /** Null: the file holds it once. */
  readonly row: NumberRow | null;
}

/** Which of the values that stand one below the other. */
export type NumberRow =
  | { readonly kind: 'last' | 'lowest' | 'highest' }
  /** The last one that the file gives for this step. */
  | { readonly kind: 'step'; readonly step: number };

/** Deeper no file of figures is nested; each number is told with its whole way. */
export const MAX_KEY_PARTS = 32;

const ROWS = ['last', 'lowest', 'highest'] as const;
/** A name that needs no quotes: none of the signs that divide a key. */
const PLAIN = /^[^.[\]@"=\s][^.[\]@"=]*$/;

/** As a person reads and types it: `eval.accuracy`, `history[3].loss`, `["a.b"]`, `loss@last`, `train/loss@1000`. */
export function keyText({ parts, row }: NumberKey): string {
  const way = parts
    .map((part, at) => {
      if (typeof part === 'number') return `[${String(part)}]`;
      if (!PLAIN.test(part) || part.endsWith(' ')) return `[${JSON.stringify(part)}]`;
      return at === 0 ? part : `.${part}`;
    })
    .join('');
  return row === null ? way : `${way}@${row.kind === 'step' ? String(row.step) : row.kind}`;
}

/** Reads what `keyText` writes; a sentence: why it is no key. */
export function parseKey(text: string): Result<NumberKey, string> {
  const part = /\[(\d{1,9})\]|\[("(?:[^"\\]|\\.)*")\]|\.?([^.[\]@"=]+)/y;
  const parts: (string | number)[] = [];
  let at = 0;
  while (at < text.length && text[at] !== '@') {
    part.lastIndex = at;
    const found = part.exec(text);
    if (found === null) return err(`“${text}” is no key.`);
    const [whole, place, quoted, plain] = found;
    const name = place === undefined ? (plain ?? unquoted(quoted ?? '')) : Number(place);
    if (name === null || parts.length === MAX_KEY_PARTS) return err(`“${text}” is no key.`);
    parts.push(name);
    at += whole.length;
  }
  if (parts.length === 0) return err('A key is missing.');
  if (at === text.length) return ok({ parts, row: null });
  const row = parseRow(text.slice(at + 1));
  return row === null
    ? err(`“${text.slice(at)}” is none of @last, @lowest, @highest and @ with a step.`)
    : ok({ parts, row });
}

function parseRow(text: string): NumberRow | null {
  const kind = ROWS.find((each) => each === text);
  if (kind !== undefined) return { kind };
  return /^\d{1,15}$/.test(text) ? { kind: 'step', step: Number(text) } : null;
}

function unquoted(text: string): string | null {
  try {
    const name: unknown = JSON.parse(text);
    return typeof name === 'string' ? name : null;
  } catch {
    return null;
  }
}

/** A number of a file, with every value of it that can be asked for. */
export interface ListedNumber {
  readonly parts: NumberKey['parts'];
  readonly values: readonly { readonly row: NumberRow | null; readonly literal: string }[];
  /** A value of any step can be asked for. */
  readonly hasSteps: boolean;
}
