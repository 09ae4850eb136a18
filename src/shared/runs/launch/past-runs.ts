import { estimateFor, type Estimate } from '../../meter/estimate.ts';
import type { Charge } from '../../meter/interval.ts';
import { aboutWords, briefMoneyWords } from '../../meter/money-words.ts';
import { HOUR_MS } from '../../meter/rate.ts';
import { hoursWords } from './checks/need-checks.ts';
import { commandAsKept } from './run-about.ts';
import type { LaunchedRun } from './launched-run.ts';
import type { RunRequest } from './run-request.ts';
import { rangeWords } from '../../range-words.ts';

/** How long earlier runs of the same request took on the same box, from the shortest to the longest. */
export interface PastRuns {
  readonly count: number;
  readonly hours: readonly [number, number];
  /** At today's price; null: it is not known. */
  readonly cost: readonly [Estimate, Estimate] | null;
}

/** By those that ended with success: of one that failed or was cut off nobody knows how long it would have taken. Null: none did. */
export function pastRunsOf(
  { name, command }: Pick<RunRequest, 'name' | 'command'>,
  runs: readonly LaunchedRun[],
  charges: readonly Charge[] | null,
): PastRuns | null {
  const done = runs.flatMap((run) => {
    const { status, launchedAtMs, queue, again } = run;
    // What went on after another run took only the rest of the time.
    const isWhole = again === undefined || again.id === run.id;
    const isOne = isWhole && queue === undefined && status.kind === 'done' && launchedAtMs !== null;
    return isOne && status.atMs > launchedAtMs ? [{ run, ms: status.atMs - launchedAtMs }] : [];
  });
  // The very same command tells more than a name that a person gave to several.
  const kept = commandAsKept(command);
  const same = done.filter(({ run }) => run.command === kept);
  const alike = same.length > 0 ? same : done.filter(({ run }) => run.name === name);
  if (alike.length === 0) return null;
  const times = alike.map(({ ms }) => ms);
  const [low, high] = [Math.min(...times), Math.max(...times)];
  return {
    count: alike.length,
    hours: [low / HOUR_MS, high / HOUR_MS],
    cost: charges === null ? null : [estimateFor(charges, low), estimateFor(charges, high)],
  };
}

/** `3 earlier runs of it took 1.5 h to 2 h here, about $3.00 to $4.00 at today's price`. */
export function pastWords({ count, hours: [low, high], cost }: PastRuns): string {
  const runs = count === 1 ? 'an earlier run of it' : `${String(count)} earlier runs of it`;
  const took = rangeWords(hoursWords(low), hoursWords(high));
  const [from, to] = cost ?? [];
  if (from === undefined || to === undefined || from.money.length === 0) {
    return `${runs} took ${took} here`;
  }
  const money = rangeWords(briefMoneyWords(from.money), briefMoneyWords(to.money));
  return `${runs} took ${took} here, ${from.isPartly ? `at least ${money}` : aboutWords(money)} at today's price`;
}
