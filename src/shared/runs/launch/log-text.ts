/** A colour as a program asks for it, of the few that the window has a readable one for; null: the usual one. */
export type LogTone = 'red' | 'yellow' | 'green' | 'blue' | 'magenta' | null;

/** A part of a row that looks the same. */
export interface LogSpan {
  readonly text: string;
  readonly tone: LogTone;
  readonly isBold: boolean;
  readonly isFaint: boolean;
}

/**
 * Orders to a terminal: those with figures (colours, the cursor), whole texts (titles, links), and the rest. None can take more of
 * a row with it than it says: one without its end loses only its beginning.
 */
const ESCAPE =
  /(?:\u001b\[|\u009b)([0-?]{0,60})[ -/]{0,4}([@-~])|\u001b[\]PX^_][^\u0007\u001b]{0,2000}(?:\u0007|\u001b\\)|\u001b[ -/]{0,2}[0-~]/g;
// Control, format (bidi overrides, zero-width), private and unassigned characters, and the separators that break lines.
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/gu;
const IS_PLAIN = /^[ -~]*$/;

const visible = (text: string): string =>
  IS_PLAIN.test(text) ? text : text.replace(INVISIBLE, (one) => (one === '\t' ? one : ''));

/** What can be read of a row: still a stranger's text. */
export function plainLogText(text: string): string {
  return IS_PLAIN.test(text) ? text : visible(text.replace(ESCAPE, ''));
}

/** The same with its colours. */
export function readSpans(text: string): readonly LogSpan[] {
  let look: Omit<LogSpan, 'text'> = USUAL;
  if (IS_PLAIN.test(text)) return text === '' ? [] : [{ ...look, text }];
  const spans: LogSpan[] = [];
  const add = (part: string): void => {
    const shown = visible(part);
    const last = spans.at(-1);
    if (shown === '') return;
    if (last !== undefined && isSameLook(last, look)) {
      spans[spans.length - 1] = { ...last, text: last.text + shown };
    } else spans.push({ ...look, text: shown });
  };
  let at = 0;
  for (const found of text.matchAll(ESCAPE)) {
    add(text.slice(at, found.index));
    at = found.index + found[0].length;
    if (found[2] === 'm') look = changed(look, found[1] ?? '');
  }
  add(text.slice(at));
  return spans;
}

const USUAL = { tone: null, isBold: false, isFaint: false } as const;

const isSameLook = (a: LogSpan, b: Omit<LogSpan, 'text'>): boolean =>
  a.tone === b.tone && a.isBold === b.isBold && a.isFaint === b.isFaint;

/** The last figure of 30–37 and 90–97: black and white are the text itself, in one theme or the other. */
const TONES: readonly LogTone[] = [null, 'red', 'green', 'yellow', 'blue', 'magenta', 'blue', null];

function changed(before: Omit<LogSpan, 'text'>, figures: string): Omit<LogSpan, 'text'> {
  let look = before;
  const codes = figures.split(/[;:]/).map(Number);
  for (let i = 0; i < codes.length; i += 1) {
    const code = codes[i] ?? 0;
    if (code === 0) look = USUAL;
    else if (code === 1) look = { ...look, isBold: true };
    else if (code === 2) look = { ...look, isFaint: true };
    else if (code === 22) look = { ...look, isBold: false, isFaint: false };
    else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) {
      look = { ...look, tone: TONES[code % 10] ?? null };
    } else if (code === 39) look = { ...look, tone: null };
    // A colour by its number or its three parts: what follows is part of it, and it is not shown.
    else if (code === 38 || code === 48) i += codes[i + 1] === 5 ? 2 : 4;
  }
  return look;
}

/** Cuts the parts of a row where a text is found in it, so that they can be marked. */
export interface MarkedSpan extends LogSpan {
  readonly isFound: boolean;
}

export function markFound(spans: readonly LogSpan[], query: string): readonly MarkedSpan[] {
  const whole = spans.map(({ text }) => text).join('');
  const lower = whole.toLowerCase();
  const wanted = query.toLowerCase();
  // A few letters are longer in lower case: what is found then stands elsewhere.
  if (wanted === '' || lower.length !== whole.length) {
    return spans.map((span) => ({ ...span, isFound: false }));
  }
  const marked: MarkedSpan[] = [];
  let begin = 0; // of the span, in the row
  let at = lower.indexOf(wanted);
  for (const span of spans) {
    const end = begin + span.text.length;
    let from = begin;
    while (from < end) {
      while (at !== -1 && at + wanted.length <= from)
        at = lower.indexOf(wanted, at + wanted.length);
      const isFound = at !== -1 && at <= from;
      const to = at === -1 ? end : Math.min(end, isFound ? at + wanted.length : at);
      marked.push({ ...span, text: whole.slice(from, to), isFound });
      from = to;
    }
    begin = end;
  }
  return marked;
}
