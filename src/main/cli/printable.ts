// SECURITY: text from a box can hold escape sequences that take over a terminal, and characters that turn the reading
// direction or hide. Controls, format characters, separators, surrogates, private and unassigned ones: none is printed raw.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu;

/** One line that is safe on any terminal: an escape character becomes the four characters `\x1b`. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (char) => {
    const code = char.codePointAt(0) ?? 0;
    const hex = code.toString(16);
    return code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex}}`;
  });
}

/** JSON that parses to exactly the same value and holds no unprintable character. */
export function printableJson(value: unknown, indent = 2): string {
  // JSON.stringify escapes what is below U+0020 and lone surrogates; the newlines left are its own.
  return JSON.stringify(value, null, indent).replace(UNPRINTABLE, (char) => {
    if (char === '\n') return char;
    let escaped = '';
    for (let at = 0; at < char.length; at += 1) {
      escaped += `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`;
    }
    return escaped;
  });
}
