import { act, cleanup } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LinkState } from '../../shared/boxes/box.ts';
import type { PatrolSeen, SeenRun } from '../../shared/patrol/patrol-state.ts';
import { problem } from '../../shared/problem.ts';
import { err } from '../../shared/result.ts';
import { diagnoseTensorboard } from '../../shared/tunnels/tensorboard.ts';
import { liveChosen, useTimeWindows, windowPaused } from '../box/overview/time-window-store.ts';
import { sampleRun } from '../box/runs/launch/launch.fixture.ts';
import { useServices } from '../box/tunnels/services.ts';
import { LINK_UP, sampleEntry, SEEN_MS } from '../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../state/fake-bridge.fixture.ts';
import { openFeeds } from '../state/feeds.ts';
import { createStreamClient } from '../state/stream-client.ts';
import {
  costsChosen,
  handbookChosen,
  receiptChosen,
  teardownsChosen,
  useView,
} from '../state/view.ts';
import { openTestWindow, SAMPLE_SETTINGS } from '../test-window.fixture.ts';
import { takeCopies } from '../ui/take-copies.fixture.ts';
import { paletteActions } from './palette-actions.tsx';
import type { KnownRuns } from './palette-run-actions.tsx';

const UP = sampleEntry();
const { id: boxId } = UP.box;
const DEMO = sampleEntry({}, { platform: 'demo' });
const withLink = (link: LinkState) => sampleEntry({ link, telemetry: { kind: 'off' } });
const DOWN = withLink({ kind: 'idle' });
const RUN: SeenRun = {
  ...{ bootId: 'b1', pid: 41, startTicks: 500, command: 'python train.py', folder: '/work' },
  ...{ user: 'me', sinceMs: SEEN_MS, holdsGpu: true, survivesHangup: true, tmuxSession: 'work' },
  ...{ isUnbuffered: false, log: null, checkpoint: null },
};
const SEEN: PatrolSeen = {
  ...{ atMs: SEEN_MS, took: null, uptimeS: null, isWhole: true, memoryShare: null, unread: [] },
  runs: [RUN],
};

let bridge: FakeBridge;
let stop: () => void = () => undefined;
async function open(settings = SAMPLE_SETTINGS): Promise<void> {
  stop();
  bridge = openTestWindow([UP]);
  bridge.serve('settings', settings);
  bridge.serve('demo', { boxId: DEMO.box.id, active: ['throttle'], isStarting: false });
  await act(async () => {
    stop = openFeeds(createStreamClient(bridge));
    await Promise.resolve();
  });
}
beforeEach(() => open());
afterEach(() => {
  cleanup();
  liveChosen(boxId);
  stop();
});

const labels = (shown = UP, runs?: KnownRuns): readonly string[] =>
  paletteActions(shown, SEEN_MS, runs).map(({ label }) => label);

function press(wanted: string, shown = UP, runs?: KnownRuns): void {
  const found = paletteActions(shown, SEEN_MS, runs).filter(({ label }) => label === wanted);
  expect(found).toHaveLength(1);
  act(() => found[0]?.run());
}

describe('what a page alone can do', () => {
  it.each([
    ['Pause', 'overview', 'pause-charts'],
    ['Summary', 'overview', 'chart-summary'],
    ['Export: Copy values', 'overview', 'copy-values'],
    ['Export: CSV…', 'overview', 'charts-csv'],
    ['Export: Picture (PNG)…', 'overview', 'charts-picture'],
    ['Add a folder to bring home…', 'runs', 'name-folder'],
    ['Upload: Files…', 'files', 'upload-files'],
    ['Upload: A folder…', 'files', 'upload-folder'],
    ['Go to a folder…', 'files', 'go-to-folder'],
    ['Rented from…', 'facts', 'rented-from'],
    ['Measure again', 'facts', 'measure-again'],
  ] as const)('is asked of it: %s', (label, tab, part) => {
    press(label);
    expect(useView.getState()).toMatchObject({
      page: { kind: 'box', boxId, tab },
      overlay: { kind: 'on-page', part },
    });
  });

  it.each([
    ['Add a line…', boxId, 'new-line'],
    ['Add a transfer…', boxId, 'new-transfer'],
    ['Add budget…', null, 'new-budget'],
    ['Export CSV…', null, 'costs-csv'],
  ] as const)('is asked of the costs: %s', (label, of, part) => {
    press(label);
    expect(useView.getState()).toMatchObject({
      page: { kind: 'costs', boxId: of },
      overlay: { kind: 'on-page', part },
    });
  });

  it('exports the costs of the box whose costs are shown', () => {
    act(() => costsChosen(boxId));
    press('Export CSV…');
    expect(useView.getState().page).toEqual({ kind: 'costs', boxId });
  });
});

