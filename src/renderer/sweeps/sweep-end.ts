import { formatMoneyBriefly, shareOf, type Money } from '../../shared/money.ts';
import { aboutWords } from '../../shared/meter/money-words.ts';
import { rangeWords } from '../../shared/range-words.ts';
import type { TimeSpan } from '../../shared/runs/progress/left-time.ts';
import { queueEnd } from '../../shared/runs/queue/queue-end.ts';
import type {
  SweepCellKind,
  SweepCellState,
  SweepView,
} from '../../shared/runs/sweep/sweep-view.ts';
import { whenWords } from '../costs/run-end-words.ts';
import { formatCount } from '../ui/format.ts';

const HOUR_MS = 3_600_000;

/** What may still go on, or begin. */
const OPEN: ReadonlySet<SweepCellKind> = new Set(['waiting', 'running', 'copying', 'unseen']);

/** When the queues of a sweep that go on are over, the last of them, and what their boxes cost until then; null: none goes on. */
export function sweepEndWords(
  { shares, cells }: Pick<SweepView, 'shares' | 'cells'>,
  prices: ReadonlyMap<string, Money>,
  nowMs: number,
): string | null {
  const states = shares.map((): SweepCellState[] => []);
  for (const { share, state } of cells) if (share !== null) states[share]?.push(state);
  const ends: { readonly boxId: string | null; readonly span: TimeSpan }[] = [];
  const unseen = new Set<string>();
  let [isPaused, isUndone] = [false, false];
  for (const [at, share] of shares.entries()) {
    const mine = states[at] ?? [];
    if (share.presence === 'unseen' && mine.some(({ kind }) => OPEN.has(kind))) {
      unseen.add(share.boxId ?? share.place);
    }
    if (share.presence !== 'alive') continue;
    const end = queueEnd(mine, share, nowMs);
    if (end.kind === 'nothing-left') continue;
    if (share.isPaused && !share.isStopping) isPaused = true;
    else if (end.kind === 'unknown') isUndone = true;
    else ends.push({ boxId: share.boxId, span: end.span });
  }
  if (unseen.size > 0) {
    const are = unseen.size === 1 ? 'is' : 'are';
    return `no estimate: ${formatCount(unseen.size, 'box', 'boxes')} ${are} not reached`;
  }
  if (isPaused) return 'no estimate of the end while a queue is paused';
  if (isUndone) return 'the end can be estimated once each box has a cell done';
  if (ends.length === 0) return null;
  const last = {
    fromMs: Math.max(...ends.map(({ span }) => span.fromMs)),
    toMs: Math.max(...ends.map(({ span }) => span.toMs)),
  };
  return `ends ${whenWords(last)}; ${moreWords(ends, prices, nowMs)}`;
}

/** Each box is paid for until its own queue is over; what has no price is told, and never counted as nothing. */
function moreWords(
  ends: readonly { readonly boxId: string | null; readonly span: TimeSpan }[],
  prices: ReadonlyMap<string, Money>,
  nowMs: number,
): string {
  const sums = new Map<string, { from: number; to: number }>();
  for (const { boxId, span } of ends) {
    const price = boxId === null ? undefined : prices.get(boxId);
    if (price === undefined) return 'set a price to see what that costs';
    const costOf = (atMs: number): number => shareOf(price, (atMs - nowMs) / HOUR_MS).micros;
    const sum = sums.get(price.currency) ?? { from: 0, to: 0 };
    sum.from += costOf(span.fromMs);
    sum.to += costOf(span.toMs);
    sums.set(price.currency, sum);
  }
  const words = [...sums].map(([currency, { from, to }]) => {
    const said = (micros: number): string => formatMoneyBriefly({ micros, currency });
    return aboutWords(rangeWords(said(from), said(to)));
  });
  return `${words.join(' + ')} more`;
}
