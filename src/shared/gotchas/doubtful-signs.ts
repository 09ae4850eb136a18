import type { EntryDraft } from './entry-draft.ts';
import type { Gotcha } from './gotcha.ts';
import { lastPlaceOf, parseSign } from './sign.ts';

/** What speaks against a sign of a draft, in a sentence each. */
export function doubtfulSigns(
  { signs, incident }: Pick<EntryDraft, 'signs' | 'incident'>,
  others: Iterable<Gotcha>,
): readonly string[] {
  const seen = incident?.toLowerCase() ?? null;
  const known = new Map<string, string>();
  for (const { id, signs: theirs } of others) {
    for (const sign of theirs) known.set(keyOf(sign), id);
  }
  return signs
    .filter((sign) => sign.trim() !== '')
    .flatMap((sign) => {
      const other = known.get(keyOf(sign));
      return [
        ...(seen !== null && lastPlaceOf(parseSign(sign), seen) < 0
          ? [`“${sign}” does not stand in what was seen.`]
          : []),
        ...(other === undefined ? [] : [`“${sign}” is a sign of ${other}, too.`]),
      ];
    });
}

const keyOf = (sign: string): string => parseSign(sign).parts.join('…');
