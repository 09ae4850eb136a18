import { effectiveIntervals, type Ledger } from '../../meter/ledger.ts';

/** A stretch in which a box was up without a break, as its own count of that says. */
export interface BoxUp {
  readonly fromMs: number;
  /** When it began by its own count, whoever watched it then. */
  readonly startedMs: number;
  /** When it was last seen so. */
  readonly toMs: number;
  /** A person entered that it was stopped after that. */
  readonly isStoppedAfter: boolean;
}

type Life = { -readonly [K in keyof BoxUp]: BoxUp[K] } & { readonly id: string };

/**
 * The lives of a box that its ledger has seen, oldest first. The ledger keeps what box and life answered, over all sessions, and
 * the same life before and after a time that nobody watched proves that nothing broke it. What a box had been up before it was first
 * seen does not count: nobody knows what it had before that.
 */
export function upsOf(ledger: Ledger): readonly BoxUp[] {
  const lives: Life[] = [];
  const lines = [...effectiveIntervals(ledger)].sort((a, b) => a.fromMs - b.fromMs || a.no - b.no);
  for (const { fromMs, ms, phase, life } of lines) {
    const last = lives.at(-1);
    if (phase !== 'running') {
      if (last !== undefined) last.isStoppedAfter = true;
    } else if (life !== null && life.id !== null) {
      const toMs = fromMs + ms;
      if (last?.id === life.id) {
        last.toMs = Math.max(last.toMs, toMs);
        last.isStoppedAfter = false;
      } else {
        const startedMs = Math.min(fromMs, fromMs - life.upForMs);
        const beganMs = last === undefined ? fromMs : Math.max(last.toMs, startedMs);
        lives.push({ id: life.id, fromMs: beganMs, startedMs, toMs, isStoppedAfter: false });
      }
    }
  }
  return lives.map(({ id: _id, ...up }) => up);
}
