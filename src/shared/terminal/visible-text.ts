/**
 * Characters that are not what they look like: controls, joiners and marks without width, and the ones that turn the
 * direction of a line around. Text from a box is shown with their code in place of them.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu;

/** The ones that people know by name; the symbols that Unicode has for them are missing in most fonts. */
const NAMES: Readonly<Record<string, string>> = {
  '\u001b': 'ESC',
  '\u0007': 'BEL',
  '\u007f': 'DEL',
};

/** `<ESC>`, `<U+202E>` … in place of what would not be seen or would change how the rest is seen. */
export function showHidden(text: string): string {
  // A megabyte of them is made of few that differ.
  const shown = new Map<string, string>();
  return text.replace(HIDDEN, (char) => {
    const known = shown.get(char) ?? nameOf(char);
    shown.set(char, known);
    return known;
  });
}

function nameOf(char: string): string {
  const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `<${NAMES[char] ?? `U+${code}`}>`;
}

/** What a box may call a window: one line, nothing hidden, cut to a bounded length. */
export function sanitizeTitle(title: string, maxChars = 80): string {
  // Cut first: a title can be megabytes.
  const line = title
    .slice(0, maxChars * 4)
    .replace(HIDDEN, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  const chars = Array.from(line);
  return chars.length <= maxChars ? line : `${chars.slice(0, maxChars - 1).join('')}…`;
}
