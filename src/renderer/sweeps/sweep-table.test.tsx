import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SweepCell } from '../../shared/runs/sweep/sweep-view.ts';
import { details } from '../../shared/detectors/box.fixture.ts';
import { useLaunchView } from '../box/runs/launch/launch-view.ts';
import { useView } from '../state/view.ts';
import { openTestWindow } from '../test-window.fixture.ts';
import { FIRST_ORDER, type SweepRow } from './sweep-rows.ts';
import { SweepTable } from './sweep-table.tsx';

beforeEach(() => {
  openTestWindow();
});
afterEach(cleanup);

const waiting: SweepCell = { state: { kind: 'waiting' }, share: 0, index: 1, isTwice: false };
const row = (place: number, part: Partial<SweepRow> = {}): SweepRow => ({
  ...{ place, name: `seed=${String(place)}`, command: 'x', cell: waiting },
  ...{ box: 'alpha', boxId: 'a', isSeenNow: true, beganAtMs: null, endedAtMs: null },
  ...{ slots: 1, cards: null },
  ...part,
});
const done: Partial<SweepRow> = {
  cell: {
    ...{ state: { kind: 'done', beganAtMs: 0, atMs: 7_200_000 }, share: 0, index: 3 },
    isTwice: false,
  },
  ...{ beganAtMs: 0, endedAtMs: 7_200_000 },
};

function show(rows: readonly SweepRow[], price = true, picked: readonly number[] = []) {
  const [onSort, onPick, onRefused] = [vi.fn(), vi.fn(), vi.fn()];
  const usd = { micros: 1_500_000, currency: 'USD' };
  render(
    <SweepTable
      gpusOf={() => [details({ index: 5, uuid: 'GPU-a' })]}
      {...{ rows, onSort, order: FIRST_ORDER, figure: 'loss' }}
      prices={new Map(price ? [['a', usd]] : [])}
      runOf={() => 'r-1'}
      figureOf={(place) => (place === 0 ? 0.25 : null)}
      best={0}
      picked={new Set(picked)}
      isFull={picked.length > 1}
      onPick={onPick}
      onRefused={onRefused}
      onInView={() => undefined}
    />,
  );
  return { onSort, onPick, onRefused };
}
const shown = (): string[] =>
  screen.getAllByRole('row').flatMap(({ dataset }) => dataset['row'] ?? []);

const focus = (element: HTMLElement | null): void => act(() => element?.focus());
const rowAt = (at: number): HTMLElement | null =>
  document.querySelector(`[data-row="${String(at)}"]`);

function scrollTo(px: number): void {
  const scroller = screen.getByRole('grid').parentElement;
  if (scroller === null) throw new Error('there is no scroller');
  scroller.scrollTop = px;
  fireEvent.scroll(scroller);
}

