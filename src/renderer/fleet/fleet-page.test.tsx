import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FleetView } from '../../shared/settings/fleet-view.ts';
import type { FakeBridge } from '../state/fake-bridge.fixture.ts';
import { openFeeds } from '../state/feeds.ts';
import { createStreamClient } from '../state/stream-client.ts';
import { StreamProvider } from '../state/stream-context.ts';
import { useView } from '../state/view.ts';
import { NOTHING_REMEMBERED, openTestWindow } from '../test-window.fixture.ts';
import { SAMPLE_FIGURES, sampleEntry, SEEN_MS } from './fleet-entry.fixture.ts';
import { FleetPage } from './fleet-page.tsx';
import { useFleetViewState } from './fleet-view.ts';

const idOf = (n: number): string => `${String(n).padStart(8, '0')}-1111-4111-8111-111111111111`;
const entries = Array.from({ length: 200 }, (_none, n) =>
  sampleEntry(n === 5 ? { link: { kind: 'idle' }, load: null } : {}, {
    id: idOf(n),
    name: `box-${String(n)}`,
    platform: n % 2 === 0 ? 'runpod' : 'vastai',
    tags: n === 7 ? ['ablation'] : n === 9 ? ['paper', 'team vision', 'neurips'] : [],
  }),
);

let closeFeeds: () => void;
async function openPage(fleet: Partial<FleetView> = {}): Promise<FakeBridge> {
  const bridge = openTestWindow(entries);
  useFleetViewState.setState(useFleetViewState.getInitialState(), true);
  bridge.serve('remembered', {
    ...NOTHING_REMEMBERED,
    fleet: { ...NOTHING_REMEMBERED.fleet, ...fleet },
  });
  bridge.serve('sparks', { boxes: {} });
  const client = createStreamClient(bridge);
  await act(async () => {
    closeFeeds = openFeeds(client);
    await Promise.resolve();
    render(
      <StreamProvider value={client}>
        <FleetPage />
      </StreamProvider>,
    );
  });
  return bridge;
}

beforeEach(() => void vi.useFakeTimers({ now: SEEN_MS + 1000, toFake: ['Date'] }));
afterEach(() => {
  cleanup();
  closeFeeds();
  vi.useRealTimers();
});

const rowOf = (name: string) => {
  const row = within(screen.getByLabelText('Boxes', { selector: 'table' }))
    .getByText(name, { exact: true })
    .closest<HTMLElement>('tr');
  if (row === null) throw new Error(`${name} has no row`);
  return row;
};

