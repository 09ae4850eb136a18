import type { Saving } from './checkpoints.ts';
import {
  isTelling,
  LEAST_WATCHED_MS,
  meanBetween,
  type Interruptions,
  type MeanBetween,
} from './interruptions.ts';
import { SURE_PCT } from './count-range.ts';
import { cheapestInterval, compareInterval, wholeSteps } from './save-interval.ts';

/** How figures are written: a window breaks no line between a number and its unit, a terminal has plain spaces. */
export interface Figures {
  readonly duration: (ms: number) => string;
  readonly count: (count: number, one: string) => string;
}

const UNKNOWN = 'unknown';

export function cadenceWords({ everyMs, gaps }: Saving, { duration, count }: Figures): string {
  return everyMs === null
    ? `${UNKNOWN}: fewer than 3 numbered checkpoints`
    : `every ${duration(everyMs)} (median of ${count(gaps, 'gap')})`;
}

export function saveTimeWords({ saveMs }: Saving, { duration }: Figures): string {
  return saveMs === null
    ? `${UNKNOWN}: the files do not tell`
    : `at least ${duration(saveMs)}, from its first file to its last`;
}

/** `4 in 12 d: one every 3 d (1 d 8 h to 8 d 20 h)`. */
export function interruptionWords(known: Interruptions, { duration }: Figures): string {
  const { count, watchedMs } = known;
  if (watchedMs < LEAST_WATCHED_MS) return `${UNKNOWN}: less than 1 h of this box is known`;
  const counted = `${count === 0 ? 'none' : String(count)} in ${duration(watchedMs)}`;
  const mean = meanBetween(known);
  if (!isTelling(known) || mean?.rangeMs === null || mean === null) {
    return `${counted}: too few to tell how often`;
  }
  const [from, to] = mean.rangeMs;
  return `${counted}: one every ${duration(mean.meanMs)} (${duration(from)} to ${duration(to)})`;
}

/** What the facts of the platform tell; null: nothing. */
export function fixedEndWords(
  { fixedEnd }: Pick<Interruptions, 'fixedEnd'>,
  { duration }: Figures,
): string | null {
  if (fixedEnd === null) return null;
  const { forMs, trigger, isEstimate } = fixedEnd;
  return `${trigger}: over after ${isEstimate ? 'about ' : ''}${duration(forMs)}`;
}

interface Known {
  readonly saving: Saving;
  /** Measured or entered; null: neither. */
  readonly saveMs: number | null;
  readonly interruptions: Interruptions;
  /** That a person entered; null: none did, and what the box had counts. */
  readonly enteredMs: number | null;
  /** It saves no more. */
  readonly isOver: boolean;
}

/** How often to save, and on what that rests; what is not known for it, where something is not. */
export function adviceWords(
  { saving, saveMs, interruptions, enteredMs, isOver }: Known,
  figures: Figures,
): string {
  const { everyMs, stepMs } = saving;
  const { duration, count } = figures;
  const mean: MeanBetween | null =
    enteredMs === null ? meanBetween(interruptions) : { meanMs: enteredMs, rangeMs: null };
  if (saveMs === null || mean === null) {
    const missing = [
      ...(saveMs === null ? ['how long a save takes'] : []),
      ...(mean === null ? ['how often this box cuts runs off'] : []),
    ];
    return `How often to save cannot be worked out: ${missing.join(' and ')} is not known.`;
  }
  const rest = enteredMs === null ? groundWords(interruptions, mean, saveMs, figures) : ENTERED;
  const best = cheapestInterval(saveMs, mean.meanMs);
  if (best === null) {
    return `Saves take too long beside the time between interruptions: no interval between them is cheap. ${rest}`;
  }
  const steps = stepMs === null ? null : wholeSteps(best, stepMs);
  const words = `${duration(best)}${steps === null ? '' : ` (${count(steps, 'step')})`}`;
  const [would, is] = isOver ? ['would have cost', 'cost'] : ['would cost', 'costs'];
  if (everyMs === null) return `Saving every ${words} ${would} least. ${rest}`;
  const saves = `${isOver ? 'This run saved' : 'You save'} every ${duration(everyMs)}`;
  return compareInterval(everyMs, best) === 'near'
    ? `${saves}, which is close to what ${is} least: ${words}. ${rest}`
    : `${saves}; ${words} ${would} least. ${rest}`;
}

const ENTERED = 'By the time between interruptions that you entered.';

/** What it rests on, and between which times the best one lies by that. */
function groundWords(
  known: Interruptions,
  { rangeMs }: MeanBetween,
  saveMs: number,
  figures: Figures,
): string {
  const { duration, count } = figures;
  const seen = `${known.count === 0 ? 'no interruption' : count(known.count, 'interruption')} in ${duration(known.watchedMs)}`;
  if (rangeMs === null) {
    return `By the timer of the platform (${fixedEndWords(known, figures) ?? ''}); this box had ${seen}, too few to tell.`;
  }
  const [low, high] = rangeMs.map((ms) => cheapestInterval(saveMs, ms));
  const range =
    low === undefined || high === undefined || low === null || high === null
      ? ''
      : `, so ${String(SURE_PCT)} % sure between ${duration(low)} and ${duration(high)}`;
  return `By ${seen} of this box${range}.`;
}
