import { useEffect, useRef, useState } from 'react';
import type { FindingsState } from '../../shared/streams/findings-stream.ts';
import type { FleetState } from '../../shared/streams/fleet-stream.ts';
import { linkStateWord } from '../box/link-words.ts';
import { selectAllEntries, selectEntry, useFindings, useFleet } from '../state/feeds.ts';
import type { Feed } from '../state/stream-client.ts';
import { useView } from '../state/view.ts';
import { alarmWords, keysOf, selectNew, type KeysSeen } from './new-critical.ts';
import { resolvePage } from './resolve-page.ts';

/** A fault of a whole rack comes in bursts; what came meanwhile is said together. */
const ALARM_EVERY_MS = 10_000;

/**
 * Tells screen readers when the link of the box that is shown changes its state, and what is found to be critical on any box.
 * Never samples, and no link of a box that is not shown: a hundred boxes that reconnect would talk without end.
 */
export function Announcer() {
  const page = useView((view) => view.page);
  const words = useFleet((feed: Feed<FleetState>) => {
    const entries = selectAllEntries(feed);
    const shown = resolvePage(page, entries);
    if (shown.kind !== 'box') return '';
    const entry = entries.find(({ box }) => box.id === shown.boxId);
    return entry === undefined ? '' : `${entry.box.name}: ${linkStateWord(entry.link)}`;
  });
  const alarm = useAlarm();
  return (
    <>
      <div className="sr-only" role="status" aria-live="polite">
        {words}
      </div>
      <div className="sr-only" role="status" aria-live="polite" aria-label="Critical findings">
        {alarm}
      </div>
    </>
  );
}

const selectFindings = (feed: Feed<FindingsState>): FindingsState | null =>
  feed.kind === 'live' ? feed.state : null;

function useAlarm(): string {
  const findings = useFindings(selectFindings);
  const [words, setWords] = useState('');
  /** Null: what was there when the window opened is on the screen, and no news. */
  const told = useRef<KeysSeen | null>(null);
  const saidAtMs = useRef(-Infinity);
  useEffect(() => {
    if (findings === null) return undefined;
    told.current ??= keysOf(findings);
    const say = (): void => {
      const news = selectNew(findings, told.current ?? new Set());
      told.current = keysOf(findings);
      if (news.length === 0) return;
      saidAtMs.current = performance.now();
      setWords(alarmWords(news, nameOf));
    };
    const waitMs = saidAtMs.current + ALARM_EVERY_MS - performance.now();
    if (waitMs <= 0) {
      say();
      return undefined;
    }
    const timer = setTimeout(say, waitMs);
    return () => clearTimeout(timer);
  }, [findings]);
  return words;
}

function nameOf(boxId: string): string {
  return selectEntry(boxId)(useFleet.getState())?.box.name ?? 'a box';
}
