import { act, cleanup, render, screen } from '@testing-library/react';
import { Profiler } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { openTestWindow } from '../test-window.fixture.ts';
import { sampleEntry } from './fleet-entry.fixture.ts';
import { RailRow } from './rail-row.tsx';

const NOW_MS = 1_800_000_000_000;

beforeEach(() => void vi.useFakeTimers({ now: NOW_MS }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

/** How often the row is drawn in three seconds in which nothing comes of its box. */
function drawnIn3s(entry: FleetEntry): number {
  openTestWindow([entry]);
  let count = 0;
  render(
    <Profiler id="row" onRender={() => (count += 1)}>
      <RailRow entry={entry} place={1} count={1} isCurrent={false} isTabStop />
    </Profiler>,
  );
  const before = count;
  act(() => void vi.advanceTimersByTime(3000));
  return count - before;
}

it('is not drawn anew each second where its words stay the same', () => {
  expect(drawnIn3s(sampleEntry())).toBe(0);
});

it('goes on to tell the time that passes', () => {
  const retryAtMs = NOW_MS + 20_000;
  const { link: _, ...rest } = sampleEntry();
  const problem = { code: 'unreachable', message: 'No answer.', hint: null } as never;
  const entry = {
    ...rest,
    link: { kind: 'waiting', attempt: 2, retryAtMs, problem },
  } as FleetEntry;
  expect(drawnIn3s(entry)).toBe(1);
  expect(screen.getByText(/17.*attempt 2/)).toBeDefined();
});

it('says once why there is no load, and not that it is unknown besides', () => {
  drawnIn3s(sampleEntry({ load: { kind: 'unreported' } }));
  expect(screen.getByText('load missing')).toBeDefined();
  expect(screen.queryByText('unknown')).toBeNull();
});
