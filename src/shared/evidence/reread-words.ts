import type { FigureVerdict } from '../verify/numbers/compare-figures.ts';
import type { RereadNumber } from './reread.ts';

const VERDICTS: Readonly<Record<FigureVerdict, string>> = {
  equal: 're-read, equal',
  rounded: 're-read, equal as rounded',
  differs: 're-read, DIFFERS',
};

/** What reading a number again came to, in a few words. */
export function rereadWords({ literal, verdict, says }: RereadNumber): string {
  if (literal === null) return `not re-read: ${says ?? 'nobody knows why'}`;
  return verdict === null ? 're-read' : VERDICTS[verdict];
}
