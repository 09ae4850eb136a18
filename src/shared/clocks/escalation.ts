/** Time left at which a person is told, from the earliest mark on, until they choose others. */
export const DEFAULT_MARKS_MS: readonly number[] = [24, 6, 1, 0.25].map((h) => h * 3_600_000);

/** What was told about one clock. Kept, so that a restart neither repeats nor forgets it. */
export interface MarkState {
  /** The end when the last mark was told; what moves away from it by enough is another end. */
  readonly atMs: number;
  /** The smallest mark that was told; 0: that the time is over; null: none. */
  readonly toldMs: number | null;
  /** Nothing is told before this moment. Never without an end. */
  readonly snoozedUntilMs: number | null;
}

export interface MarkAnswer {
  readonly state: MarkState;
  /** To be told now: this much time was left at the mark; 0: it is over. */
  readonly due: number | null;
}

/** An estimate trembles. An end that moves later by less than this is the same end. */
function slackMs(markMs: number): number {
  return Math.max(10 * 60_000, markMs / 4);
}

/**
 * Whether a mark is to be told. Of several that were slept through, only the most urgent one is. What was told stays told
 * whatever happens to this machine's clock; only an end that moves later makes marks ring again.
 */
export function judgeMarks(
  before: MarkState | null,
  atMs: number,
  nowMs: number,
  marksMs: readonly number[] = DEFAULT_MARKS_MS,
): MarkAnswer {
  const state = followEnd(before, atMs, nowMs, marksMs);
  if (state.snoozedUntilMs !== null && nowMs < state.snoozedUntilMs) return { state, due: null };
  const reached = smallestReached(atMs, nowMs, marksMs);
  const isAwake = { ...state, snoozedUntilMs: null };
  const wasSnoozed = state.snoozedUntilMs !== null;
  const isNews = reached !== null && (state.toldMs === null || reached < state.toldMs);
  // Whoever puts it off is told again when that ends, even where no further mark was reached.
  if (reached === null || !(isNews || wasSnoozed)) return { state: isAwake, due: null };
  const toldMs = state.toldMs === null ? reached : Math.min(reached, state.toldMs);
  return { state: { ...isAwake, toldMs }, due: reached };
}

/** Null: this moment is not an end to put it off until. It must come, and before the clock itself runs out. */
export function snooze(
  state: MarkState,
  untilMs: number,
  { atMs, nowMs }: { readonly atMs: number; readonly nowMs: number },
): MarkState | null {
  if (!Number.isFinite(untilMs) || untilMs <= nowMs || untilMs >= atMs) return null;
  return { ...state, snoozedUntilMs: untilMs };
}

function smallestReached(atMs: number, nowMs: number, marksMs: readonly number[]): number | null {
  const reached = [...marksMs, 0].filter((mark) => nowMs >= atMs - mark);
  return reached.length === 0 ? null : Math.min(...reached);
}

function followEnd(
  before: MarkState | null,
  atMs: number,
  nowMs: number,
  marksMs: readonly number[],
): MarkState {
  if (before === null) return { atMs, toldMs: null, snoozedUntilMs: null };
  const laterMs = atMs - before.atMs;
  if (laterMs <= 0) {
    // An end that comes nearer must not hide behind a snooze that was meant for the later one.
    const isHidden = before.snoozedUntilMs !== null && before.snoozedUntilMs >= atMs;
    return { ...before, atMs, snoozedUntilMs: isHidden ? null : before.snoozedUntilMs };
  }
  const { toldMs } = before;
  if (toldMs === null) return { ...before, atMs };
  if (laterMs < slackMs(toldMs)) return before;
  const reached = smallestReached(atMs, nowMs, marksMs);
  return { ...before, atMs, toldMs: reached === null ? null : Math.max(reached, toldMs) };
}
