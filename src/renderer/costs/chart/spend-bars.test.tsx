import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { openTestWindow } from '../../test-window.fixture.ts';
import { SpendBars } from './spend-bars.tsx';
import type { SpendChart } from './spend-chart.ts';

afterEach(cleanup);

const CHART: SpendChart = {
  currency: 'USD',
  parts: [{ id: 'a', label: 'train-a' }],
  bars: [{ fromMs: 0, toMs: 86_400_000, micros: [4_000_000], atMostMicros: 0 }],
};

it('stays as it is drawn while the page around it follows the meter', async () => {
  openTestWindow();
  const { container, rerender } = render(<SpendBars chart={CHART} />);
  await screen.findByRole('application', { name: /\$4\.00 since/ });
  const bar = container.querySelector('.recharts-bar .look-0');
  expect(bar).not.toBeNull();
  rerender(<SpendBars chart={CHART} />);
  expect(container.querySelector('.recharts-bar .look-0')).toBe(bar);
  rerender(<SpendBars chart={{ ...CHART, currency: 'EUR' }} />);
  await screen.findByRole('application', { name: /€4\.00 since/ });
});
