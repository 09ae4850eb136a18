import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BoxClocks } from '../../shared/streams/meter-stream.ts';
import type { BoxBehind } from '../../shared/transfer/behind.ts';
import { at, HOUR_MS as H, sampleBoxClocks, sampleClock } from '../clocks/clocks.fixture.ts';
import { sampleEntry } from '../fleet/fleet-entry.fixture.ts';
import { openFeeds } from '../state/feeds.ts';
import { createStreamClient } from '../state/stream-client.ts';
import { useView } from '../state/view.ts';
import { openTestWindow } from '../test-window.fixture.ts';
import { TimelinePage } from './timeline-page.tsx';

const NOW = Date.parse('2026-11-20T12:00:00Z');

async function openPage(
  boxes: Readonly<Record<string, BoxClocks>>,
  behind: Readonly<Record<string, BoxBehind>> = {},
): Promise<void> {
  const bridge = openTestWindow(
    Object.keys(boxes).map((name) => sampleEntry({ link: { kind: 'idle' } }, { id: name, name })),
  );
  bridge.serve('clocks', { boxes });
  bridge.serve('behind', { boxes: behind });
  await act(async () => {
    closers.push(openFeeds(createStreamClient(bridge)));
    await Promise.resolve();
    render(<TimelinePage />);
  });
}

const rows = (): HTMLElement[] => within(screen.getByRole('table')).getAllByRole('row');
const plain = (element: HTMLElement | undefined): string =>
  (element?.textContent ?? '').replace(/\u00a0/g, ' ');

const closers: (() => void)[] = [];
beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ['Date'] }));
afterEach(() => {
  cleanup();
  for (const close of closers.splice(0)) close();
  vi.useRealTimers();
});

describe('the timeline', () => {
  it('says in words, for each box, what its picture shows', async () => {
    await openPage({
      quiet: sampleBoxClocks([]),
      soon: sampleBoxClocks([
        sampleClock({ due: at(NOW + 5 * H) }),
        sampleClock({ id: 'b', due: at(NOW + 50 * H, true), event: 'Rental ends' }),
        sampleClock({ id: 'c', due: { kind: 'unknown', because: 'not told' } }),
      ]),
      over: sampleBoxClocks([sampleClock({ due: at(NOW - H) })]),
    });
    const [, over, soon, quiet, total] = rows();
    expect(plain(over)).toMatch(
      /^over.*Auto release.*Time over for 1 h.*whether it has happened is not known/,
    );
    expect(plain(soon)).toMatch(
      /^soon.*Auto release.*5 h left.*auto release deletes.*then 1 more · 1 deadline may be running/,
    );
    expect(plain(soon)).toMatch(
      /about Sun 22 Nov 2026.*Rental ends.*–Connect to see whether it runs$/,
    );
    expect(plain(quiet)).toMatch(/^quiet.*Nothing scheduled.*–Connect to see whether it runs$/);
    expect(plain(total)).toMatch(
      /^All boxesExcludes 3 boxes without a full price–No box has a price, or none is connected$/,
    );
  });

  it('says what is on a box and not here, how long that takes, and where it is not known', async () => {
    const clocks = sampleBoxClocks([sampleClock({ due: at(NOW + H) })]);
    const seen = { atMs: NOW, files: 9, bytes: 18e9, checkpoints: 4, scratchBytes: 0 };
    const known: BoxBehind = {
      runs: [{ runId: 'r', runName: 'train', seen, problem: null }],
      ...{ unseenRuns: 0, rate: { bytesPerS: 41e6, atMs: NOW } },
    };
    await openPage({ known: clocks, unseen: clocks }, { known });
    const [, first, second] = rows();
    expect(plain(first)).toContain('18.0 GB behind, 7 min to bring home');
    expect(plain(second)).toMatch(
      /backup unchecked.*Connect the box to check what is not backed up/,
    );
  });

  it('is one Tab stop, walked by arrows, and opens a box', async () => {
    const boxes = Object.fromEntries(
      Array.from({ length: 100 }, (_none, i) => [
        `box-${String(i).padStart(2, '0')}`,
        sampleBoxClocks([sampleClock({ due: at(NOW + (i + 1) * H) })]),
      ]),
    );
    await openPage(boxes);
    // As a browser does it.
    Element.prototype.scrollTo = function (this: Element, options?: ScrollToOptions | number) {
      this.scrollTop = typeof options === 'object' ? (options.top ?? 0) : 0;
      this.dispatchEvent(new Event('scroll'));
    };
    expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('102');
    expect(rows().length).toBeLessThan(40);
    const user = userEvent.setup();
    await user.tab();
    expect(document.activeElement?.textContent).toBe('box-00');
    await user.keyboard('{ArrowDown}{End}');
    expect(document.activeElement?.textContent).toBe('box-99');
    expect(screen.queryByRole('button', { name: 'box-00' })).toBeNull();
    await user.keyboard('{Home}');
    expect(document.activeElement?.textContent).toBe('box-00');
    await user.keyboard('{End}{Enter}');
    expect(useView.getState().page).toMatchObject({ kind: 'box', boxId: 'box-99' });
  });

  it('says what will stand here where there is no box', async () => {
    await openPage({});
    expect(screen.getByRole('heading', { name: 'No boxes' })).toBeDefined();
    expect(screen.queryByRole('table')).toBeNull();
  });
});
