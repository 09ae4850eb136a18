/** Work that can be left alone after each step, so that main can answer others: `doInTurns` does it there. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Where nobody waits. */
export function doAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