describe('FleetPage', () => {
  it('keeps of many boxes only those in view in the page, and says how many there are', async () => {
    await openPage();
    const grid = screen.getByRole('grid', { name: 'Boxes' });
    expect(within(grid).getAllByRole('row').length).toBeLessThan(50);
    expect(grid.getAttribute('aria-rowcount')).toBe('202');
    expect(rowOf('box-0').getAttribute('aria-rowindex')).toBe('3');
  });

  it('shows each sample as it comes, and until then the load that the list tells', async () => {
    const bridge = await openPage();
    const cells = () => rowOf('box-0').textContent.replaceAll('\u00a0', ' ');
    expect(cells()).toContain('70 %');
    const smPct = 33;
    const figures = { ...SAMPLE_FIGURES, atMs: SEEN_MS + 1000, smPct, powerW: 444 };
    act(() => bridge.publish('figures', [{ boxId: idOf(0), figures }]));
    expect(cells()).toContain('33 %');
    expect(cells()).toContain('444 / 800 W');
    act(() =>
      bridge.publish('fleet', [
        {
          kind: 'change',
          boxId: idOf(0),
          part: { load: { kind: 'stale', seenAtMs: SEEN_MS - 9000 } },
        },
      ]),
    );
    // The figures that came last are the past now.
    expect(cells()).toContain('seen 10 s ago');
    expect(cells()).not.toMatch(/33 %|444/);
    cleanup();
    expect(bridge.callsTo('stream:close')).toHaveLength(2);
  });

  it('says beside a sum how many boxes are not in it, shortly and in full', async () => {
    await openPage();
    const [, totals] = within(screen.getByRole('grid', { name: 'Boxes' })).getAllByRole('row');
    const sums = await within(totals as HTMLElement).findAllByTitle(
      'Not in this sum: 1 box without a reading',
    );
    expect(sums).toHaveLength(2);
    for (const sum of sums)
      expect(sum.textContent).toMatch(/\+ 1 not read and 1 box without a reading$/);
  });

  it('shows the first tag and how many more there are, and tells them all', async () => {
    await openPage();
    const row = rowOf('box-9');
    expect(row.textContent).toContain('paper+2team vision, neurips');
    expect(within(row).getByRole('button', { name: 'box-9' }).title).toContain(
      'Tags: paper, team vision, neurips',
    );
  });

  it('sorts by a heading, the other way round at the second press, and no more at the third', async () => {
    const bridge = await openPage();
    const user = userEvent.setup();
    const heading = () => screen.getByRole('columnheader', { name: 'SM' });
    expect(heading().getAttribute('aria-sort')).toBe('none');
    const press = () => user.click(within(heading()).getByRole('button'));
    await press();
    expect(heading().getAttribute('aria-sort')).toBe('descending');
    await press();
    expect(heading().getAttribute('aria-sort')).toBe('ascending');
    await press();
    expect(heading().getAttribute('aria-sort')).toBe('none');
    expect(bridge.callsTo('remembered:change')).toMatchObject([
      { patch: { fleet: { sortBy: 'sm', isDescending: true } } },
      { patch: { fleet: { sortBy: 'sm', isDescending: false } } },
      { patch: { fleet: { sortBy: null, isDescending: false } } },
    ]);
  });

  it('stands as it was left: order, groups, folded ones and the filter', async () => {
    const bridge = await openPage({
      groupBy: 'platform',
      collapsed: ['platform:runpod'],
      filter: { text: 'box-1', states: [] },
    });
    const field = screen.getByRole('textbox', { name: 'Filter boxes' });
    expect(field).toHaveProperty('value', 'box-1');
    const grid = screen.getByRole('treegrid', { name: 'Boxes' });
    const folded = within(grid).getByRole('row', { name: /^RunPod/ });
    expect(folded.getAttribute('aria-expanded')).toBe('false');
    expect(within(grid).queryByText('box-10')).toBeNull();
    expect(within(grid).getByText('box-11')).toBeDefined();
    await userEvent.setup().click(screen.getByRole('button', { name: 'Clear' }));
    expect(bridge.callsTo('remembered:change')).toMatchObject([
      {
        patch: {
          fleet: { groupBy: 'platform', collapsed: ['platform:runpod'], filter: { text: '' } },
        },
      },
    ]);
  });

  it('filters from anywhere with /, counts, and says when nothing fits', async () => {
    await openPage();
    const user = userEvent.setup();
    await user.keyboard('/');
    const field = screen.getByRole('textbox', { name: 'Filter boxes' });
    expect(document.activeElement).toBe(field);
    await user.keyboard('ablation');
    expect(rowOf('box-7')).toBeDefined();
    expect(screen.getByText('1 of 200')).toBeDefined();
    await user.keyboard(' nowhere');
    expect(screen.getByRole('heading', { name: 'No box fits the filter' })).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Clear the filter' }));
    expect(rowOf('box-0')).toBeDefined();
    expect(screen.queryByText(/ of 200/)).toBeNull();
  });

  it('filters by state', async () => {
    await openPage();
    const chip = screen.getByRole('button', { name: /not connected/ });
    await userEvent.setup().click(chip);
    expect(chip.getAttribute('aria-pressed')).toBe('true');
    expect(screen.getByText('1 of 200')).toBeDefined();
    expect(rowOf('box-5').textContent).toContain('never');
  });

  it('is one tab stop, moves by arrows, pages and ends, and opens by Enter', async () => {
    await openPage();
    const user = userEvent.setup();
    const stops = () => document.querySelectorAll('tbody tr[tabindex="0"]');
    expect(stops()).toHaveLength(1);
    act(() => rowOf('box-0').focus());
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}');
    expect(document.activeElement).toBe(rowOf('box-1'));
    expect(stops()).toHaveLength(1);
    await user.keyboard('{ArrowRight}');
    expect(document.activeElement?.tagName).toBe('BUTTON');
    await user.keyboard('{ArrowLeft}{Home}');
    expect(document.activeElement).toBe(rowOf('box-0'));
    await user.keyboard('{ArrowDown}{Enter}');
    expect(useView.getState().page).toMatchObject({ kind: 'box', boxId: idOf(1) });
  });

  it('groups, folds a group by key and unfolds it, and sums up each', async () => {
    await openPage({ groupBy: 'platform' });
    const user = userEvent.setup();
    const grid = screen.getByRole('treegrid', { name: 'Boxes' });
    const head = within(grid).getByRole('row', { name: /^RunPod 100 boxes/ });
    expect(head.getAttribute('aria-expanded')).toBe('true');
    act(() => head.focus());
    await user.keyboard('{ArrowLeft}');
    expect(head.getAttribute('aria-expanded')).toBe('false');
    expect(within(grid).queryByText('box-0')).toBeNull();
    expect(within(grid).getByText('box-1')).toBeDefined();
    await user.keyboard('{ArrowRight}');
    expect(within(grid).getByText('box-0')).toBeDefined();
  });
});
