// Control, format (bidi overrides, zero-width), private and unassigned characters, and the separators that break lines.
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * Text that a server wrote, for a person to read: what cannot be seen or acts on a terminal is taken out, and the rest is
 * bounded. It is still a stranger's text and must be shown as such.
 */
export function plainText(text: string, maxChars: number): string {
  // What is far beyond the bound is not even looked at.
  const lines = text.slice(0, maxChars * 4).split(/\r\n|\n|\r/);
  const clean = lines.map((line) => line.replace(/\t/g, ' ').replace(INVISIBLE, '').trimEnd());
  const joined = clean.join('\n').trim();
  // By characters, so that no half of a surrogate pair is left.
  const characters = Array.from(joined);
  return characters.length <= maxChars ? joined : `${characters.slice(0, maxChars).join('')}…`;
}

/** The same on one line. */
export function plainLine(text: string, maxChars: number): string {
  return plainText(text, maxChars).replace(/\s*\n\s*/g, ' ');
}
