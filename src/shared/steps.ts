/** Work that can be left alone after each step, so that main can answer others: `doInTurns` does it there. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Where nobody waits. */
export function doAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** A millisecond or two. */
const [LINES_A_STEP, CHARS_A_STEP] = [1000, 128 * 1024];

/** Each line of a text, of which the last may be without its end; so many at most. */
export function* linesInSteps(
  text: string,
  most: number,
  take: (line: string) => void,
): Steps<undefined> {
  let [lines, stepFrom] = [0, 0];
  for (let from = 0; from < text.length && lines < most;) {
    const end = text.indexOf('\n', from);
    const to = end < 0 ? text.length : end;
    take(text.slice(from, to));
    lines += 1;
    from = to + 1;
    if (lines % LINES_A_STEP !== 0 && from - stepFrom < CHARS_A_STEP) continue;
    stepFrom = from;
    yield;
  }
  return undefined;
}

/** Of a comparison that looks at long names. */
const [SORTED_A_STEP, MERGED_A_STEP] = [1000, 4000];

/** As `sort` does; what comes out equal stays in its order. */
export function* sortInSteps<T>(items: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  let runs: T[][] = [];
  for (let from = 0; from < items.length; from += SORTED_A_STEP) {
    runs.push(items.slice(from, from + SORTED_A_STEP).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(yield* mergeInSteps(runs[at] ?? [], runs[at + 1] ?? [], compare));
      yield;
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergeInSteps<T>(
  one: readonly T[],
  other: readonly T[],
  compare: (a: T, b: T) => number,
): Steps<T[]> {
  const merged: T[] = [];
  let taken = 0;
  for (const each of one) {
    for (; taken < other.length && compare(each, other[taken] as T) > 0; taken += 1) {
      merged.push(other[taken] as T);
      if (merged.length % MERGED_A_STEP === 0) yield;
    }
    merged.push(each);
    if (merged.length % MERGED_A_STEP === 0) yield;
  }
  return merged.concat(other.slice(taken));
}
