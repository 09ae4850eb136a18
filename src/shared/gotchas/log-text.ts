/** Of a longer text its beginning and its end are looked at: what failed stands at the end, what was run at the beginning. */
const HEAD_CHARS = 16 * 1024;
const TAIL_CHARS = 240 * 1024;
const MAX_EXCERPT_CHARS = 240;

/** Colours and other orders to a terminal are no words. */
export function plainLog(text: string): string {
  return text
    .replace(/\u001b\[[0-9;?]{0,20}[A-Za-z]|\r|[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
    .trim();
}

/** What the search reads of a text; all of it where it is not too long. */
export function boundText(text: string): { readonly text: string; readonly isCut: boolean } {
  if (text.length <= HEAD_CHARS + TAIL_CHARS) return { text, isCut: false };
  return { text: `${text.slice(0, HEAD_CHARS)}\n${text.slice(1 - TAIL_CHARS)}`, isCut: true };
}

/** The end of a text, from the beginning of a line on where there is one. */
export function endOfText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = text.slice(-maxChars);
  return end.slice(end.indexOf('\n') + 1);
}

/** The line around this place, or what is near it where the line is long. */
export function lineAt(text: string, at: number): string {
  const begin = text.lastIndexOf('\n', at) + 1;
  const end = text.indexOf('\n', at);
  const line = text.slice(begin, end < 0 ? text.length : end);
  const from = Math.max(0, Math.min(at - begin - 60, line.length - MAX_EXCERPT_CHARS));
  return line.slice(from, from + MAX_EXCERPT_CHARS).trim();
}
