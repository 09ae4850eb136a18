import { ArrowDownToLine, CircleAlert, Search, X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import {
  countRows,
  findRows,
  firstError,
  nextFound,
  rowOf,
  type FoundRows,
  type LogLines,
} from '../../../../shared/runs/launch/log-lines.ts';
import { plainLogText } from '../../../../shared/runs/launch/log-text.ts';
import type { Problem } from '../../../../shared/problem.ts';
import type { LogFinds } from '../../../../shared/runs/launch/log-part.ts';
import type { LogView } from '../../../../shared/runs/launch/log-view.ts';
import { useRunLog, type LogOf } from '../../../state/launched-runs.ts';
import { Button } from '../../../ui/button.tsx';
import { formatBytes, formatCount, formatNumber } from '../../../ui/format.ts';
import { FailedState, LoadingState } from '../../../ui/panel-state.tsx';
import { ProblemNote, Refusal } from '../../../ui/problem-note.tsx';
import { LogFind } from './log-find.tsx';
import { LogRows } from './log-rows.tsx';
import { useLogScroll } from './log-scroll.ts';
import { PlaceBar } from './place-bar.tsx';
import { useLogPlace, useLogSearch } from './use-log-place.ts';
import styles from './log-viewer.module.css';

interface LogViewerProps {
  readonly boxId: string;
  readonly log: LogOf;
  /** What wrote it. */
  readonly name: string;
  readonly title?: string;
  /** Nothing more comes: the run has written its last. */
  readonly onWhole: () => void;
}

/** The log of a run or a cell, read on while this is shown. */
export function LogViewer(props: LogViewerProps) {
  const [attempt, setAttempt] = useState(0);
  return (
    <FollowedLog key={attempt} {...props} onAgain={() => setAttempt((before) => before + 1)} />
  );
}

interface FollowedLogProps extends LogViewerProps {
  readonly onAgain: () => void;
}

function FollowedLog({ boxId, log, name, title = 'Log', onWhole, onAgain }: FollowedLogProps) {
  const feed = useRunLog(boxId, log);
  const isWhole = feed.kind === 'live' && feed.state.state === 'whole';
  const tellWhole = useRef(onWhole);
  useEffect(() => {
    tellWhole.current = onWhole;
  });
  useEffect(() => {
    if (isWhole) tellWhole.current();
  }, [isWhole]);
  const again = <Button onClick={onAgain}>Try again</Button>;
  return (
    <section className={styles['log']} aria-label={title}>
      {feed.kind === 'loading' && <LoadingState title="Opening the log…" />}
      {feed.kind === 'failed' && <FailedState problem={feed.problem} actions={again} />}
      {feed.kind === 'live' && (
        <LogPanel
          boxId={boxId}
          log={log}
          view={feed.state}
          name={name}
          title={title}
          onAgain={onAgain}
        />
      )}
    </section>
  );
}

interface LogPanelProps {
  readonly boxId: string;
  readonly log: LogOf;
  readonly view: LogView;
  readonly name: string;
  readonly title: string;
  readonly onAgain: () => void;
}

/** What a search of the whole log brought, and which of its lines is pointed at. */
interface WholeFinds extends LogFinds {
  readonly query: string;
  readonly pointed: number;
}

function LogPanel({ boxId, log, view, name, title, onAgain }: LogPanelProps) {
  const { isCut, state, problem } = view;
  const scroller = useRef<HTMLDivElement>(null);
  const place = useLogPlace(boxId, log);
  const search = useLogSearch(boxId, log);
  const isLive = place.pages === null;
  const [query, setQuery] = useState('');
  const [whole, setWhole] = useState<WholeFinds | null>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const [goal, setGoal] = useState<{ readonly number: number } | null>(null);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const [said, setSaid] = useState('');
  const scroll = useLogScroll(scroller, place.pages?.lines ?? view.lines, isLive);
  const { lines } = scroll;
  const found = useFound(lines, query);
  const count = countRows(lines);
  const error = firstError(view.lines);

  const { from, to } = scroll;
  const isRead = count > MANY_ROWS && !place.isReading && place.problem === null;
  const extend =
    !isLive && isRead ? (from === 0 ? 'earlier' : to === count ? 'later' : null) : null;
  const now = useRef({ place, scroll });
  useLayoutEffect(() => {
    now.current = { place, scroll };
  });
  // Once the rows of another place are there, it is scrolled to.
  useLayoutEffect(() => {
    if (goal !== null) now.current.scroll.reveal(goal.number);
  }, [goal]);
  useEffect(() => {
    if (extend === null) return undefined;
    const timer = setTimeout(() => now.current.place[extend](), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [extend, lines]);

  function point(number: number | null): void {
    setPointed(number);
    setGoal(number === null ? null : { number });
  }
  async function goTo(at: number): Promise<void> {
    const number = await place.open(at);
    if (number !== null) point(number);
  }
  function leavePlace(): void {
    place.leave();
    setPointed(null);
    scroll.toEnd();
  }

  async function findInWhole(): Promise<void> {
    const answer = await search.ask({ kind: 'text', text: query });
    setRefusal(answer.ok || answer.error.code === 'aborted' ? null : answer.error);
    if (!answer.ok) return;
    setWhole({ ...answer.value, query, pointed: 0 });
    const [first] = answer.value.at;
    if (first !== undefined) await goTo(first);
  }
  function step(way: 'next' | 'previous'): void {
    if (whole === null || whole.at.length === 0) {
      point(nextFound(found, pointed, way));
      return;
    }
    const { length } = whole.at;
    const next = (whole.pointed + (way === 'next' ? 1 : length - 1)) % length;
    setWhole({ ...whole, pointed: next });
    void goTo(whole.at[next] ?? 0);
  }
  async function jumpToFirstError(): Promise<void> {
    if (!isCut) {
      point(error);
      return;
    }
    const answer = await search.ask({ kind: 'first-error' });
    setRefusal(answer.ok || answer.error.code === 'aborted' ? null : answer.error);
    const at = answer.ok ? answer.value.at[0] : undefined;
    if (at !== undefined) await goTo(at);
    else if (answer.ok) setSaid('No line of the whole log tells of an error.');
  }
  const asked = (next: string): void => {
    search.stop();
    setQuery(next);
    setWhole(null);
    setPointed(null);
    setSaid('');
  };
  return (
    <>
      <div className={styles['bar']}>
        <h3>{title}</h3>
        <span className={styles['state']} role="status">
          {isLive && lines === view.lines
            ? STATE_WORDS[state]
            : place.isReading
              ? 'Reading…'
              : 'Not the newest lines'}
        </span>
        <span className={styles['state']}>{formatBytes(view.bytes)}</span>
        <LogFind
          query={query}
          words={whole === null ? findWords(found, pointed) : wholeWords(whole)}
          onQuery={asked}
          onStep={step}
          onLeave={() => scroller.current?.focus()}
        />
        {search.isSearching ? (
          <Button size="small" onClick={search.stop}>
            <X size={14} aria-hidden /> Stop searching
          </Button>
        ) : (
          isCut &&
          query !== '' &&
          whole === null && (
            <Button
              size="small"
              title="On the box, from the first line to the last"
              onClick={() => void findInWhole()}
            >
              <Search size={14} aria-hidden /> Search whole log
            </Button>
          )
        )}
        <Button
          size="small"
          disabled={search.isSearching || (error === null && !isCut)}
          title={
            error === null && !isCut
              ? 'No line of the log tells of an error'
              : 'The first line that tells of an error: a traceback, an exception, a CUDA error'
          }
          onClick={() => void jumpToFirstError()}
        >
          <CircleAlert size={14} aria-hidden /> Jump to first error
        </Button>
        <Button
          size="small"
          aria-pressed={scroll.isFollowing}
          title="Follow the log: new lines scroll into view"
          onClick={isLive ? scroll.toEnd : leavePlace}
        >
          <ArrowDownToLine size={14} aria-hidden /> Jump to end
        </Button>
      </div>
      {problem !== null && (
        <ProblemNote
          problem={problem}
          actions={
            <Button size="small" onClick={onAgain}>
              Try again
            </Button>
          }
        />
      )}
      <Refusal problem={place.problem ?? refusal} />
      {(isCut || !isLive) && <PlaceBar view={view} place={place} onGo={(at) => void goTo(at)} />}
      <p className="sr-only" role="status">
        {pointed === null ? said : plainLogText(rowOf(lines, pointed)?.text ?? '').slice(0, 300)}
      </p>
      {said !== '' && <p className={styles['cut']}>{said}</p>}
      <div
        ref={scroller}
        className={styles['scroller']}
        tabIndex={0}
        role="region"
        aria-label={`Log of ${name}`}
      >
        {count === 0 && <p className={styles['empty']}>{EMPTY_WORDS[state]}</p>}
        <LogRows {...scroll} query={query} pointed={pointed} />
      </div>
    </>
  );
}

/** Where fewer rows fill a part of a log, the next part comes only when it is asked for. */
const MANY_ROWS = 200;
/** A jump to a row goes by way of the edges of a part. */
const SETTLED_MS = 100;

function wholeWords({ lines, at, pointed, size }: WholeFinds): string {
  const of = `in the whole log, ${formatBytes(size)}`;
  if (lines === 0) return `Not found ${of}`;
  const more = lines > at.length ? `, the first ${formatNumber(at.length)} of them reachable` : '';
  return `${formatNumber(pointed + 1)} of ${formatCount(lines, 'line')} ${of}${more}`;
}

const STATE_WORDS: Readonly<Record<LogView['state'], string>> = {
  opening: 'Opening…',
  following: 'Following',
  whole: 'Complete',
  stopped: 'Not followed',
};
const EMPTY_WORDS: Readonly<Record<LogView['state'], string>> = {
  opening: 'Opening the log…',
  following: 'Nothing written.',
  whole: 'The log is empty.',
  stopped: 'Nothing was read.',
};

/** What is found, kept up with a log that grows: each row is looked through once. */
function useFound(lines: LogLines, query: string): FoundRows {
  const [before, setBefore] = useState<FoundRows | null>(null);
  const found = findRows(lines, query, before);
  if (found !== before) setBefore(found);
  return found;
}

function findWords({ query, numbers }: FoundRows, pointed: number | null): string {
  if (query === '') return '';
  if (numbers.length === 0) return 'Not found';
  const at = pointed === null ? -1 : numbers.indexOf(pointed);
  return at === -1
    ? formatCount(numbers.length, 'line')
    : `${String(at + 1)} of ${String(numbers.length)}`;
}
