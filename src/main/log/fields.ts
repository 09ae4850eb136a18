import { type Redactor } from './redact.ts';
import { isSecretName, REDACTED } from '../../shared/secrets/redact-text.ts';

/** Beyond these an entry says that there was more. They bound the work and the space that one entry can take. */
const MAX_TEXT = 16 * 1024;
const MAX_ENTRY_TEXT = 64 * 1024;
/** What any value takes at least, so that a great many small ones end too. */
const ITEM_COST = 8;
const MAX_DEPTH = 8;
const MAX_ITEMS = 100;
/** Looked at beyond the cut, so that a secret that straddles it is still recognized as a whole. */
export const MAX_SECRET_LENGTH = 8 * 1024;

export type Fields = Readonly<Record<string, unknown>>;

/** Redacts first and cuts then. */
export function cleanText(text: string, redactor: Redactor, max = MAX_TEXT): string {
  const seen = text.slice(0, max + MAX_SECRET_LENGTH);
  const clean = redactor.redact(seen);
  // At the end of what was looked at there may be the first part of a secret, not recognized.
  const sure = seen.length === text.length ? clean : clean.slice(0, -MAX_SECRET_LENGTH);
  if (sure.length === clean.length && clean.length <= max) return clean;
  return `${sure.slice(0, max)}… (${text.length} characters)`;
}

/** Turns anything into plain JSON data without secrets. Never throws: it runs where things have already gone wrong. */
export function cleanFields(fields: Fields, redactor: Redactor): Fields {
  const walk: Walk = { redactor, parents: [], budget: { left: MAX_ENTRY_TEXT } };
  const clean = cleanObject(fields, walk);
  return typeof clean === 'object' && clean !== null ? (clean as Fields) : { fields: clean };
}

interface Walk {
  readonly redactor: Redactor;
  readonly parents: readonly object[];
  /** Characters that this entry may still take; counted down. */
  readonly budget: { left: number };
}

function cleanEntries(entries: readonly (readonly [string, unknown])[], walk: Walk): Fields {
  const clean: [string, unknown][] = [];
  for (const [name, value] of entries) {
    if (isEnough(clean.length, walk)) break;
    const isSecret = isSecretName(name) && !isHarmless(value);
    clean.push([spend(name, walk), isSecret ? REDACTED : cleanValue(value, walk)]);
  }
  if (clean.length < entries.length) clean.push(['…', `${entries.length - clean.length} more`]);
  return Object.fromEntries(clean);
}

function cleanList(items: readonly unknown[], walk: Walk): readonly unknown[] {
  const clean: unknown[] = [];
  for (const item of items) {
    if (isEnough(clean.length, walk)) break;
    walk.budget.left -= ITEM_COST;
    clean.push(cleanValue(item, walk));
  }
  return clean.length < items.length ? [...clean, `… ${items.length - clean.length} more`] : clean;
}

function isEnough(count: number, { budget }: Walk): boolean {
  return count >= MAX_ITEMS || budget.left <= 0;
}

/** `hasPassword: true`, `token: null` say something without giving anything away. */
function isHarmless(value: unknown): boolean {
  return value === null || value === undefined || typeof value === 'boolean';
}

function cleanValue(value: unknown, walk: Walk): unknown {
  switch (typeof value) {
    case 'string':
      return spend(value, walk);
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'boolean':
      return value;
    case 'bigint':
    case 'symbol':
      return spend(String(value), walk);
    case 'undefined':
    case 'function':
      return `[${typeof value}]`;
    default:
      return value === null ? null : cleanObject(value as object, walk);
  }
}

function spend(text: string, { redactor, budget }: Walk): string {
  const clean = cleanText(text, redactor, Math.max(0, Math.min(MAX_TEXT, budget.left)));
  budget.left -= clean.length + ITEM_COST;
  return clean;
}

function cleanObject(value: object, { redactor, parents, budget }: Walk): unknown {
  if (parents.includes(value)) return '[circular]';
  if (parents.length >= MAX_DEPTH) return '[too deep]';
  const walk: Walk = { redactor, parents: [...parents, value], budget };
  try {
    if (value instanceof Error) return cleanEntries(errorEntries(value), walk);
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    if (value instanceof Map) return cleanEntries(textKeys(value), walk);
    if (Array.isArray(value) || value instanceof Set) return cleanList([...value], walk);
    if ('toJSON' in value && typeof value.toJSON === 'function') {
      return cleanValue((value.toJSON as () => unknown)(), walk);
    }
    return cleanEntries(Object.entries(value), walk);
  } catch {
    // A getter, a proxy or a toJSON threw. Whatever it was, it must not take the log with it.
    return '[unreadable]';
  }
}

function textKeys(map: ReadonlyMap<unknown, unknown>): (readonly [string, unknown])[] {
  return [...map].map(([key, value]) => [String(key), value]);
}

/** What an Error says does not show up among its enumerable properties. */
function errorEntries(error: Error): (readonly [string, unknown])[] {
  const { name, message, stack, cause } = error;
  const entries: (readonly [string, unknown])[] = [
    ['name', name],
    ['message', message],
    ...Object.entries(error).filter(([key]) => key !== 'name' && key !== 'message'),
  ];
  if (stack !== undefined) entries.push(['stack', stack]);
  if (cause !== undefined) entries.push(['cause', cause]);
  if (error instanceof AggregateError) entries.push(['errors', error.errors]);
  return entries;
}
