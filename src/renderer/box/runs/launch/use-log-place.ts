import { useCallback, useEffect, useRef, useState } from 'react';
import {
  MAX_PART_BYTES,
  type LogFinds,
  type LogPart,
  type LogWanted,
} from '../../../../shared/runs/launch/log-part.ts';
import type { Problem } from '../../../../shared/problem.ts';
import type { Result } from '../../../../shared/result.ts';
import { call } from '../../../state/bridge.ts';
import type { LogOf } from '../../../state/launched-runs.ts';
import {
  earlierOf,
  laterOf,
  pagesFrom,
  rowAtPage,
  withEarlier,
  withLater,
  type LogPages,
} from './log-pages.ts';

/** What is read before a line that is jumped to. */
const BEFORE_BYTES = 64 * 1024;

/** A place of a log that the window does not hold: read from the box in parts, as they are needed. */
export interface LogPlace {
  /** Null: the newest lines are shown, as they come. */
  readonly pages: LogPages | null;
  readonly isReading: boolean;
  readonly problem: Problem | null;
  /** Shows the line that begins at this byte; answers its number, null where it could not be read. */
  readonly open: (at: number) => Promise<number | null>;
  readonly earlier: () => void;
  readonly later: () => void;
  /** Back to the newest lines. */
  readonly leave: () => void;
}

export function useLogPlace(boxId: string, { runId, cell }: LogOf): LogPlace {
  const [pages, setPages] = useState<LogPages | null>(null);
  const [isReading, setIsReading] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  /** Where the person went last: an answer for somewhere else comes too late. */
  const newest = useRef(0);
  const isBusy = useRef(false);

  async function read(from: number, until: number): Promise<Result<LogPart, Problem>> {
    return call('runs:read-log', { boxId, id: runId, cell: cell ?? null, from, until });
  }

  async function open(at: number): Promise<number | null> {
    const mine = (newest.current += 1);
    setIsReading(true);
    const from = Math.max(0, at - BEFORE_BYTES);
    // The part before it and its own part, so that the row is counted and not guessed.
    const [own, before] = await Promise.all([
      read(at, at + MAX_PART_BYTES - BEFORE_BYTES),
      at === 0 ? null : read(from, at),
    ]);
    if (mine !== newest.current) return null;
    setIsReading(false);
    const failed = [own, before].find((each) => each?.ok === false);
    if (!own.ok || failed !== undefined) {
      setProblem(failed?.ok === false ? failed.error : null);
      return null;
    }
    const alone = pagesFrom(own.value);
    const opened = before?.ok === true ? withEarlier(alone, before.value) : alone;
    setProblem(null);
    setPages(opened);
    return rowAtPage(opened, own.value.from);
  }

  async function extend(
    way: (log: LogPages, part: LogPart) => LogPages,
    range: { readonly from: number; readonly until: number } | null,
  ): Promise<void> {
    if (range === null || isBusy.current) return;
    const mine = newest.current;
    isBusy.current = true;
    setIsReading(true);
    const part = await read(range.from, range.until);
    isBusy.current = false;
    if (mine !== newest.current) return;
    setIsReading(false);
    setProblem(part.ok ? null : part.error);
    if (part.ok) setPages((now) => (now === null ? null : way(now, part.value)));
  }

  return {
    pages,
    isReading,
    problem,
    open,
    earlier: () => void extend(withEarlier, pages === null ? null : earlierOf(pages)),
    later: () => void extend(withLater, pages === null ? null : laterOf(pages)),
    leave: () => {
      newest.current += 1;
      setPages(null);
      setIsReading(false);
      setProblem(null);
    },
  };
}

/** A search of the whole log on the box; one at a time. */
export interface LogSearch {
  readonly isSearching: boolean;
  readonly ask: (wanted: LogWanted) => Promise<Result<LogFinds, Problem>>;
  readonly stop: () => void;
}

export function useLogSearch(boxId: string, { runId, cell }: LogOf): LogSearch {
  const [isSearching, setIsSearching] = useState(false);
  /** How many were asked for; only the newest one is waited for. */
  const asked = useRef(0);
  const isUnderWay = useRef(false);
  const stop = useCallback(() => {
    if (isUnderWay.current) void call('runs:stop-finding', { boxId });
  }, [boxId]);
  useEffect(() => stop, [stop]);
  return {
    isSearching,
    stop,
    ask: async (wanted) => {
      const mine = (asked.current += 1);
      isUnderWay.current = true;
      setIsSearching(true);
      const input = { boxId, id: runId, cell: cell ?? null, wanted };
      const answer = await call('runs:find-in-log', input);
      if (mine === asked.current) {
        isUnderWay.current = false;
        setIsSearching(false);
      }
      return answer;
    },
  };
}