describe('the charts', () => {
  it('are paused, or live again, and show the chosen range', () => {
    expect(labels()).not.toContain('Back to live');
    act(() => windowPaused(boxId, { fromMs: 0, toMs: 60_000 }));
    expect(labels()).not.toContain('Pause');
    press('Back to live');
    expect(useTimeWindows.getState()[boxId]?.held).toBeNull();
    press('Time range: 6 h');
    expect(useTimeWindows.getState()[boxId]?.rangeMs).toBe(6 * 3_600_000);
    expect(useView.getState().page).toEqual({ kind: 'box', boxId, tab: 'overview' });
  });
});

describe('the demo box', () => {
  it('suffers each fault of its menu, and what lasts is switched off again', () => {
    press('Disk full', DEMO);
    press('Switch off: Throttle GPU 0', DEMO);
    expect(bridge.callsTo('demo:set-fault')).toEqual([
      { fault: 'disk-full', isOn: true },
      { fault: 'throttle', isOn: false },
    ]);
    expect(labels()).not.toContain('Disk full');
  });

  it('is switched on where it is off', async () => {
    expect(labels()).not.toContain('Switch the demo box on');
    await open({ ...SAMPLE_SETTINGS, demo: { ...SAMPLE_SETTINGS.demo, isOn: false } });
    press('Switch the demo box on');
    expect(bridge.callsTo('settings:change')).toEqual([{ patch: { demo: { isOn: true } } }]);
  });
});

describe('runs', () => {
  const LIVING = sampleRun();
  const runs: KnownRuns = { seen: SEEN, launched: [LIVING] };

  it('are followed, waited for, and ended only after a question', () => {
    press('Tell me when…: work', UP, runs);
    expect(useView.getState().overlay).toEqual({ kind: 'new-watch', boxId, run: '41/500' });
    press('Notify from the box when it ends…: baseline', UP, runs);
    expect(useView.getState().overlay).toEqual({
      ...{ kind: 'push', boxId },
      run: { of: { launched: LIVING.id }, title: 'baseline' },
    });
    press('End run…: baseline', UP, runs);
    const { id: runId, name } = LIVING;
    expect(useView.getState().overlay).toEqual({ kind: 'end-run', boxId, runId, name });
    expect(bridge.callsTo('runs:end')).toEqual([]);
  });

  it('are attached to in their tmux session', async () => {
    bridge.answer('tmux:list', err(problem('not-connected', 'Gone.')));
    press('Attach: work', UP, runs);
    press('Attach: baseline', UP, runs);
    await act(() => Promise.resolve());
    expect(bridge.callsTo('tmux:list')).toEqual([{ boxId }, { boxId }]);
    const inNone = { ...runs, launched: [sampleRun({ detacher: 'setsid' })] };
    expect(labels(UP, inNone)).not.toContain('Attach: baseline');
    expect(labels(DOWN, runs).filter((label) => label.startsWith('Attach:'))).toEqual([]);
  });

  it('that are over, or of a box that nobody reaches, have nothing to end', () => {
    const over = sampleRun({ status: { kind: 'running', lacksKeeper: true } });
    expect(labels(UP, { seen: null, launched: [over] })).not.toContain(
      'Notify from the box when it ends…: baseline',
    );
    expect(labels(UP)).not.toContain('End run…: baseline');
    expect(labels(DOWN, runs).some((label) => label.startsWith('End run…'))).toBe(false);
  });
});