describe('the table of a sweep', () => {
  it('has only rows in view of ten thousand, and goes through all of them by the keyboard', async () => {
    show(Array.from({ length: 10_000 }, (_, place) => row(place)));
    expect(shown().length).toBeLessThan(100);
    expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('10001');
    const user = userEvent.setup();
    const first = screen.getByRole('row', { name: /seed=0\b/ });
    focus(first);
    await user.keyboard('{ArrowDown}{ArrowDown}');
    expect(document.activeElement?.textContent).toContain('seed=2');
    await user.keyboard('{Home}');
    expect(document.activeElement).toBe(first);
    expect(shown().filter((at) => at !== '')).not.toHaveLength(0);
    // One Tab stop for all of them.
    expect(document.querySelectorAll('tr[tabindex="0"]')).toHaveLength(1);
  });

  it('shows the rows that come by the elements of those that go, and reads them in their order', () => {
    show(Array.from({ length: 10_000 }, (_, place) => row(place)));
    const elements = (): readonly Element[] => [...document.querySelectorAll('tr[data-row]')];
    const before = elements();
    scrollTo(30 * 500);
    expect(elements()).toEqual(before);
    expect(rowAt(500)?.textContent).toContain('seed=500');
    expect(rowAt(0)).toBeNull();
    const owner = document.querySelector('tbody')?.getAttribute('aria-owns')?.split(' ') ?? [];
    const read = owner.map((id) => Number(document.getElementById(id)?.dataset['row']));
    expect(read).toEqual(before.map((_, at) => (read[0] ?? NaN) + at));
  });

  it('keeps the focus while it is scrolled, and goes on from there', async () => {
    show(Array.from({ length: 10_000 }, (_, place) => row(place)));
    const first = rowAt(0);
    focus(first);
    scrollTo(30 * 500);
    expect(document.activeElement).toBe(first);
    expect(first?.textContent).toContain('seed=0');
    await userEvent.setup().keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(rowAt(1));
    focus(screen.getByRole('button', { name: 'loss' }));
    scrollTo(30 * 900);
    expect(document.activeElement?.textContent).toBe('loss');
  });

  it('keeps the focus on its row when the view gets another height, wherever that row is shown then', async () => {
    let resized = (): void => undefined;
    vi.stubGlobal(
      'ResizeObserver',
      class {
        constructor(look: () => void) {
          resized = look;
        }
        observe(): void {
          // told by the test
        }
        disconnect(): void {
          // as above
        }
      },
    );
    const { onPick } = show(Array.from({ length: 10_000 }, (_, place) => row(place, done)));
    const scroller = screen.getByRole('grid').parentElement;
    const toHeight = (px: number): void => {
      Object.defineProperty(scroller, 'clientHeight', { configurable: true, value: px });
      act(() => resized());
    };
    toHeight(1234);
    focus(rowAt(50));
    toHeight(434);
    expect(document.activeElement).toBe(rowAt(50));
    // In elements that are more, another one has it.
    toHeight(1034);
    expect(document.activeElement).toBe(rowAt(50));
    await userEvent.setup().keyboard('{ }');
    expect(onPick.mock.calls.map(([picked]) => (picked as SweepRow).place)).toEqual([50]);
    focus(screen.getByRole('button', { name: 'loss' }));
    toHeight(634);
    expect(document.activeElement?.textContent).toBe('loss');
    vi.unstubAllGlobals();
  });

  it('is entered by Tab where it is in view', async () => {
    show(Array.from({ length: 10_000 }, (_, place) => row(place)));
    scrollTo(30 * 500);
    const stop = document.querySelector<HTMLElement>('tr[tabindex="0"]');
    expect(Number(stop?.dataset['row'])).toBeGreaterThan(490);
    focus(stop);
    await userEvent.setup().keyboard('{ArrowDown}');
    expect(document.activeElement?.getAttribute('data-row')).toBe(
      String(Number(stop?.dataset['row']) + 1),
    );
  });

  it('tells what a cell took, what its log said last, and what that cost', () => {
    show([row(0, done)]);
    const text = screen.getByRole('row', { name: /seed=0/ }).textContent;
    expect(text).toContain('2\u00a0h');
    expect(text).toContain('0.25');
    expect(text).toContain('$3.00');
  });

  it('says on which card a cell runs, and shares the price of its box with those beside it', () => {
    show([row(0, { ...done, slots: 3 }), row(1, { cards: 'GPU-a' })]);
    expect(screen.getByRole('row', { name: /seed=0/ }).textContent).toContain('$1.00');
    expect(screen.getByRole('row', { name: /seed=1/ }).textContent).toContain('alpha · GPU 5');
  });

  it('never shows a cost that is not known as nothing', () => {
    show([row(0, done), row(1)], false);
    expect(screen.getByRole('row', { name: /seed=0/ }).textContent).toMatch(/no full price$/);
    expect(screen.getByRole('row', { name: /seed=1/ }).textContent).toMatch(/–$/);
  });

  it('names what is missing where the end of a cell was not seen', () => {
    show([row(0, { ...done, endedAtMs: null, isSeenNow: false })]);
    const text = screen.getByRole('row', { name: /seed=0/ }).textContent;
    expect(text).toMatch(/end not seen.*end not seen$/);
  });

  it('opens the log of a cell that has begun with Enter', async () => {
    show([row(0, done)]);
    focus(screen.getByRole('row', { name: /seed=0/ }));
    await userEvent.setup().keyboard('{Enter}');
    expect(useView.getState().page).toEqual({ kind: 'box', boxId: 'a', tab: 'runs' });
    expect(useLaunchView.getState()['a']).toMatchObject({
      opened: 'r-1',
      openedCell: { index: 3, name: 'seed=0' },
    });
  });

  it('marks the best cell with a word', () => {
    show([row(0, done), row(1, done)]);
    expect(screen.getByRole('row', { name: /seed=0/ }).textContent).toContain('0.25 best');
    expect(screen.getByRole('row', { name: /seed=1/ }).textContent).not.toContain('best');
  });

  it('takes cells for their curves with Space: those that have begun, and not too many', async () => {
    const { onPick } = show([row(0, done), row(1), row(2, done), row(3, done)], true, [2, 3]);
    const user = userEvent.setup();
    focus(screen.getByRole('row', { name: /seed=0/ }));
    await user.keyboard('{ }{ArrowDown}{ }{ArrowDown}{ }');
    expect(onPick.mock.calls.map(([picked]) => (picked as SweepRow).place)).toEqual([2]);
    const row2 = screen.getByRole('row', { name: /seed=2/ });
    expect(row2.getAttribute('aria-selected')).toBe('true');
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /seed=0/ }).disabled).toBe(true);
    // One that waits has nothing to draw.
    expect(screen.queryByRole('checkbox', { name: /seed=1/ })).toBeNull();
  });

  it('says why a cell is not taken: too many are, or it has not begun', async () => {
    const { onRefused } = show([row(0, done), row(1), row(2, done), row(3, done)], true, [2, 3]);
    focus(screen.getByRole('row', { name: /seed=0/ }));
    await userEvent.setup().keyboard('{ }{ArrowDown}{ }');
    expect(onRefused.mock.calls).toEqual([
      ['The curves of at most 6 cells are drawn: hide those of another first.'],
      ['A cell that has not begun on a box of the list has no curves.'],
    ]);
  });

  it('goes on by the keyboard from a cell whose box was clicked', async () => {
    const { onPick } = show([row(0, done), row(1, done), row(2, done)]);
    const user = userEvent.setup();
    await user.click(screen.getByRole('checkbox', { name: /seed=1/ }));
    expect(document.activeElement).toBe(screen.getByRole('row', { name: /seed=1/ }));
    await user.keyboard('{ArrowDown}{ }');
    expect(onPick.mock.calls.map(([picked]) => (picked as SweepRow).place)).toEqual([1, 2]);
  });

  it('is sorted by its headings', async () => {
    const { onSort } = show([row(0)]);
    await userEvent.setup().click(screen.getByRole('button', { name: 'loss' }));
    expect(onSort).toHaveBeenCalledWith('figure');
    expect(screen.getByRole('columnheader', { name: 'No.' }).getAttribute('aria-sort')).toBe(
      'ascending',
    );
  });
});
