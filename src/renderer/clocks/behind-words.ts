import {
  sumBehind,
  type BehindSum,
  type BoxBehind,
  type RunBehind,
} from '../../shared/transfer/behind.ts';
import { formatAge, formatBytes, formatCount, formatDuration } from '../ui/format.ts';
import type { Tone } from '../ui/glyph.tsx';

/** What a box has of results that this computer has not, told in the sizes that there is room for. */
export interface BehindWords {
  readonly tone: Extract<Tone, 'ok' | 'info' | 'warn' | 'danger' | 'unknown' | 'off'>;
  readonly sentence: string;
  /** A few words; null: nothing that would have to stand in a table. */
  readonly short: string | null;
  /** The same with the time that it takes; null: nothing either. */
  readonly forecast: string | null;
  /** From when that is, and run by run. */
  readonly title: string;
}

/** The title is a tooltip. */
const MAX_TOLD_RUNS = 8;

/** In the place of an amount; whoever shows it has the sentence read out beside it. */
const UNKNOWN_WORDS = 'backup unchecked';
/** What is lost within a day should not look calm. */
const SOON_MS = 24 * 3_600_000;

/** `leftMs`: until the nearest clock runs out; null: none has a time. Never zero for what nobody looked at. */
export function behindWords(
  behind: BoxBehind | null,
  leftMs: number | null,
  nowMs: number,
): BehindWords {
  if (behind === null) {
    const why = 'The runs of this box have not been checked since Leasehold was started.';
    return unknown('Connect the box to check what is not backed up.', why);
  }
  const sum = sumBehind(behind);
  const title = titleOf(behind, sum, nowMs);
  if (behind.runs.length === 0 && sum.unknownRuns === 0) {
    const sentence = 'No results known: Leasehold launched no run here.';
    return { tone: 'off', sentence, short: null, forecast: null, title };
  }
  if (sum.atMs === null) return unknown('What is not backed up has not been checked yet.', title);
  const asOf = formatAge(nowMs - sum.atMs);
  if (sum.files === 0) {
    if (sum.unknownRuns > 0) {
      const of = formatCount(sum.unknownRuns, 'run');
      return unknown(`Backup unchecked for ${of}; of the others nothing is behind.`, title);
    }
    const sentence = `All known results are backed up (checked ${asOf}).`;
    return { tone: 'ok', sentence, short: null, forecast: null, title };
  }
  return behindBy(sum, { leftMs, asOf, title, rate: behind.rate });
}

interface Around extends Pick<BoxBehind, 'rate'> {
  readonly leftMs: number | null;
  readonly asOf: string;
  readonly title: string;
}

function behindBy(sum: BehindSum, { leftMs, asOf, title, rate }: Around): BehindWords {
  const { bytes, takesMs, unknownRuns } = sum;
  const least = unknownRuns > 0 ? 'at least ' : '';
  const isTooLate = takesMs !== null && leftMs !== null && takesMs >= Math.max(0, leftMs);
  const takes =
    rate === null || takesMs === null
      ? 'rate not measured'
      : `at ${formatBytes(rate.bytesPerS)}/s that is ${durationWords(takesMs)}`;
  const left =
    leftMs === null
      ? ''
      : leftMs <= 0
        ? '; the time is over'
        : `; ${formatDuration(leftMs)} left${isTooLate ? ': not enough' : ''}`;
  const short = `${unknownRuns > 0 ? '≥ ' : ''}${formatBytes(bytes)} behind`;
  const isSoon = leftMs !== null && leftMs <= SOON_MS;
  return {
    tone: isTooLate ? 'danger' : isSoon ? 'warn' : 'info',
    sentence: `You are ${least}${whatOf(sum)} behind; ${takes}${left} (checked ${asOf}).`,
    short,
    forecast: takesMs === null ? short : `${short}, ${durationWords(takesMs)} to bring home`,
    title,
  };
}

/** A time that is rounded down to nothing would read as none. */
const durationWords = (ms: number): string =>
  ms < 1000 ? 'less than a second' : formatDuration(ms);

const whatOf = ({
  checkpoints,
  files,
  bytes,
}: Pick<BehindSum, 'checkpoints' | 'files' | 'bytes'>) =>
  `${checkpoints > 0 ? formatCount(checkpoints, 'checkpoint') : formatCount(files, 'file')} and ${formatBytes(bytes)}`;

function titleOf({ runs, unseenRuns, rate }: BoxBehind, sum: BehindSum, nowMs: number): string {
  const told = runs.slice(0, MAX_TOLD_RUNS).map((run) => runWords(run, nowMs));
  const scratch = runs.reduce((all, { seen }) => all + (seen?.scratchBytes ?? 0), 0);
  return [
    'Results on the box that were not proven to be on this computer, by run:',
    ...told,
    ...(runs.length > told.length
      ? [`and ${formatCount(runs.length - told.length, 'more run')}`]
      : []),
    ...(unseenRuns > 0 ? [`${formatCount(unseenRuns, 'run')} not looked at: too many runs`] : []),
    ...(scratch > 0 ? [`Not counted: ${formatBytes(scratch)} of scratch, as rules say`] : []),
    rate === null
      ? 'Rate: not measured; no pull from this box has been large enough'
      : `Rate: of the last pull of this box, ${formatAge(nowMs - rate.atMs)}`,
    ...(sum.unknownRuns > 0 ? ['What is unknown is not counted.'] : []),
  ].join('\n');
}

function runWords({ runName, seen, problem }: RunBehind, nowMs: number): string {
  const known =
    seen === null
      ? 'not looked at'
      : `${seen.files === 0 ? 'nothing' : whatOf(seen)}, checked ${formatAge(nowMs - seen.atMs)}`;
  return `${runName}: ${known}${problem === null ? '' : `. ${problem}`}`;
}

function unknown(sentence: string, title: string): BehindWords {
  return {
    ...{ tone: 'unknown', sentence, short: UNKNOWN_WORDS, forecast: UNKNOWN_WORDS },
    title: `${sentence}\n${title}`,
  };
}
