// Control, format (bidi overrides, zero-width), private and unassigned characters, and the separators that break lines.
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * Text that a server wrote, for a person to read: what cannot be seen or acts on a terminal is taken out, and the rest is
 * bounded. It is still a stranger's text and must be shown as such.
 */
export function plainText(text: string, maxChars: number): string {
  // What is far beyond the bound is not even looked at.
  const clean = cleaned(text.slice(0, maxChars * 4));
  // By characters, so that no half of a surrogate pair is left.
  const characters = Array.from(clean);
  return characters.length <= maxChars ? clean : `${characters.slice(0, maxChars).join('')}…`;
}

/** The same, with what is too long cut out of its middle: what a program says last is why it gave up. */
export function plainEnds(text: string, maxChars: number): string {
  const looked = maxChars * 4;
  const isLookedAtWhole = text.length <= looked * 2;
  const first = Array.from(cleaned(isLookedAtWhole ? text : text.slice(0, looked)));
  if (isLookedAtWhole && first.length <= maxChars) return first.join('');
  const last = isLookedAtWhole ? first : Array.from(cleaned(text.slice(-looked)));
  const half = Math.floor(maxChars / 2) - 1;
  return `${first.slice(0, half).join('')}\n…\n${last.slice(-half).join('')}`;
}

function cleaned(text: string): string {
  const lines = text.split(/\r\n|\n|\r/);
  const clean = lines.map((line) => line.replace(/\t/g, ' ').replace(INVISIBLE, '').trimEnd());
  return clean.join('\n').trim();
}

/** The same on one line. */
export function plainLine(text: string, maxChars: number): string {
  return plainText(text, maxChars).replace(/\s*\n\s*/g, ' ');
}
