// Apart from the schema, so that the window does not load the schema library to read a line of text.

export const MAX_TAG_CHARS = 30;
export const MAX_TAGS = 10;

/** A typed line as tags, in their order; what is said twice counts once. A string says why it cannot be used. */
export function parseTags(line: string): readonly string[] | string {
  const words = line
    .split(',')
    .map((word) => word.trim().replace(/\s+/g, ' '))
    .filter((word) => word !== '');
  const once = words.filter(
    (word, i) => words.findIndex((each) => each.toLowerCase() === word.toLowerCase()) === i,
  );
  if (once.some((word) => word.length > MAX_TAG_CHARS)) {
    return `A tag has at most ${String(MAX_TAG_CHARS)} characters.`;
  }
  if (once.some((word) => /\p{C}/u.test(word))) return 'A tag has no invisible characters.';
  return once.length > MAX_TAGS ? `A box has at most ${String(MAX_TAGS)} tags.` : once;
}
