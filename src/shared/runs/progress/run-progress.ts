/** How far a run is, as a line of its log says it. The line is the box's: believed as far as the words "estimated" go. */
export interface RunProgress {
  readonly unit: 'epoch' | 'step';
  /** Parts that are done. Whether people count from 0 or from 1, and when they print the line, is theirs. */
  readonly atLeast: number;
  readonly atMost: number;
  readonly total: number;
  /** What a progress bar says of its own time; null: the line has none. */
  readonly bar: ProgressBar | null;
}

export interface ProgressBar {
  readonly elapsedMs: number;
  /** Null: the bar does not know. */
  readonly leftMs: number | null;
  /** Further bars like this one, of epochs to come; null: it is a bar of the whole run. */
  readonly toCome: { readonly atLeast: number; readonly atMost: number } | null;
}

const MAX_CHARS = 2000;
/** More parts than any run has; beyond, a number is not a count. */
const MAX_TOTAL = 1e12;

const NUMBER = String.raw`(\d{1,13}(?:\.\d{1,3})?[kMG]?)(?!\d)`;
const TIME = String.raw`((?:\d{1,5}:)?\d{1,3}:\d{2})`;
/** `123/500 [10:00<30:12, 4.8s/it]`, as tqdm draws it. */
const BAR = new RegExp(String.raw`(?<![\d.])${NUMBER}/${NUMBER} \[${TIME}<(?:${TIME}|\?)`);
/** `Epoch 3/10`, `epoch [3/10]`, `epoch: 3 of 10`. */
const EPOCH = new RegExp(
  String.raw`\bepochs?[ :=[(]{0,4}${NUMBER} {0,3}(?:/| of ) {0,8}${NUMBER}`,
  'i',
);
const STEP = new RegExp(
  String.raw`\b(?:global_)?(?:steps?|iter(?:ations?)?|updates?|batch(?:es)?)[ :=[(]{0,12}${NUMBER} {0,3}(?:/| of ) {0,8}${NUMBER}`,
  'i',
);

/** `32/100 ━━━━━━━`, as Keras draws it; `━━━━╸─── 32/100`, as rich and Ultralytics do. */
const THIN_BAR = new RegExp(
  String.raw`^\s{0,8}${NUMBER}/${NUMBER} [━\[]|[━╸─] ${NUMBER}/${NUMBER}(?= )`,
);
const ONE_EPOCH = new RegExp(String.raw`\bepoch[ :=#[(]{0,4}${NUMBER}(?![.\d])`, 'i');

export interface Count {
  readonly done: number;
  readonly total: number;
}

/** Everything that a line counts. */
export interface LineCounts {
  readonly epochs: Count | null;
  /** `Epoch 3`, of however many. */
  readonly epoch: number | null;
  /** Of the run, or of one round of it. */
  readonly steps: Count | null;
  /** The epoch stands before the steps: they are its own. */
  readonly isOfEpoch: boolean;
  readonly times: BarTimes | null;
}

export function readCounts(line: string): LineCounts {
  const text = line.slice(-MAX_CHARS);
  // Looked for first, because most lines of a log have neither, and this is far quicker.
  const hasPart = text.includes('/') || text.includes(' of ');
  const hasEpoch = text.includes('poch') || text.includes('POCH');
  const epochs = hasPart && hasEpoch ? readCount(EPOCH.exec(text)) : null;
  const oneMatch = hasEpoch ? ONE_EPOCH.exec(text) : null;
  const one = readNumber(oneMatch?.[1]);
  if (!hasPart) return { epochs, epoch: one, steps: null, isOfEpoch: false, times: null };
  const barMatch = BAR.exec(text);
  const ofBar = readCount(barMatch);
  const times = barMatch === null || ofBar === null ? null : readTimes(barMatch);
  const steps = ofBar ?? readCount(STEP.exec(text)) ?? readThinBar(text);
  // "16/16 [00:01<00:00]epoch 1: loss 0.5" counts over all epochs.
  const isOfEpoch = oneMatch !== null && oneMatch.index < (barMatch?.index ?? Infinity);
  return { epochs, epoch: epochs?.done ?? one, steps, isOfEpoch, times };
}

function readThinBar(text: string): Count | null {
  const [, done, total, laterDone, laterTotal] = THIN_BAR.exec(text) ?? [];
  return countOf(done ?? laterDone, total ?? laterTotal);
}

/** Null: the line counts nothing of which the end is known. */
export function readProgress(line: string): RunProgress | null {
  const { epochs, epoch, steps, times } = readCounts(line);
  if (epochs !== null) return progressOf(epochs, steps, times);
  // "Epoch 3, step 100/1000": of how many epochs nobody says.
  if (steps === null || epoch !== null || /\bepoch/i.test(line.slice(-MAX_CHARS))) return null;
  return progressOf(null, steps, times);
}

/** How far a run is that counts so. Of epochs where their number is known. */
export function progressOf(
  epochs: Count | null,
  steps: Count | null,
  times: BarTimes | null,
): RunProgress | null {
  if (epochs !== null) return ofEpochs(epochs, steps, times);
  if (steps === null) return null;
  const { done, total } = steps;
  const bar = times === null ? null : { ...times, toCome: null };
  return { unit: 'step', atLeast: done, atMost: done, total, bar };
}

function ofEpochs(epochs: Count, steps: Count | null, times: BarTimes | null): RunProgress {
  const { done, total } = epochs;
  const inner = steps === null ? null : steps.done / steps.total;
  // The first of ten is called 1 by most and 0 by some; a line without steps may stand before the epoch or after it.
  const isFrom0 = done === 0;
  const isFrom1 = done === total;
  const before = isFrom0 ? 0 : done - 1;
  const after = isFrom1 ? total - 1 : done;
  const toCome = { atLeast: total - after - 1, atMost: total - before - 1 };
  return {
    unit: 'epoch',
    atLeast: before + (inner ?? 0),
    atMost: inner === null ? before + 1 : after + inner,
    total,
    bar: times === null ? null : { ...times, toCome },
  };
}

function readCount(match: RegExpExecArray | null): Count | null {
  return countOf(match?.[1], match?.[2]);
}

function countOf(doneText: string | undefined, totalText: string | undefined): Count | null {
  const [done, total] = [readNumber(doneText), readNumber(totalText)];
  if (done === null || total === null) return null;
  return total > 0 && total <= MAX_TOTAL && done <= total ? { done, total } : null;
}

const FACTORS = { k: 1e3, M: 1e6, G: 1e9 } as const;

function readNumber(text: string | undefined): number | null {
  if (text === undefined) return null;
  const factor = FACTORS[text.at(-1) as keyof typeof FACTORS] ?? 1;
  return Number.parseFloat(text) * factor;
}

export type BarTimes = Pick<ProgressBar, 'elapsedMs' | 'leftMs'>;

function readTimes(match: RegExpExecArray): BarTimes | null {
  const elapsedMs = readTime(match[3]);
  return elapsedMs === null ? null : { elapsedMs, leftMs: readTime(match[4]) };
}

/** `10:00`, `1:11:12`. */
function readTime(text: string | undefined): number | null {
  if (text === undefined) return null;
  const seconds = text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return seconds * 1000;
}
