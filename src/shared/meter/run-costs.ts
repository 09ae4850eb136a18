import type { LoggedRun, RunOutlook } from '../patrol/run-end.ts';
import { processKey } from '../runs/process-ref.ts';
import type { RunProcess } from '../runs/run.ts';
import type { Spent } from './box-meter.ts';
import { spentIn } from './box-meter.ts';
import type { IdleSpan } from './idle.ts';
import type { Ledger } from './ledger.ts';

/** A run that somebody started on the box, as a patrol saw it. */
export type KnownRun = LoggedRun & Pick<RunProcess, 'command' | 'holdsGpu'>;

/** A look that the box answered. */
export interface SeenRuns {
  readonly atMs: number;
  readonly runs: readonly KnownRun[];
}

/** What the box has cost since a run began. Several runs share a box: it is the box's money, and nobody's part of it. */
export interface RunCost extends Omit<KnownRun, 'log'> {
  /** Null: since when it runs is not known. */
  readonly spent: Spent | null;
  /** The box was metered only after the run had begun: what it cost before is in no sum. */
  readonly isLater: boolean;
  /** Null: its log counts nothing of which the end is known. */
  readonly outlook: RunOutlook | null;
}

/** Runs as they were seen, with what was billed until then. */
export interface RunCosts {
  readonly seenAtMs: number;
  readonly costs: readonly RunCost[];
  /** So many runs more were seen. */
  readonly more: number;
}

/** More are not shown: those that hold a GPU are why the box is paid for. */
export const MAX_RUN_COSTS = 5;
/** What a process table counts in, and what asking takes. */
const SAME_MS = 5000;

/** `ledger` holds only lines that count, `idle` is merged, `outlooks` are by key. Null: no patrol has seen the box yet. */
export function costRuns(
  seen: SeenRuns | null,
  outlooks: ReadonlyMap<string, RunOutlook>,
  ledger: Ledger,
  idle: readonly IdleSpan[],
): RunCosts | null {
  if (seen === null) return null;
  const { atMs } = seen;
  const firstMs = ledger.intervals.reduce((min, { fromMs }) => Math.min(min, fromMs), atMs);
  const shown = [...seen.runs]
    .sort((a, b) => Number(b.holdsGpu) - Number(a.holdsGpu) || (b.sinceMs ?? 0) - (a.sinceMs ?? 0))
    .slice(0, MAX_RUN_COSTS);
  const costs = shown.map(({ bootId, pid, startTicks, command, holdsGpu, sinceMs }): RunCost => {
    const outlook = outlooks.get(processKey({ pid, startTicks })) ?? null;
    const run = { bootId, pid, startTicks, command, holdsGpu, sinceMs, outlook };
    if (sinceMs === null || sinceMs > atMs) return { ...run, spent: null, isLater: false };
    const spent = spentIn(ledger, idle, { fromMs: sinceMs, toMs: atMs });
    return { ...run, spent, isLater: firstMs > sinceMs + SAME_MS };
  });
  return { seenAtMs: atMs, costs, more: seen.runs.length - costs.length };
}
