import { Damaged } from './damage.ts';
import { StrictUtf8 } from './utf8.ts';

/** A value of a header: what formats put there, and nothing that JSON could hold besides. */
export type HeaderValue = string | number | readonly HeaderValue[] | HeaderObject;
export type HeaderObject = ReadonlyMap<string, HeaderValue>;

const MAX_DEPTH = 4;

/**
 * Reads a header strictly: a name that stands twice would mean one thing to one reader and another to the next, and JSON.parse says
 * nothing of it. Numbers are whole and exact.
 */
export function readHeaderJson(bytes: Uint8Array): HeaderObject {
  const text = new StrictUtf8('its header').decode(bytes);
  let at = 0;

  const fail = (what: string): never => {
    throw new Damaged(`its header is no valid JSON: ${what} at character ${String(at)}`);
  };
  const blanks = (): void => {
    while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at += 1;
  };
  const expect = (mark: string): void => {
    blanks();
    if (text[at] !== mark) fail(`no “${mark}”`);
    at += 1;
  };
  const isNext = (mark: string): boolean => {
    blanks();
    if (text[at] !== mark) return false;
    at += 1;
    return true;
  };

  function string(): string {
    expect('"');
    const from = at - 1;
    for (; at < text.length && text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1;
    at += 1;
    try {
      return JSON.parse(text.slice(from, at)) as string;
    } catch {
      return fail('a broken string');
    }
  }

  function number(): number {
    WHOLE.lastIndex = at;
    const [digits] = WHOLE.exec(text) ?? fail('no whole number');
    at += digits.length;
    const value = Number(digits);
    return Number.isSafeInteger(value) ? value : fail('a number beyond all sizes');
  }

  function value(depth: number): HeaderValue {
    if (depth > MAX_DEPTH) fail('more levels than a header has');
    blanks();
    if (text[at] === '"') return string();
    if (text[at] === '{') return object(depth);
    if (!isNext('[')) return number();
    const items: HeaderValue[] = [];
    if (isNext(']')) return items;
    do items.push(value(depth + 1));
    while (isNext(','));
    expect(']');
    return items;
  }

  function object(depth: number): HeaderObject {
    const fields = new Map<string, HeaderValue>();
    expect('{');
    if (isNext('}')) return fields;
    do {
      const name = string();
      if (fields.has(name)) fail('a name that stands there twice');
      expect(':');
      fields.set(name, value(depth + 1));
    } while (isNext(','));
    expect('}');
    return fields;
  }

  const whole = object(0);
  blanks();
  if (at < text.length) fail('something behind its end');
  return whole;
}

const WHOLE = /(?:0|[1-9]\d{0,17})(?![\d.eE])/y;
