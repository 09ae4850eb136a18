/** One word for a POSIX shell, as a person would type or paste it. Nothing that Leasehold runs is made of this. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
