import { useRef } from 'react';
import { rowByName, type NamedRow } from './selection.ts';

/** Letters that come closer together than this are one name. */
const PAUSE_MS = 900;

type TypeAhead = (key: string, rows: readonly NamedRow[], at: number) => number | null;

/** Letters lead to the entry whose name begins with them. */
export function useTypeAhead(): TypeAhead {
  const typed = useRef({ text: '', atMs: 0 });
  return (key, rows, at) => {
    const nowMs = performance.now();
    const isGoingOn = nowMs - typed.current.atMs < PAUSE_MS;
    const before = isGoingOn ? typed.current.text : '';
    // A name may hold a blank, and none begins with one.
    if (Array.from(key).length !== 1 || (key === ' ' && before === '')) return null;
    const text = before + key;
    typed.current = { text, atMs: nowMs };
    return rowByName(rows, at, text);
  };
}
