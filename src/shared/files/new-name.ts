/** As nearly every file system bounds one, in bytes. */
const MAX_NAME_BYTES = 255;

/** Why an entry cannot be given this name; null: it can. */
export function newNameFault(name: string): string | null {
  if (name.trim() === '') return 'Enter a name.';
  if (name === '.' || name === '..') return 'This name already means a folder.';
  if (name.includes('/')) return 'A name has no “/” in it.';
  // What nobody can see in a name, nobody can type to get rid of it.
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u{FFFD}]/u.test(name)) {
    return 'There is a character in it that cannot be seen.';
  }
  return utf8Bytes(name) > MAX_NAME_BYTES ? 'It is too long.' : null;
}

function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