describe('teardown', () => {
  it.each([
    ['Check the box', 'teardown:inspect', 'inventory'],
    ['Read the copies again', 'teardown:read-copies', 'proven'],
    ['Search for secrets', 'teardown:look-for-secrets', 'secrets'],
  ] as const)('is looked at from here, and says why not: %s', async (label, channel, step) => {
    bridge.answer(channel, err(problem('internal', 'Not now.')));
    press(label);
    await act(() => Promise.resolve());
    expect(bridge.callsTo(channel)).toEqual([{ boxId }]);
    const { page, failures } = useView.getState();
    expect(page).toEqual({ kind: 'box', boxId, tab: 'teardown', step });
    expect(failures.map(({ message }) => message)).toEqual(['Not now.']);
  });
});

describe('a host key in question', () => {
  const key = (fingerprint: string) => ({
    ...{ type: 'ssh-ed25519', fingerprint, md5: 'MD5:00', publicKey: 'AAAA' },
  });
  const changed: LinkState = {
    ...{ kind: 'host-key-changed', sinceMs: 0, jumpHost: null, offered: key('SHA256:new') },
    ...{ offeredPlace: null, plan: { id: 'p', digest: 'd', expiresAtMs: 0 } },
    expected: { ...key('SHA256:old'), storedAtMs: null, lastSeenMs: null, place: null },
  };

  it('is copied with the one that is trusted, and nothing here accepts it', () => {
    const copies: string[] = [];
    takeCopies(copies);
    press('Copy both fingerprints', withLink(changed));
    expect(copies.splice(0)).toEqual([
      'trusted ssh-ed25519 SHA256:old\noffered ssh-ed25519 SHA256:new',
    ]);
    press('Do not connect', withLink(changed));
    expect(bridge.callsTo('link:disconnect')).toEqual([{ boxId }]);
    expect(labels(withLink(changed)).some((label) => /trust|accept/i.test(label))).toBe(false);
    expect(labels()).not.toContain('Copy both fingerprints');
    // The tab with it is not there meanwhile.
    expect(labels(withLink(changed))).not.toContain('Rented from…');
  });
});

describe('what needs something', () => {
  it('is absent of a box that is not connected', () => {
    const wanted = [
      'Launch…',
      'Open a request file…',
      'New terminal',
      'Upload: Files…',
      'Check the box',
    ];
    expect(labels()).toEqual(expect.arrayContaining(wanted));
    expect(labels(DOWN).filter((label) => wanted.includes(label))).toEqual([]);
    expect(labels(withLink(LINK_UP))).not.toContain('Pause');
  });

  it('is there once the page with it is: an entry to print, a receipt, several boxes to check', () => {
    const ofPages = ['Print', 'Save receipt…', 'Check all boxes'];
    const there = () => labels().filter((label) => ofPages.includes(label));
    expect(there()).toEqual([]);
    act(() => handbookChosen('U23'));
    expect(there()).toEqual(['Print']);
    act(() => receiptChosen(7, null));
    press('Save receipt…');
    expect(bridge.callsTo('evidence:receipt')).toEqual([{ seq: 7 }]);
    act(() => teardownsChosen([boxId]));
    press('Check all boxes');
    expect(useView.getState().overlay).toEqual({ kind: 'on-page', part: 'check-all' });
  });

  it('is offered where the box has told that no TensorBoard runs', () => {
    expect(labels()).not.toContain('Start it on the box');
    const facts = {
      ...{ serving: null, processes: [], eventFolders: [], isSearchComplete: true },
      ...{ isForwardingRefused: false, log: null },
    };
    const value = { ...facts, finding: diagnoseTensorboard(facts) };
    useServices.setState({ tensorboards: { [boxId]: { kind: 'seen', value } } });
    press('Start it on the box');
    expect(useView.getState().overlay).toEqual({ kind: 'on-page', part: 'start-tensorboard' });
    useServices.setState({ tensorboards: {} });
  });

  it('has one label for one thing', () => {
    for (const shown of [UP, DOWN, DEMO])
      expect(new Set(labels(shown)).size).toBe(labels(shown).length);
  });
});
