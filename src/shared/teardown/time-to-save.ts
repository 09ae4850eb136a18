import { sizeWords } from '../recovery/handbook-words.ts';
import { sumBehind, type BoxBehind } from '../transfer/behind.ts';

/** Whether the time that a clock leaves is enough to bring home, and prove, what is not here yet. */
export type TimeToSave =
  /** As far as is known, all of it is here. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unknown'; readonly because: string }
  /** `isLeast`: more may be there, so that it is at least this. */
  | {
      readonly kind: 'enough' | 'too-little';
      readonly needMs: number;
      readonly bytes: number;
      readonly isLeast: boolean;
    };

/**
 * At the rate that the last pull of the box had, which is taken from its first byte to its proof. What is not known is never enough, and what is
 * known to be too little is so with whatever comes on top.
 */
export function judgeTimeToSave(behind: BoxBehind | null, leftMs: number): TimeToSave {
  if (behind === null) return unknown('its results have not been checked');
  const { files, bytes, unknownRuns, takesMs, atMs } = sumBehind(behind);
  if (files === 0 && unknownRuns === 0) return { kind: 'nothing' };
  if (atMs === null) return unknown('its results have not been checked');
  if (files > 0 && takesMs === null) return unknown('no pull of this box has measured a rate');
  const needMs = takesMs ?? 0;
  const isLeast = unknownRuns > 0;
  if (files > 0 && needMs >= leftMs) return { kind: 'too-little', needMs, bytes, isLeast };
  return isLeast
    ? unknown('what some of its runs left is not known')
    : { kind: 'enough', needMs, bytes, isLeast };
}

/** As a sentence; empty: there is nothing to say. */
export function timeToSaveWords(judged: TimeToSave): string {
  switch (judged.kind) {
    case 'nothing':
      return '';
    case 'unknown':
      return `Whether there is time to bring its results home is not known: ${judged.because}.`;
    case 'enough':
    case 'too-little': {
      const { needMs, bytes, isLeast, kind } = judged;
      const least = isLeast ? 'at least ' : '';
      const takes = `Bringing home and proving ${least}${sizeWords(bytes)} takes about ${spanWords(needMs)}`;
      return kind === 'enough' ? `${takes}.` : `${takes}: not enough time is left for all of it.`;
    }
  }
}

/** Rounded up: an estimate that is a little too long costs nothing. */
function spanWords(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / 60_000));
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const unknown = (because: string): TimeToSave => ({ kind: 'unknown', because });
