import { RefreshCw, RotateCw } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import type { Money } from '../../shared/money.ts';
import type { Problem } from '../../shared/problem.ts';
import { plainLine } from '../../shared/questions/hostile-text.ts';
import {
  judgeAgain,
  SWEEP_GROUPS,
  tallySweep,
  type SweepTally,
} from '../../shared/runs/sweep/judge-sweep.ts';
import type { GpuFacts } from '../../shared/telemetry/gpu-facts.ts';
import type { SweepView } from '../../shared/runs/sweep/sweep-view.ts';
import { likelyFigure } from '../../shared/runs/sweep/cell-figures.ts';
import { GROUP_WORDS } from '../../shared/runs/sweep/sweep-words.ts';
import { call } from '../state/bridge.ts';
import { selectEntries, selectMeters, useFleet, useMeter } from '../state/feeds.ts';
import { useSweep } from '../state/sweeps.ts';
import { sweepsChosen, teardownsChosen } from '../state/view.ts';
import { Age } from '../ui/age.tsx';
import { Button } from '../ui/button.tsx';
import { useClock } from '../ui/clock.ts';
import { formatCount, formatNumber } from '../ui/format.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { EmptyState, FailedState, LoadingState } from '../ui/panel-state.tsx';
import { ProblemNote, Refusal } from '../ui/problem-note.tsx';
import { AgainDialog } from './again-dialog.tsx';
import { priceOf } from './box-split.ts';
import { sweepEndWords } from './sweep-end.ts';
import { costWords } from './sweep-cost.ts';
import {
  FIRST_ORDER,
  orderedRows,
  sweepRows,
  type MadeRows,
  type SweepColumn,
  type SweepOrder,
  type SweepRow,
} from './sweep-rows.ts';
import { SweepToolbar } from './sweep-toolbar.tsx';
import { SweepTable } from './sweep-table.tsx';
import styles from './sweeps.module.css';
import { goneWords, unseenWords } from './unseen-words.ts';
import { useCellFigures } from './use-cell-figures.ts';
import { MAX_COMPARED, type OtherRun } from '../box/runs/launch/metrics/other-runs.tsx';
import { logKey } from '../state/launched-runs.ts';
import { likelyBetter, type Better } from './likely-better.ts';
import { bestOf, comparedOf, type Compared, type Named } from './sweep-compare.ts';
import { SweepComparison } from './sweep-comparison.tsx';
import { SweepCurves } from './sweep-curves.tsx';

/** One sweep: every cell with its state, over all boxes. */
export function SweepPage({ sweepId }: { readonly sweepId: string }) {
  const feed = useSweep(sweepId);
  if (feed.kind === 'failed') {
    return (
      <>
        <PageHeader title="Sweep" actions={<AllSweeps />} />
        <FailedState problem={feed.problem} />
      </>
    );
  }
  if (feed.kind === 'loading' || feed.state.roster === null) {
    return (
      <>
        <PageHeader title="Sweep" actions={<AllSweeps />} />
        <LoadingState title="Asking the boxes of the sweep…" />
      </>
    );
  }
  return <Opened sweepId={sweepId} view={feed.state} name={feed.state.roster.name} />;
}

function AllSweeps() {
  return <Button onClick={() => sweepsChosen()}>All sweeps</Button>;
}

/** Of more cells nobody asked that each log is read. */
const MAX_COMPARED_BY_ITSELF = 300;
const NO_GPUS: readonly GpuFacts[] = [];
const NONE_COMPARED: readonly Compared[] = [];
const NO_CELLS: readonly Named[] = [];

interface OpenedProps {
  readonly sweepId: string;
  readonly view: SweepView;
  readonly name: string;
}

