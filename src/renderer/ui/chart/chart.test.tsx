import { cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { openTestWindow } from '../../test-window.fixture.ts';
import { Chart, type ChartPoint, type ChartSeries } from './chart.tsx';

afterEach(cleanup);

const point = (at: number, ...values: readonly (number | null)[]): ChartPoint => ({
  at,
  values,
  title: `day ${String(at)}`,
  lines: values.map((value) => `so much ${value === null ? 'unknown' : String(value)}`),
});

async function draw(
  points: readonly ChartPoint[],
  series: readonly ChartSeries[],
  limit?: { readonly value: number; readonly label: string },
) {
  openTestWindow();
  const { container } = render(
    <Chart
      summary="What was spent"
      points={points}
      series={series}
      {...(limit !== undefined && { limit })}
      heightPx={200}
      formatValue={(value) => `$${String(value)}`}
      formatAt={(at) => `day ${String(at)}`}
    />,
  );
  return { container, picture: await screen.findByRole('application', { name: 'What was spent' }) };
}

const BARS: readonly ChartSeries[] = [
  { id: 'a', label: 'train-a', shape: 'bar', look: 0 },
  { id: 'b', label: 'train-b', shape: 'bar', look: 1 },
  { id: 'at-most', label: 'nobody saw it', shape: 'bar', look: 'unseen' },
];

it('is walked bar by bar from the keyboard, and each is said', async () => {
  await draw([point(1, 4, 2, 0), point(2, 5, 0, 3)], BARS);
  const voice = screen.getByRole('status');
  expect(voice.textContent).toBe('');
  const user = userEvent.setup();
  await user.tab();
  expect(voice.textContent).toBe('day 1, so much 4, so much 2, so much 0');
  await user.keyboard('{ArrowRight}');
  expect(voice.textContent).toBe('day 2, so much 5, so much 0, so much 3');
  await user.keyboard('{ArrowRight}');
  expect(voice.textContent).toBe('day 2, so much 5, so much 0, so much 3');
  await user.keyboard('{ArrowLeft}');
  expect(voice.textContent).toContain('day 1');
  await user.tab();
  expect(voice.textContent).toBe('');
});

it('tells the parts of a bar apart by texture as well, and draws nothing for nothing', async () => {
  const { container } = await draw([point(1, 4, 2, 0), point(2, 5, 0, 3)], BARS);
  const heights = (selector: string): readonly number[] =>
    [...container.querySelectorAll(`.recharts-bar ${selector}`)].map((rect) =>
      Number(rect.getAttribute('height')),
    );
  const [first = 0, second = 0] = heights('.look-0');
  expect(second / first).toBeCloseTo(5 / 4);
  expect(heights('.look-1')).toHaveLength(1);
  expect(heights('[fill$="-stripes)"]')).toEqual(heights('.look-1'));
  expect(heights('[fill$="-unseen)"]')).toHaveLength(1);
  const names = within(screen.getByRole('list')).getAllByRole('listitem');
  expect(names.map(({ textContent }) => textContent)).toEqual([
    'train-a',
    'train-b',
    'nobody saw it',
  ]);
});

it('leaves a hole in a line where nothing is known, and keeps the limit in the picture', async () => {
  const { container, picture } = await draw(
    [point(1, 1), point(2, 2), point(3, null), point(4, 3), point(5, 4)],
    [{ id: 'loss', label: 'loss', shape: 'line', look: 0 }],
    { value: 10, label: 'limit $10' },
  );
  const path = container.querySelector('.recharts-line path')?.getAttribute('d') ?? '';
  expect(path.match(/M/g)).toHaveLength(2);
  expect(within(picture).getByText('limit $10')).toBeDefined();
  expect(within(picture).getByText('$10')).toBeDefined();
});
