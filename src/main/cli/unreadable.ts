/** What every `read` command says last: the lines that its reader could not read. */
export function unreadableLines(lines: readonly string[], count = lines.length): readonly string[] {
  if (count === 0) return [];
  const more = count > lines.length ? `; the first ${lines.length}` : '';
  return ['', `Unreadable lines: ${count}${more}`, ...lines.map((line) => `  ${line}`)];
}
