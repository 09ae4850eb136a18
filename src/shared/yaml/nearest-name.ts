/** A name with more slips than this was meant as something else. */
const MAX_SLIPS = 3;
const MAX_CHARS = 60;

/** Which of these was meant, where it is near enough; null: none. */
export function nearestName(written: string, known: readonly string[]): string | null {
  const plain = (name: string): string => name.toLowerCase().replace(/[-_ ]/g, '');
  const [best] = known
    .map((name) => ({ name, slips: slipsBetween(plain(written.slice(0, MAX_CHARS)), plain(name)) }))
    .filter(({ name, slips }) => slips <= Math.min(MAX_SLIPS, Math.floor(name.length / 2)))
    .sort((a, b) => a.slips - b.slips);
  return best?.name ?? null;
}

/** Characters to put in, leave out, or write otherwise (Levenshtein). */
function slipsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [line, letter] of Array.from(a).entries()) {
    const next = [line + 1];
    for (const [at, other] of Array.from(b).entries()) {
      const [left = 0, up = 0, before = 0] = [next[at], row[at + 1], row[at]];
      next.push(Math.min(left + 1, up + 1, before + (letter === other ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length] ?? row.length;
}
