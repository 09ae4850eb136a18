import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { BoxMeter } from '../../../../shared/meter/box-meter.ts';
import type { LaunchedRun } from '../../../../shared/runs/launch/launched-run.ts';
import { sampleMeter, unpricedMeter } from '../../../costs/meter.fixture.ts';
import { sampleEntry } from '../../../fleet/fleet-entry.fixture.ts';
import { useFleet, useMeter } from '../../../state/feeds.ts';
import { createStreamClient } from '../../../state/stream-client.ts';
import { StreamProvider } from '../../../state/stream-context.ts';
import { openTestWindow } from '../../../test-window.fixture.ts';
import { NOW_MS, sampleRun } from './launch.fixture.ts';
import { costToEndWords, RunCost } from './run-cost.tsx';

const ENTRY = sampleEntry();
const boxId = ENTRY.box.id;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW_MS, toFake: ['Date'] });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function show(run: LaunchedRun, meter: BoxMeter | null, lastSeenMs: number | null = null): string {
  cleanup();
  const bridge = openTestWindow([ENTRY]);
  useFleet.setState({ kind: 'live', state: { entries: [ENTRY] } }, true);
  useMeter.setState(
    { kind: 'live', state: { boxes: meter === null ? {} : { [boxId]: meter } } },
    true,
  );
  render(
    <StreamProvider value={createStreamClient(bridge)}>
      <div data-testid="cost">
        <RunCost boxId={boxId} run={run} lastSeenMs={lastSeenMs} />
      </div>
    </StreamProvider>,
  );
  return screen.getByTestId('cost').textContent.replace(/[\u202f\u00a0]/g, ' ');
}

it('tells what the box has cost since the run began, with the age of its price', () => {
  const priced = sampleMeter({ pricedAtMs: NOW_MS - 3 * 86_400_000 });
  expect(show(sampleRun(), priced)).toBe('about $3.60, priced 3 d ago');
  const half = {
    kind: 'done',
    exitCode: 0,
    atMs: NOW_MS - 1_800_000,
    lacksSuccessLine: false,
  } as const;
  expect(show(sampleRun({ status: half }), priced)).toContain('about $1.80');
  expect(show(sampleRun(), priced, NOW_MS - 1_800_000)).toContain('at least $1.80');
});

it('says that it does not know, and never nothing', () => {
  expect(show(sampleRun(), null)).toBe('Reading the meter…');
  expect(show(sampleRun(), unpricedMeter())).toBe('no price set');
  expect(show(sampleRun({ launchedAtMs: null }), sampleMeter())).toContain('start or end not seen');
  const lost = { kind: 'lost', because: 'restart' } as const;
  expect(show(sampleRun({ status: lost }), sampleMeter())).toContain('start or end not seen');
  const elsewhere = { kind: 'elsewhere', machine: 'node-2' } as const;
  expect(show(sampleRun({ status: elsewhere }), sampleMeter())).toContain('start or end not seen');
});

it('tells what it costs to its end, as far as that is known', () => {
  const { charges } = sampleMeter();
  const end = { fromMs: NOW_MS + 1_800_000, toMs: NOW_MS + 3_600_000 };
  expect(costToEndWords(charges, end, NOW_MS)).toBe('about $1.80 to $3.60 more');
  expect(costToEndWords(charges, { ...end, fromMs: end.toMs }, NOW_MS)).toBe('about $3.60 more');
  const soon = { fromMs: NOW_MS + 1000, toMs: NOW_MS + 1000 };
  expect(costToEndWords(charges, soon, NOW_MS)).toBe('<$0.01 more');
  for (const [known, until] of [
    [null, end],
    [charges, null],
    [charges, { fromMs: 0, toMs: 0 }],
  ] as const) {
    expect(costToEndWords(known, until, NOW_MS)).toBeNull();
  }
});
