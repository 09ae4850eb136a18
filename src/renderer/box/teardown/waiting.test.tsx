import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sampleMeter, unpricedMeter } from '../../costs/meter.fixture.ts';
import { sampleEntry } from '../../fleet/fleet-entry.fixture.ts';
import { useBehind, useFleet, useMeter } from '../../state/feeds.ts';
import { createStreamClient } from '../../state/stream-client.ts';
import { StreamProvider } from '../../state/stream-context.ts';
import { useView } from '../../state/view.ts';
import { openTestWindow } from '../../test-window.fixture.ts';
import { PullLink } from '../cards/pull-link.tsx';
import { WaitingCost } from './waiting-cost.tsx';

const ENTRY = sampleEntry();
const BOX = ENTRY.box.id;
const HOUR_MS = 3_600_000;

let wrapper: (props: { readonly children: ReactNode }) => ReactNode;
beforeEach(() => {
  vi.useFakeTimers({ now: HOUR_MS });
  const client = createStreamClient(openTestWindow([ENTRY]));
  wrapper = ({ children }) => <StreamProvider value={client}>{children}</StreamProvider>;
  useFleet.setState({ kind: 'live', state: { entries: [ENTRY] } }, true);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const meterIs = (meter: ReturnType<typeof sampleMeter>): void =>
  useMeter.setState({ kind: 'live', state: { boxes: { [BOX]: meter } } }, true);

it('says what waiting costs an hour and until the end, with the age of the price', () => {
  meterIs(sampleMeter());
  const shown = (doneBytes: number) => (
    <WaitingCost boxId={BOX} doneBytes={doneBytes} bytes={3_602_000} />
  );
  const { rerender, container } = render(shown(0), { wrapper });
  expect(container.textContent).toMatch(/^Cost of waiting: \$3\.60 an hour · priced 1\sh ago$/);
  // A kilobyte a second, at a tenth of a cent each: what is left takes an hour.
  for (const bytes of [1000, 2000]) {
    act(() => void vi.advanceTimersByTime(1000));
    rerender(shown(bytes));
  }
  expect(container.textContent).toMatch(/\$3\.60 until this is done/);
});

it('takes no price, and no meter, for nothing', () => {
  meterIs(unpricedMeter());
  const { container, rerender } = render(<WaitingCost boxId={BOX} doneBytes={0} bytes={1} />, {
    wrapper,
  });
  expect(container.textContent).toContain('Cost of waiting: no price set');
  act(() => useMeter.setState({ kind: 'live', state: { boxes: {} } }, true));
  rerender(<WaitingCost boxId={BOX} doneBytes={0} bytes={1} />);
  expect(container.textContent).toBe('Cost of waiting: reading the meter…');
});

it('leads from a clock to the step in which results come home, and not where all are here', () => {
  const seen = { atMs: 1, files: 1, bytes: 9e9, checkpoints: 0, scratchBytes: 0 };
  const run = { runId: 'r', runName: 'a', problem: null, seen };
  const behindIs = (runs: readonly (typeof run)[]): void =>
    useBehind.setState(
      {
        kind: 'live',
        state: { boxes: { [BOX]: { runs, unseenRuns: 0, rate: { bytesPerS: 1e6, atMs: 1 } } } },
      },
      true,
    );
  behindIs([run]);
  render(<PullLink boxId={BOX} dueMs={2 * HOUR_MS} />);
  fireEvent.click(screen.getByRole('button', { name: 'Bring home what you can…' }));
  expect(useView.getState().page).toEqual({
    ...{ kind: 'box', boxId: BOX, tab: 'teardown', step: 'pulled' },
  });
  act(() => behindIs([]));
  expect(screen.queryByRole('button')).toBeNull();
});
