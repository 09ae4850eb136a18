import { formatPrice, type StorageRate } from '../../shared/profiles/price.ts';
import type { YesNo } from '../../shared/profiles/profile.ts';
import type { Tone } from '../ui/glyph.tsx';

/** What the sources do not say. Never shown as a no. */
export const NOT_SAID = 'not known';

export interface Judged {
  readonly tone: Tone;
  readonly word: string;
}

/** What becomes of a tier's data. */
export function survivalOf(survives: YesNo): Judged {
  if (survives === null) return { tone: 'unknown', word: NOT_SAID };
  if (typeof survives === 'string') return { tone: 'warn', word: survives };
  return survives ? { tone: 'ok', word: 'stays' } : { tone: 'danger', word: 'is deleted' };
}

/** Whether a verb ends a bill. */
export function endOf(ends: YesNo): Judged {
  if (ends === null) return { tone: 'unknown', word: NOT_SAID };
  if (typeof ends === 'string') return { tone: 'warn', word: ends };
  return ends ? { tone: 'ok', word: 'ends' } : { tone: 'warn', word: 'goes on' };
}

export function yesNoWords(said: YesNo): string {
  if (said === null) return NOT_SAID;
  return typeof said === 'string' ? said : said ? 'yes' : 'no';
}

/** The default price of a tier in one state; null where nothing is to be said. */
export function rateWords(rate: StorageRate): string | null {
  if (rate === null) return null;
  if (rate === 'free') return 'free';
  return rate === 'unpriced' ? 'costs, price not known' : formatPrice(rate);
}
