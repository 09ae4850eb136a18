import { durationWords } from '../duration-words.ts';
import { estimateFor, type Estimate } from '../meter/estimate.ts';
import type { Charge } from '../meter/interval.ts';
import { whileWords } from '../meter/money-words.ts';
import type { Money } from '../money.ts';
import { rangeWords } from '../range-words.ts';

/** What an earlier push took, from its first byte until the box had the last one. */
export interface MeasuredPush {
  readonly bytes: number;
  readonly ms: number;
  readonly atMs: number;
}

/** The time of fewer is that of the answers, and tells nothing of the bytes. */
export const LEAST_MEASURED_BYTES = 1_000_000;
/** A link changes: what it was like long ago says little. */
const MAX_KEPT = 10;

/** The newest first. */
export const withMeasured = (
  known: readonly MeasuredPush[],
  newest: MeasuredPush,
): readonly MeasuredPush[] => [newest, ...known].slice(0, MAX_KEPT);

/** How long it will take to send the code of a launch, by what earlier pushes to the same box took. */
export interface SendTime {
  /** How many say so. */
  readonly pushes: number;
  /** From the fastest to the slowest of them. */
  readonly ms: readonly [number, number];
  readonly bytesPerS: readonly [number, number];
  /** Of the box meanwhile, at today's price; null: it is not known. */
  readonly cost: readonly [Estimate, Estimate] | null;
}

/** Null: none was measured, so that nobody knows. `unread`: nor does anybody know whether one was. */
export function judgeSendTime(
  bytes: number,
  measured: readonly MeasuredPush[] | null,
  charges: readonly Charge[] | null,
): SendTime | 'unread' | null {
  if (measured === null) return 'unread';
  const rates = measured.map((push) => (push.bytes / push.ms) * 1000);
  if (rates.length === 0) return null;
  const [slowest, fastest] = [Math.min(...rates), Math.max(...rates)];
  const [least, most] = [(bytes / fastest) * 1000, (bytes / slowest) * 1000];
  return {
    pushes: rates.length,
    ms: [least, most],
    bytesPerS: [slowest, fastest],
    cost: charges === null ? null : [estimateFor(charges, least), estimateFor(charges, most)],
  };
}

/** `8 s to 20 s, by 5 earlier pushes to this box (1.2 to 3.0 MB/s); the box costs $0.01 to $0.02 meanwhile`. */
export function sendTimeWords(time: SendTime | 'unread' | null): string {
  if (time === 'unread') return 'not known: what earlier pushes took could not be read here';
  if (time === null) return 'not known: no push to this box was large enough to be measured';
  const { pushes, ms, bytesPerS, cost } = time;
  const took = rangeWords(momentWords(ms[0]), momentWords(ms[1]));
  const by = pushes === 1 ? 'one earlier push' : `${String(pushes)} earlier pushes`;
  const words = `${pushes === 1 && ms[0] >= 1000 ? 'about ' : ''}${took}, by ${by} to this box (${rateWords(bytesPerS)})`;
  const [low, high] = cost ?? [];
  if (low === undefined || high === undefined || !high.money.some(isWorthSaying)) return words;
  return `${words}; the box costs ${rangeWords(whileWords(low), whileWords(high))} meanwhile`;
}

/** Less than a cent is not: the code of most runs is sent in a moment. */
const isWorthSaying = ({ micros }: Money): boolean => micros >= 10_000;

/** In one unit, in which the slower one is not nothing. */
function rateWords([slow, fast]: SendTime['bytesPerS']): string {
  const { unit, bytes } =
    slow < 100_000 ? { unit: 'kB/s', bytes: 1000 } : { unit: 'MB/s', bytes: 1_000_000 };
  return `${rangeWords(figureWords(slow / bytes), figureWords(fast / bytes))} ${unit}`;
}

const figureWords = (figure: number): string =>
  figure < 0.05 ? 'less than 0.1' : figure.toFixed(figure < 100 ? 1 : 0);

const momentWords = (ms: number): string => (ms < 1000 ? 'less than 1 s' : durationWords(ms));
