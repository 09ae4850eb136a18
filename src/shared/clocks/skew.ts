/** Asking takes some seconds at worst; below this nothing is said. */
export const SHOWN_FROM_MS = 5000;
/** A clock that is wrong by this much was never set. */
const ABSURD_MS = 24 * 3_600_000;

export type Skew =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'fine' }
  /** `byMs`: the box's clock minus this machine's. Which of them is right, nobody knows. */
  | { readonly kind: 'off'; readonly byMs: number }
  /** Not a date on the box means anything. Nothing is computed from them; what it counts since its start stays good. */
  | { readonly kind: 'absurd'; readonly byMs: number };

/** How far the clocks of the box and of this machine are apart. */
export function judgeSkew(clockOffsetMs: number | null): Skew {
  if (clockOffsetMs === null || !Number.isFinite(clockOffsetMs)) return { kind: 'unknown' };
  const apartMs = Math.abs(clockOffsetMs);
  if (apartMs <= SHOWN_FROM_MS) return { kind: 'fine' };
  return { kind: apartMs < ABSURD_MS ? 'off' : 'absurd', byMs: clockOffsetMs };
}
