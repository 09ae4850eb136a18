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
