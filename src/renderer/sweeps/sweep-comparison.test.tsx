import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { problem } from '../../shared/problem.ts';
import { openTestWindow } from '../test-window.fixture.ts';
import { likelyBetter } from './likely-better.ts';
import { bestOf, comparedOf } from './sweep-compare.ts';
import { SweepComparison } from './sweep-comparison.tsx';
import { endedRow } from './sweep-row.fixture.ts';
import type { ReadFigures } from './use-cell-figures.ts';

beforeEach(() => {
  openTestWindow();
});
afterEach(cleanup);

const LONG = `lr=0.1 note=${'x'.repeat(120)}`;
const rows = [endedRow(0, 'lr=0.1'), endedRow(1, LONG), endedRow(2, 'lr=0.3', { beganAtMs: null })];
const READ: ReadFigures = { names: [], figuresOf: () => ({}), isReading: false, problem: null };

function show(part: Partial<ReadFigures>, figure: string | null = 'loss'): void {
  const read = { ...READ, ...part };
  const figureOf = (place: number): number | null =>
    figure === null ? null : (read.figuresOf(place)?.[figure] ?? null);
  const cells = comparedOf(rows, figureOf);
  const better = figure === null ? null : likelyBetter(figure);
  render(
    <SweepComparison
      {...{ rows, read, figure, figureOf, cells, better, roster: rows }}
      best={bestOf(cells, better)}
      onBetter={() => undefined}
    />,
  );
}
const status = (): string =>
  screen
    .getAllByRole('status')
    .map(({ textContent }) => textContent.replaceAll('\u00a0', ' '))
    .join('');

it('says while the figures are read that they are, and not that there are none', () => {
  show({ figuresOf: () => null, isReading: true }, null);
  expect(status()).toContain('Reading the figures of the cells…');
  expect(status()).not.toMatch(/without|could not/);
});

it('says of what could not be read that it was not, and why', () => {
  show({ figuresOf: () => null, problem: problem('link-lost', 'beta is not connected.') }, null);
  expect(status()).toBe(
    'Nothing to compare: 1 cell that has not begun, 2 cells whose figures could not be read.',
  );
  expect(screen.getByText('beta is not connected.')).toBeTruthy();
});

it('says of cells that were read and tell nothing that they tell nothing', () => {
  show({}, null);
  expect(status()).toBe(
    'Nothing to compare: 1 cell that has not begun, 2 cells without figures in log and results.',
  );
});

it('tells the best with its whole name, and what it tells', () => {
  show({ figuresOf: (place) => ({ loss: place === 1 ? 0.25 : 0.5 }) });
  expect(screen.getByTitle(LONG).textContent).toBe(`Best: ${LONG}`);
  expect(screen.getByText(/^, loss 0.25$/)).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Lowest is best' }).checked).toBe(
    true,
  );
});

it('leaves it to the person which end of an unknown figure is the good one', () => {
  show({ figuresOf: () => ({ kl: 1 }) }, 'kl');
  expect(screen.queryByText(/^Best/)).toBeNull();
  expect(screen.getByText('Choose which is best to see the best cell.')).toBeTruthy();
  for (const radio of screen.getAllByRole<HTMLInputElement>('radio')) {
    expect(radio.checked).toBe(false);
  }
});
