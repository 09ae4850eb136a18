import { useId, useRef, useState, type KeyboardEvent } from 'react';
import type { Problem } from '../../../../../shared/problem.ts';
import { plainLine } from '../../../../../shared/questions/hostile-text.ts';
import { NO_LAUNCHED_RUNS } from '../../../../../shared/runs/launch/launched-run.ts';
import { nameOf } from '../../../../../shared/runs/launch/run-words.ts';
import { NO_QUEUE } from '../../../../../shared/runs/queue/queue-view.ts';
import { selectEntries, selectEntry, useFleet } from '../../../../state/feeds.ts';
import {
  logKey,
  useLaunchedRuns,
  useRunQueue,
  type LogOf,
} from '../../../../state/launched-runs.ts';
import type { Feed } from '../../../../state/stream-client.ts';
import { formatNumber } from '../../../../ui/format.ts';
import { ProblemNote } from '../../../../ui/problem-note.tsx';
import select from '../../../../ui/select.module.css';
import { MAX_COMPARED, type OtherRun } from './other-runs.tsx';
import styles from './metrics.module.css';

/** Of thousands the search finds one; a longer list nobody reads. */
const MAX_SHOWN = 50;
const CELLS = 'cells';

interface CompareChoiceProps {
  /** The log of this page. */
  readonly boxId: string;
  readonly log: LogOf;
  readonly chosen: readonly OtherRun[];
  readonly onChosen: (chosen: readonly OtherRun[]) => void;
}

/** Which other runs and cells are drawn beside this one: of its queue, of its box, of any other. */
export function CompareChoice({ boxId, log, chosen, onChosen }: CompareChoiceProps) {
  const id = useId();
  const summary = useRef<HTMLElement>(null);
  const fold = useRef<HTMLDetailsElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [from, setFrom] = useState(log.cell === undefined ? boxId : CELLS);
  const [search, setSearch] = useState('');
  const boxes = useFleet(selectEntries).map(({ box }) => box);
  const own = logKey(boxId, log);
  const lists = { own, search, chosen, onChosen };

  function pressed(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || fold.current === null || !fold.current.open) return;
    event.stopPropagation();
    fold.current.open = false;
    summary.current?.focus();
  }
  return (
    <details
      ref={fold}
      className={styles['compare']}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
      onKeyDown={pressed}
    >
      <summary ref={summary}>
        Compare with…{chosen.length > 0 && ` (${String(chosen.length)})`}
      </summary>
      {isOpen && (
        <div className={styles['choices']}>
          <div className={styles['source']}>
            <label htmlFor={id}>From</label>
            <select
              className={select['select']}
              id={id}
              value={from}
              onChange={({ target }) => setFrom(target.value)}
            >
              {log.cell !== undefined && <option value={CELLS}>the cells of this queue</option>}
              {boxes.map((box) => (
                <option key={box.id} value={box.id}>
                  {box.id === boxId ? `this box (${box.name})` : box.name}
                </option>
              ))}
            </select>
            <input
              aria-label={from === CELLS ? 'Search cells' : 'Search runs'}
              placeholder={from === CELLS ? 'Search cells' : 'Search runs'}
              value={search}
              onChange={({ target }) => setSearch(target.value)}
            />
          </div>
          {from === CELLS ? (
            <CellList {...lists} boxId={boxId} runId={log.runId} />
          ) : (
            <RunList
              {...lists}
              boxId={from}
              boxName={
                from === boxId
                  ? null
                  : (boxes.find((box) => box.id === from)?.name ?? 'another box')
              }
            />
          )}
        </div>
      )}
    </details>
  );
}

interface ListProps extends Pick<CompareChoiceProps, 'boxId' | 'chosen' | 'onChosen'> {
  /** The log of this page, which is not compared with itself. */
  readonly own: string;
  readonly search: string;
}

