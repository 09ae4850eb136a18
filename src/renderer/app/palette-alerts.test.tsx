import { act, cleanup } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { openAlert } from '../../shared/alerts/advance.ts';
import type { Finding } from '../../shared/detectors/finding.ts';
import { at, HOUR_MS, sampleBoxClocks, sampleClock } from '../clocks/clocks.fixture.ts';
import { sampleEntry } from '../fleet/fleet-entry.fixture.ts';
import { openFeeds } from '../state/feeds.ts';
import { createStreamClient } from '../state/stream-client.ts';
import { useView } from '../state/view.ts';
import { openTestWindow } from '../test-window.fixture.ts';
import { takeCopies } from '../ui/take-copies.fixture.ts';
import type { PaletteAction } from './palette-action.tsx';
import { alertActions } from './palette-alerts.tsx';
import { clockActions } from './palette-clocks.tsx';

const NOW = new Date(2026, 10, 20, 12).getTime();
const OTHER = '5f6a3f0e-58a4-4f0f-9a35-0d6b1a0f5c02';
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

/** What the palette has for alerts and clocks that begins like this. */
function begin(words: RegExp): readonly PaletteAction[] {
  const all = [...alertActions(box, NOW), ...clockActions(box, NOW)];
  return all.filter(({ label }) => words.test(label));
}
const labelsOf = (actions: readonly PaletteAction[]) => actions.map(({ label }) => label);

it('puts off each alert and the nearest clock, to an end that comes before the clock', async () => {
  const soon = sampleClock({ due: at(NOW + 2 * HOUR_MS) });
  const low = { ...THROTTLED, severity: 'info', short: 'inodes low', detector: 'U7' } as const;
  const alerts = [
    openAlert(OTHER, { ...low, subject: { kind: 'box' } }),
    openAlert(ALERT, THROTTLED),
  ];
  const bridge = await openWith(alerts, sampleBoxClocks([soon]));
  const actions = begin(/^Snooze/);
  expect(labelsOf(actions)).toEqual([
    'Snooze (1 hour): alert “throttled”, GPU 1',
    'Snooze (8 hours): alert “throttled”, GPU 1',
    'Snooze (tomorrow 9:00): alert “throttled”, GPU 1',
    'Snooze (1 hour): alert “inodes low”, whole box',
    'Snooze (8 hours): alert “inodes low”, whole box',
    'Snooze (tomorrow 9:00): alert “inodes low”, whole box',
    'Snooze (1 hour): clock “Auto release”',
  ]);
  actions[1]?.run();
  actions[3]?.run();
  actions[6]?.run();
  const untilMs = NOW + HOUR_MS;
  expect(bridge.callsTo('alerts:snooze')).toEqual([
    { boxId: box.id, alertId: ALERT, untilMs: NOW + 8 * HOUR_MS },
    { boxId: box.id, alertId: OTHER, untilMs },
  ]);
  expect(bridge.callsTo('clocks:snooze')).toEqual([{ boxId: box.id, clockId: soon.id, untilMs }]);
});

it('ends what is put off, and offers no other end for it', async () => {
  const soon = sampleClock({ due: at(NOW + 2 * HOUR_MS) });
  const stage = { kind: 'snoozed', untilMs: NOW + HOUR_MS } as const;
  const alert = { ...openAlert(ALERT, THROTTLED), stage };
  const snoozed = { [soon.id]: NOW + HOUR_MS };
  const bridge = await openWith([alert], sampleBoxClocks([soon], { snoozed }));
  expect(begin(/^Snooze/)).toEqual([]);
  const actions = begin(/^End snooze/);
  expect(labelsOf(actions)).toEqual([
    'End snooze: alert “throttled”, GPU 1',
    'End snooze: clock “Auto release”',
  ]);
  for (const { run } of actions) run();
  const put = { boxId: box.id, untilMs: null };
  expect(bridge.callsTo('alerts:snooze')).toEqual([{ ...put, alertId: ALERT }]);
  expect(bridge.callsTo('clocks:snooze')).toEqual([{ ...put, clockId: soon.id }]);
});

it('resolves only what no check sees any more, and copies a report of what the machine does', async () => {
  const bridge = await openWith([openAlert(ALERT, THROTTLED)], sampleBoxClocks([]));
  expect(begin(/^Mark as resolved/)).toEqual([]);
  stop();
  const unseen = { ...THROTTLED, notSeenBecause: 'The box is not connected.' };
  const again = await openWith([openAlert(ALERT, unseen)], sampleBoxClocks([]));
  begin(/^Mark as resolved/)[0]?.run();
  expect(again.callsTo('alerts:dismiss')).toEqual([{ boxId: box.id, alertId: ALERT }]);
  expect(bridge.callsTo('alerts:dismiss')).toEqual([]);
  const copies: string[] = [];
  takeCopies(copies);
  begin(/^Copy a report: alert “throttled”/)[0]?.run();
  expect(copies.at(-1)).toContain('GPU 1 is held.');
});

it('leads to what only the person can tell of a clock, and to how one is stopped', async () => {
  const unknown = sampleClock({ due: { kind: 'unknown', because: 'Nobody said.' } });
  const stopwatch = sampleClock({
    ...{ id: 'idle', event: 'Idle', entry: null },
    due: { kind: 'stopwatch', sinceMs: NOW },
  });
  await openWith([], sampleBoxClocks([unknown, stopwatch]));
  const actions = begin(/…/);
  expect(labelsOf(actions)).toEqual([
    'Set start time…: clock “Auto release”',
    'How to stop it…: clock “Idle”',
    'Clocks…',
    'Set a clock of your own…',
  ]);
  actions[0]?.run();
  const clocks = { kind: 'clocks', boxId: box.id };
  expect(useView.getState().overlay).toEqual({ ...clocks, clockId: unknown.id });
  actions[1]?.run();
  expect(useView.getState().page).toEqual({ kind: 'box', boxId: box.id, tab: 'facts' });
  actions[3]?.run();
  expect(useView.getState().overlay).toEqual({ ...clocks, isOwn: true });
});

it('offers nothing for what has passed or is not there', async () => {
  await openWith([], sampleBoxClocks([sampleClock({ due: at(NOW - HOUR_MS) })]));
  expect(begin(/nooze/)).toEqual([]);
});