function Opened({ sweepId, view, name }: OpenedProps) {
  const [order, setOrder] = useState<SweepOrder>(FIRST_ORDER);
  const [isLooking, setIsLooking] = useState(false);
  const [isAgain, setIsAgain] = useState(false);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const meters = useMeter(selectMeters);
  const boxIds = [...new Set(view.shares.flatMap(({ boxId }) => boxId ?? []))];
  const priceKey = boxIds.map((boxId) => JSON.stringify([boxId, priceOf(meters[boxId])])).join();
  const prices = useMemo(
    () =>
      new Map(
        boxIds.flatMap((boxId): [string, Money][] => {
          const price = priceOf(meters[boxId]);
          return price === null ? [] : [[boxId, price]];
        }),
      ),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a meter ticks; its price seldom changes
    [priceKey],
  );
  const entries = useFleet(selectEntries);
  const gpusOf = (boxId: string): readonly GpuFacts[] =>
    entries.find(({ box }) => box.id === boxId)?.gpus ?? NO_GPUS;
  const { roster, shares, cells } = view;
  // Other names or boxes make other rows of the same cells.
  const made = useMemo((): MadeRows => new WeakMap(), [roster, shares]); // oxlint-disable-line react-hooks/exhaustive-deps
  const all = useMemo(
    () => sweepRows({ roster, shares, cells }, made),
    [roster, shares, cells, made],
  );
  const [inView, setInView] = useState<readonly SweepRow[]>([]);
  const [isCompared, setIsCompared] = useState(all.length <= MAX_COMPARED_BY_ITSELF);
  // To sort or compare by a figure, every cell has to be read.
  const read = useCellFigures(sweepId, isCompared || order.sortBy === 'figure' ? all : inView);
  const [chosen, setChosen] = useState<string | null>(null);
  const figure = chosen ?? likelyFigure(read.names);
  const figureOf = useCallback(
    (place: number): number | null =>
      figure === null ? null : (read.figuresOf(place)?.[figure] ?? null),
    [figure, read],
  );
  const [wanted, setWanted] = useState<Better | null>(null);
  const better = wanted ?? (figure === null ? null : likelyBetter(figure));
  const rows = useMemo(() => orderedRows(all, order, figureOf), [all, order, figureOf]);
  const tally = useMemo(() => tallySweep(view.cells), [view.cells]);
  const again = useMemo(
    () =>
      rows.flatMap(({ place, cell }) =>
        judgeAgain(cell, view.shares).kind === 'no' ? [] : [place],
      ),
    [rows, view.shares],
  );
  const compared = useMemo(
    () => (isCompared ? comparedOf(rows, figureOf) : NONE_COMPARED),
    [isCompared, rows, figureOf],
  );
  const best = useMemo(() => bestOf(compared, better), [compared, better]);
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set());
  const [whyNot, setWhyNot] = useState<string | null>(null);
  const cost = useClock((nowMs) => costWords(all, prices, nowMs));
  const end = useClock((nowMs) => sweepEndWords({ shares, cells }, prices, nowMs));

  async function reconcile(): Promise<void> {
    setIsLooking(true);
    const answer = await call('runs:reconcile', { sweep: sweepId });
    setIsLooking(false);
    setRefusal(answer.ok ? null : answer.error);
  }
  function sorted(column: SweepColumn): void {
    setOrder((before) => ({
      ...before,
      sortBy: column,
      isDescending: before.sortBy === column && !before.isDescending,
    }));
  }
  const runOf = ({ cell }: SweepRow): string | null =>
    cell.share === null ? null : (view.shares[cell.share]?.newest ?? null);
  const curves = useMemo(
    () =>
      all.flatMap(({ place, name, boxId, cell }): readonly OtherRun[] => {
        if (!picked.has(place)) return [];
        const run = cell.share === null ? null : (shares[cell.share]?.newest ?? null);
        if (boxId === null || run === null || cell.index === null) return [];
        const id = logKey(boxId, { runId: run, cell: cell.index });
        return [{ id, name: name === '' ? String(place + 1) : name }];
      }),
    [all, picked, shares],
  );
  function pick({ place }: SweepRow): void {
    setWhyNot(null);
    setPicked((before) => {
      const next = new Set(before);
      if (!next.delete(place)) next.add(place);
      return next;
    });
  }

  return (
    <>
      <PageHeader
        title={plainLine(name, 120)}
        meta={`${formatCount(view.cells.length, 'cell')} on ${formatCount(placesOf(view).length, 'box', 'boxes')} · cost so far: ${cost}`}
        actions={
          <>
            <AllSweeps />
            {boxIds.length > 0 && (
              <Button
                title="Compare the teardown of these boxes"
                onClick={() => teardownsChosen(boxIds, sweepId)}
              >
                Tear down…
              </Button>
            )}
            <Button
              disabled={isLooking}
              title="Asks every box, and looks into the results folders"
              onClick={() => void reconcile()}
            >
              <RefreshCw size={14} aria-hidden /> {isLooking ? 'Checking…' : 'Check results'}
            </Button>
            <Button
              look="primary"
              disabled={again.length === 0}
              title={
                again.length === 0
                  ? 'Of the cells shown here, each is done or goes on'
                  : 'The identical command, for the cells shown here that are not done and do not go on'
              }
              onClick={() => setIsAgain(true)}
            >
              <RotateCw size={14} aria-hidden /> Run{' '}
              {again.length === 0 ? '' : `${formatNumber(again.length)} `}again…
            </Button>
          </>
        }
      />
      <div className={styles['page']}>
        <Reconciled view={view} tally={tally} />
        {end !== null && <p className={styles['end']}>{end}.</p>}
        <Refusal problem={refusal} />
        <SweepToolbar
          tally={tally}
          count={view.cells.length}
          order={order}
          onOrder={setOrder}
          figures={read.names}
          figure={figure}
          onFigure={setChosen}
          isCompared={isCompared}
          onCompared={setIsCompared}
          picked={picked.size}
          whyNot={whyNot}
          onUnpick={() => {
            setWhyNot(null);
            setPicked(new Set());
          }}
        />
        {isCompared && (
          <SweepComparison
            {...{ rows, read, figure, figureOf, better, best }}
            roster={roster?.cells ?? NO_CELLS}
            cells={compared}
            onBetter={setWanted}
          />
        )}
        {curves.length > 0 && <SweepCurves title={plainLine(name, 80)} cells={curves} />}
        {rows.length === 0 ? (
          <EmptyState
            title="No cell fits the filter"
            actions={
              <Button onClick={() => setOrder({ ...order, group: 'all', search: '' })}>
                Show all cells
              </Button>
            }
          />
        ) : (
          <SweepTable
            {...{ rows, order, prices, gpusOf, runOf, figure, figureOf }}
            best={best?.row.place ?? null}
            picked={picked}
            isFull={picked.size > MAX_COMPARED}
            onPick={pick}
            onRefused={setWhyNot}
            onInView={setInView}
            onSort={sorted}
          />
        )}
      </div>
      {isAgain && (
        <AgainDialog
          sweepId={sweepId}
          view={view}
          places={again}
          onClose={() => setIsAgain(false)}
        />
      )}
    </>
  );
}