/** Cells that have begun: the others have no log. */
function CellList({ boxId, runId, ...list }: ListProps & { readonly runId: string }) {
  const feed = useRunQueue(boxId, runId);
  const { cells, marks } = feed.kind === 'live' ? feed.state : NO_QUEUE;
  const offered = cells.flatMap(({ name }, at): readonly OtherRun[] => {
    const index = at + 1;
    if (marks[index] === undefined) return [];
    return [{ id: logKey(boxId, { runId, cell: index }), name: plainLine(name, 120) }];
  });
  return (
    <>
      <NotRead feed={feed} boxId={boxId} what="the queue" />
      <Offered
        {...list}
        offered={offered}
        none={isRead(feed) ? 'No other cell has begun.' : null}
      />
    </>
  );
}

/** A queue has no figures of its own: its cells do. */
function RunList({ boxId, boxName, ...list }: ListProps & { readonly boxName: string | null }) {
  const feed = useLaunchedRuns(boxId);
  const { runs } = feed.kind === 'live' ? feed.state : NO_LAUNCHED_RUNS;
  const offered = runs.flatMap((run): readonly OtherRun[] => {
    if (run.queue !== undefined) return [];
    const name = boxName === null ? nameOf(run) : `${nameOf(run)} · ${boxName}`;
    return [{ id: logKey(boxId, { runId: run.id }), name }];
  });
  const none = 'No other run of one command is listed there.';
  return (
    <>
      <NotRead feed={feed} boxId={boxId} what="the runs" />
      <Offered {...list} offered={offered} none={isRead(feed) ? none : null} />
    </>
  );
}

/** What is told of one look at a box. */
type Looked = Feed<{ readonly atMs: number | null; readonly problem: Problem | null }>;

const isRead = (feed: Looked): boolean =>
  feed.kind === 'live' && feed.state.atMs !== null && feed.state.problem === null;

interface NotReadProps {
  readonly feed: Looked;
  readonly boxId: string;
  readonly what: string;
}

/** Why nothing can be chosen there, or only what was seen before; nothing where the last look brought all of it. */
function NotRead({ feed, boxId, what }: NotReadProps) {
  const entry = useFleet(selectEntry(boxId));
  if (isRead(feed)) return null;
  const problem =
    feed.kind === 'failed' ? feed.problem : feed.kind === 'live' ? feed.state.problem : null;
  if (problem !== null) return <ProblemNote problem={problem} />;
  return (
    <p className={styles['muted']} role="status">
      {entry?.link.kind === 'up' ? `Reading ${what}…` : 'The box is not connected.'}
    </p>
  );
}

interface OfferedProps extends Omit<ListProps, 'boxId'> {
  readonly offered: readonly OtherRun[];
  /** What is said where there is none; null: nobody knows whether there is one. */
  readonly none: string | null;
}

/** What is chosen stands first, from wherever it is. */
function Offered({ own, search, chosen, onChosen, offered, none }: OfferedProps) {
  const ids = new Set(chosen.map(({ id }) => id));
  const wanted = search.trim().toLowerCase();
  const others = offered.filter(({ id }) => id !== own && !ids.has(id));
  const found = others.filter(({ name }) => name.toLowerCase().includes(wanted));
  const isFull = chosen.length >= MAX_COMPARED;
  return (
    <>
      <ul>
        {[...chosen, ...found.slice(0, MAX_SHOWN)].map((run) => (
          <li key={run.id}>
            <label className={styles['check']}>
              <input
                type="checkbox"
                checked={ids.has(run.id)}
                disabled={isFull && !ids.has(run.id)}
                onChange={({ target }) =>
                  onChosen(
                    target.checked ? [...chosen, run] : chosen.filter(({ id }) => id !== run.id),
                  )
                }
              />
              <span title={run.name}>{run.name}</span>
            </label>
          </li>
        ))}
      </ul>
      <p className={styles['muted']} role="status">
        {others.length === 0
          ? none
          : found.length === 0
            ? 'No results.'
            : isFull
              ? `At most ${String(MAX_COMPARED)} can be compared.`
              : found.length > MAX_SHOWN &&
                `${formatNumber(MAX_SHOWN)} of ${formatNumber(found.length)}: type to find others.`}
      </p>
    </>
  );
}
