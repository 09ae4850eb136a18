import { boundText } from '../gotchas/log-text.ts';
import { failures, type Failure } from './failures.ts';
import { readLogEnding } from './log-endings.ts';
import { lastLines, type LogLine } from './log-lines.ts';

const ENDED_WELL = /\b(?:exit(?:ed)?(?: with)? (?:code|status)|rc)[ =:]{0,3}0\b/i;
const LAST_LINES = 5;

const LOSS =
  /(?:^|[\s{'"|,(])(?:train(?:ing)?[_/ -])?loss['"]?\s{0,2}[:=]?\s{0,2}['"]?(-?(?:nan|inf(?:inity)?)\b|-?[\d.]{1,20})/i;
/** A loss that is none once may be one of a batch; the last ones count. */
const LOSS_LINES = 60;
const LAST_LOSSES = 2;

/** What the end of a log shows: a known failure, that it ended well, or nothing that proves either. */
export type Triage =
  | {
      readonly kind: 'found';
      readonly failure: Failure;
      /** The entry that tells more; null: there is none. */
      readonly entry: string | null;
      /** The line it rests on, as it was written; hostile, whoever shows it escapes it. */
      readonly line: string;
      /** What could make it something else; null: nothing. */
      readonly caveat: string | null;
    }
  | { readonly kind: 'clear'; readonly line: string }
  | { readonly kind: 'unknown'; readonly because: string };

const MAX_LINE_CHARS = 240;
const BY_ID = new Map(failures.map((failure) => [failure.id, failure]));

/** Classifies the end of a log into a fixed answer. Never guesses: a log that just stops proves nothing (U3). */
export function triage(log: string): Triage {
  const { text } = boundText(log);
  if (lastLines(text, 1).length === 0) return { kind: 'unknown', because: 'there is no text' };
  const last = readLogEnding(text);
  const failure = BY_ID.get(last?.failure ?? 'numbers');
  if (last !== null && last.failure !== null && failure !== undefined) {
    const entry = last.gotcha ?? failure.entry;
    return { kind: 'found', failure, entry, line: excerptOf(last.line), caveat: last.caveat };
  }
  const because = last === null ? null : whyUnknown(last.name, last.line);
  if (because !== null) return { kind: 'unknown', because };
  const lost = lostLoss(lastLines(text, LOSS_LINES));
  if (lost !== null && failure !== undefined) {
    return { kind: 'found', failure, entry: failure.entry, line: excerptOf(lost), caveat: null };
  }
  const good = lastLines(text, LAST_LINES).find(({ raw }) => ENDED_WELL.test(raw));
  if (good !== undefined) return { kind: 'clear', line: excerptOf(good.raw) };
  return {
    kind: 'unknown',
    because: 'its end shows no error; that it just stops says nothing about why',
  };
}

const excerptOf = (line: string): string => line.slice(0, MAX_LINE_CHARS);

function whyUnknown(name: string | null, line: string): string {
  return name === null
    ? `“${line.slice(0, 80)}” says that it ended, and not why`
    : `${name.slice(name.lastIndexOf('.') + 1)} is in none of the known classes`;
}

/** A run whose last losses are none any more. */
function lostLoss(lines: readonly LogLine[]): string | null {
  const told = lines.flatMap(({ raw, text }) => {
    const value = LOSS.exec(text)?.[1];
    return value === undefined ? [] : [{ raw, isLost: /nan|inf/i.test(value) }];
  });
  const last = told.slice(-LAST_LOSSES);
  return last.length > 0 && last.every(({ isLost }) => isLost) ? (last.at(-1)?.raw ?? null) : null;
}
