import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { countRows, type LogLines } from '../../../../shared/runs/launch/log-lines.ts';

/** As log-viewer.module.css has it. Rows do not wrap, so that nothing need be measured (docs/decisions/0021). */
export const LOG_ROW_PX = 18;
/** Beyond the edges, so that a quick turn of the wheel meets no empty place. */
const OVERSCAN = 20;
/** Until the first layout, and where there is none. */
const FIRST_ROWS = 50;

interface Looked {
  /** The number of the row at the top. */
  readonly top: number;
  readonly rows: number;
}

/** Which rows a view of so many shows, counted from the first that is kept. */
export function selectLogRows(
  { top, rows }: Looked,
  log: { readonly first: number; readonly count: number },
  isFollowing: boolean,
): { readonly from: number; readonly to: number } {
  const last = Math.max(0, log.count - rows);
  const begin = isFollowing ? last : Math.min(last, Math.max(0, top - log.first));
  return {
    from: Math.max(0, begin - OVERSCAN),
    to: Math.min(log.count, begin + rows + OVERSCAN),
  };
}

/** Between these two everything that the older one has was let go. */
const isApart = (before: LogLines, now: LogLines): boolean =>
  now.first > before.first + before.rows.length;

/** Who reads further up keeps what is there, also while the log grows faster than anybody sees. */
function useReadLines(newest: LogLines, isFollowing: boolean, canFollow: boolean): LogLines {
  const [held, setHeld] = useState(newest);
  const isRead = canFollow && !isFollowing && isApart(held, newest);
  const lines = isRead ? held : newest;
  if (lines !== held) setHeld(lines);
  return lines;
}

/** Shows of a log what is in view; at its end it follows what comes, and elsewhere it stays at the rows it shows. */
export function useLogScroll(
  scroller: RefObject<HTMLElement | null>,
  newest: LogLines,
  /** These are the newest rows, and not another part of the log. */
  canFollow: boolean,
) {
  const [wantsToFollow, setWantsToFollow] = useState(true);
  const isFollowing = wantsToFollow && canFollow;
  const lines = useReadLines(newest, isFollowing, canFollow);
  const { first } = lines;
  const count = countRows(lines);
  const [looked, setLooked] = useState<Looked>({ top: 0, rows: FIRST_ROWS });
  const shown = useRef({ first, isFollowing, canFollow });
  // The scroll event of our own jump must not be taken for the person's way back to the end.
  const isOwnJump = useRef(false);

  useLayoutEffect(() => {
    const element = scroller.current;
    const gone = first - shown.current.first;
    shown.current = { first, isFollowing, canFollow };
    if (element === null) return;
    if (isFollowing) element.scrollTo({ top: element.scrollHeight });
    else if (gone !== 0)
      element.scrollTo({ top: Math.max(0, element.scrollTop - gone * LOG_ROW_PX) });
  }, [scroller, first, count, isFollowing, canFollow]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    // At the end the rows in view follow from what there is: a render for each jump there would cost a frame of a fast log.
    const look = (isAtEnd: boolean): void => {
      const { scrollTop, clientHeight } = element;
      const top = shown.current.first + Math.floor(scrollTop / LOG_ROW_PX);
      const rows = clientHeight > 0 ? Math.ceil(clientHeight / LOG_ROW_PX) + 1 : FIRST_ROWS;
      setLooked((now) => ((isAtEnd || now.top === top) && now.rows === rows ? now : { top, rows }));
    };
    const scrolled = (): void => {
      const { scrollTop, scrollHeight, clientHeight } = element;
      let isAtEnd =
        shown.current.canFollow && scrollHeight - scrollTop - clientHeight < 2 * LOG_ROW_PX;
      if (isOwnJump.current) {
        isOwnJump.current = false;
        isAtEnd = false;
      } else setWantsToFollow(isAtEnd);
      look(isAtEnd);
    };
    const resized = (): void => {
      const { isFollowing: isAtEnd } = shown.current;
      if (isAtEnd) element.scrollTo({ top: element.scrollHeight });
      look(isAtEnd);
    };
    look(shown.current.isFollowing);
    const observer = new ResizeObserver(resized);
    observer.observe(element);
    element.addEventListener('scroll', scrolled, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', scrolled);
    };
  }, [scroller]);

  function reveal(number: number): void {
    const element = scroller.current;
    if (element === null) return;
    setWantsToFollow(false);
    setLooked(({ rows }) => ({ rows, top: number - Math.floor(rows / 3) }));
    const inView = element.clientHeight / LOG_ROW_PX;
    const top = number - first - Math.floor(inView / 3);
    const before = element.scrollTop;
    element.scrollTo({ top: Math.max(0, top * LOG_ROW_PX) });
    isOwnJump.current = element.scrollTop !== before;
  }
  return {
    lines,
    isFollowing,
    reveal,
    toEnd: () => setWantsToFollow(true),
    ...selectLogRows(looked, { first, count }, isFollowing),
  };
}
