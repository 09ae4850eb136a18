import { act, cleanup } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { openAlert } from '../../shared/alerts/advance.ts';
import type { Finding } from '../../shared/detectors/finding.ts';
import { at, HOUR_MS, sampleBoxClocks, sampleClock } from '../clocks/clocks.fixture.ts';
import { sampleEntry } from '../fleet/fleet-entry.fixture.ts';
import { openFeeds } from '../state/feeds.ts';
import { createStreamClient } from '../state/stream-client.ts';
import { openTestWindow } from '../test-window.fixture.ts';
import { snoozeActions } from './palette-snoozes.tsx';

const NOW = new Date(2026, 10, 20, 12).getTime();
const ALERT = '5f6a3f0e-58a4-4f0f-9a35-0d6b1a0f5c01';
const { box } = sampleEntry();
const THROTTLED: Finding = {
  ...{ detector: 'U23', title: 'Throttling', short: 'throttled', severity: 'critical' },
  ...{ headline: 'GPU 1 is held.', means: '', fix: [], commands: [], clues: [], caveat: null },
  ...{ wastedShare: null, costPerHour: null, notSeenBecause: null },
  ...{ subject: { kind: 'gpu', index: 1, uuid: null }, sinceMs: NOW, lastSeenMs: NOW },
};

let stop: () => void = () => undefined;
afterEach(() => {
  cleanup();
  stop();
});

async function openWith(alerts: unknown, clocks: unknown) {
  const bridge = openTestWindow([sampleEntry()]);
  bridge.serve('alerts', { boxes: { [box.id]: alerts } });
  bridge.serve('clocks', { boxes: { [box.id]: clocks } });
  await act(async () => {
    stop = openFeeds(createStreamClient(bridge));
    await Promise.resolve();
  });
  return bridge;
}

it('puts off the worst alert and the nearest clock, to an end that comes before the clock', async () => {
  const soon = sampleClock({ due: at(NOW + 2 * HOUR_MS) });
  const bridge = await openWith([openAlert(ALERT, THROTTLED)], sampleBoxClocks([soon]));
  const actions = snoozeActions(box, NOW);
  expect(actions.map(({ label }) => label)).toEqual([
    'Snooze (1 hour): alert “throttled”, GPU 1',
    'Snooze (8 hours): alert “throttled”, GPU 1',
    'Snooze (tomorrow 9:00): alert “throttled”, GPU 1',
    'Snooze (1 hour): clock “Auto release”',
  ]);
  actions[1]?.run();
  actions[3]?.run();
  const untilMs = NOW + HOUR_MS;
  expect(bridge.callsTo('alerts:snooze')).toEqual([
    { boxId: box.id, alertId: ALERT, untilMs: NOW + 8 * HOUR_MS },
  ]);
  expect(bridge.callsTo('clocks:snooze')).toEqual([{ boxId: box.id, clockId: soon.id, untilMs }]);
});

it('offers nothing for what is put off, has passed, or is not there', async () => {
  const soon = sampleClock({ due: at(NOW + 2 * HOUR_MS) });
  await openWith([], sampleBoxClocks([soon], { snoozed: { [soon.id]: NOW + HOUR_MS } }));
  expect(snoozeActions(box, NOW)).toEqual([]);
  stop();
  await openWith([], sampleBoxClocks([sampleClock({ due: at(NOW - HOUR_MS) })]));
  expect(snoozeActions(box, NOW)).toEqual([]);
});
