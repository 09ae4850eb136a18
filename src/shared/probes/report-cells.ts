import type { QueryCell } from './query.ts';
import type { FieldKind } from './report-fields.ts';

const MAX_CELSIUS = 250;
/** Words in place of a figure: `N/A`, `[Not Supported]`, `Unknown Error`, `ERR!`, `GPU is lost` … */
const WORDS = /^\[?([A-Za-z][A-Za-z/ .!'-]{0,80})\]?$/;

/** Null: damage, neither a value that can stand there nor words for why there is none. */
export function readCell(text: string, kind: FieldKind): QueryCell | null {
  if (text === '') return { kind: 'missing', because: 'empty' };
  switch (kind.kind) {
    case 'figure':
      return figure(text, kind.unit, kind.max) ?? missing(text);
    case 'celsius':
      return celsius(text) ?? missing(text);
    case 'count':
      return value(/^(\d{1,15})$/.exec(text)?.[1]) ?? missing(text);
    case 'lanes':
      return value(/^(\d{1,3})x$/.exec(text)?.[1]) ?? missing(text);
    case 'banks':
      return value(/^(\d{1,9}) bank\(s\)$/.exec(text)?.[1]) ?? missing(text);
    case 'word':
      if (kind.words.test(text)) return value(text);
      return NOT_TOLD.test(text) ? missing(text) : null;
    case 'text':
      return NOT_TOLD.test(text) ? missing(text) : value(text);
  }
}

const NOT_TOLD =
  /^\[?(?:N\/A|Not (?:Supported|Found|Available)|Unknown Error|ERR!|GPU is lost|GPU requires reset|Insufficient Permissions|Function Not Found|Requested functionality has been deprecated|Unknown)\]?$/i;

function missing(text: string): QueryCell | null {
  const because = WORDS.exec(text)?.[1];
  return because === undefined ? null : { kind: 'missing', because };
}

function value(text: string | undefined): QueryCell | null {
  return text === undefined ? null : { kind: 'value', text, unit: null };
}

function figure(text: string, unit: string, max: number): QueryCell | null {
  const [, digits, printed] = /^(\d{1,15}(?:\.\d{1,6})?) ?(\S{1,8})$/.exec(text) ?? [];
  if (digits === undefined || printed !== unit || Number(digits) > max) return null;
  return { kind: 'value', text: digits, unit };
}

/** Degrees left may be below 0: the card is too hot by so much. */
function celsius(text: string): QueryCell | null {
  const digits = /^(-?\d{1,3}) ?C$/.exec(text)?.[1];
  if (digits === undefined || Math.abs(Number(digits)) > MAX_CELSIUS) return null;
  return value(digits);
}
