import type {
  ContinuousPull,
  EarlierCopies,
} from '../../../../../shared/transfer/continuous/continuous-pull.ts';
import type { PullWait } from '../../../../../shared/transfer/pull.ts';
import { formatAge, formatBytes, formatCount, formatDuration } from '../../../../ui/format.ts';
import type { Tone } from '../../../../ui/glyph.tsx';

/** Why a file stays on the box, as a clause. */
export const WAIT_WORDS: Readonly<Record<PullWait, string>> = {
  scratch: 'a rule says that it is scratch',
  'older-checkpoint': 'there is a newer checkpoint',
  'being-written': 'it is being written',
};

export interface ContinuousWords {
  readonly tone: Tone;
  /** What it does. */
  readonly says: string;
  /** What it has done, and when it goes on. */
  readonly figures: readonly string[];
  /** Why the last round failed; null: it did not. */
  readonly failure: string | null;
}

export function continuousWords(pull: ContinuousPull, nowMs: number): ContinuousWords {
  const { everyMin, limitMBps, failure, earlier } = pull;
  const every = everyMin < 60 ? `${String(everyMin)} min` : `${String(everyMin / 60)} h`;
  const limit = limitMBps === null ? '' : `, at most ${String(limitMBps)} MB/s`;
  const isOver = pull.now.kind === 'finished';
  return {
    tone: failure !== null ? 'warn' : isOver ? 'ok' : 'wait',
    says: isOver ? 'New results came home' : `New results come home every ${every}${limit}`,
    figures: [...lastWords(pull, nowMs), nextWords(pull, nowMs), ...earlierWords(earlier)],
    failure: failure === null ? null : `Failed ${formatAge(nowMs - failure.atMs)}: ${failure.says}`,
  };
}

function lastWords({ last, brought }: ContinuousPull, nowMs: number): readonly string[] {
  if (last === null) return [];
  if (brought === null) return [`nothing new ${formatAge(nowMs - last.atMs)}`];
  const { files, bytes, atMs } = brought;
  const came = `brought ${formatCount(files, 'file')}, ${formatBytes(bytes)}, ${formatAge(nowMs - atMs)}`;
  return last.atMs === atMs
    ? [came]
    : [came, `nothing new since, last checked ${formatAge(nowMs - last.atMs)}`];
}

const HELD = {
  link: 'goes on when the box is connected',
  person: 'goes on after what you bring home',
  unlisted: 'the box does not list this run now',
} as const;

function nextWords({ now }: ContinuousPull, nowMs: number): string {
  switch (now.kind) {
    case 'under-way':
      return 'checking for new results';
    case 'finished':
      return 'the run is over, and nothing else comes';
    case 'held':
      return HELD[now.by];
    case 'waiting': {
      const leftMs = now.nextAtMs - nowMs;
      return leftMs > 0 ? `next in ${formatDuration(leftMs)}` : 'next at the next check of the box';
    }
  }
}

function earlierWords(earlier: EarlierCopies | null): readonly string[] {
  if (earlier === null || earlier.files === 0) return [];
  const files = formatCount(earlier.files, 'earlier copy', 'earlier copies');
  const least = earlier.isCut ? 'at least ' : '';
  return [`${least}${files} kept: ${formatBytes(earlier.bytes)}`];
}