const placesOf = ({ shares }: SweepView): readonly string[] => [
  ...new Set(shares.map(({ boxId, place }) => boxId ?? place)),
];

/** What holding all of it against the roster says, and which boxes could not be asked. */
function Reconciled({
  view: { shares, cells, atMs, reconciledAtMs },
  tally,
}: {
  readonly view: SweepView;
  readonly tally: SweepTally;
}) {
  const waited = new Set(cells.map(({ state, share }) => (state.kind === 'unseen' ? share : null)));
  const unseen = shares.flatMap((share, at) =>
    share.presence === 'unseen' ? [{ ...share, isWaitedFor: waited.has(at) }] : [],
  );
  const gone = goneWords(
    cells.flatMap(({ state, share }) => {
      const of = share === null ? undefined : shares[share];
      return of?.presence === 'gone' && state.kind !== 'done' ? [of] : [];
    }),
  );
  const problems = unseen.flatMap(({ problem }) => problem ?? []);
  const isOver = !shares.some(({ presence }) => presence === 'alive');
  const isWhole = tally.done === cells.length && tally.twice === 0;
  return (
    <div className={styles['summary']}>
      <p role="status">
        {isWhole && reconciledAtMs !== null
          ? wholeWords(tally)
          : isOver && unseen.length === 0
            ? `Nothing of it goes on: ${missingWords(tally)}.`
            : `${formatNumber(tally.done)} of ${formatNumber(cells.length)} done.`}{' '}
        <span className={styles['muted']}>
          {atMs !== null && (
            <>
              Boxes asked <Age atMs={atMs} />
            </>
          )}
          {reconciledAtMs !== null && (
            <>
              , results checked <Age atMs={reconciledAtMs} />
            </>
          )}
        </span>
      </p>
      {unseenWords(unseen).map((words) => (
        <p key={words} className={styles['line']}>
          {words}
        </p>
      ))}
      {gone !== null && <p className={styles['line']}>{gone}</p>}
      {problems.slice(0, 1).map((problem) => (
        <ProblemNote key={problem.message} problem={problem} />
      ))}
    </div>
  );
}

function wholeWords({ 'maybe-twice': maybe }: SweepTally): string {
  if (maybe === 0)
    return 'All cells are done, each once, and every results folder holds something.';
  return `All cells are done, and every results folder holds something. A box that was not reached may have done ${formatNumber(maybe)} of them as well.`;
}

function missingWords(tally: SweepTally): string {
  const told = SWEEP_GROUPS.flatMap((group) =>
    tally[group] === 0 ? [] : [`${formatNumber(tally[group])} ${GROUP_WORDS[group].toLowerCase()}`],
  );
  return told.join(', ');
}
