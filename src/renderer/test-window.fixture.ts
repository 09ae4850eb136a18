import type { Profiles } from '../shared/profiles/loaded.ts';
import { ok } from '../shared/result.ts';
import { DEFAULT_FLEET_VIEW } from '../shared/settings/fleet-view.ts';
import type { RememberedView } from '../shared/settings/remembered.ts';
import type { Settings } from '../shared/settings/settings.ts';
import { EMPTY_FINDINGS } from '../shared/streams/findings-stream.ts';
import type { FleetEntry } from '../shared/streams/fleet-stream.ts';
import { NO_LAUNCHED_RUNS } from '../shared/runs/launch/launched-run.ts';
import { NO_SENTINELS } from '../shared/sentinels/sentinel.ts';
import { NO_WEBHOOK } from '../shared/webhook/no-webhook.ts';
import { NO_GPU_FACTS } from '../shared/telemetry/gpu-facts.ts';
import type { HistoryAnswer } from '../shared/telemetry/history.ts';
import { SAMPLE_FIGURES } from './fleet/fleet-entry.fixture.ts';
import { useGotchas } from './handbook/gotchas.ts';
import { createFakeBridge, type FakeBridge } from './state/fake-bridge.fixture.ts';
import {
  useAlerts,
  useClocks,
  useDemo,
  useFindings,
  useFleet,
  useKeyOffers,
  useMeter,
  useNotices,
  useQuestions,
  useRemembered,
  useSettings,
  useSshConfig,
  useWebhook,
} from './state/feeds.ts';
import { useFigures } from './state/figures.ts';
import { useStoredProfiles } from './state/profiles.ts';
import { LOADING } from './state/stream-client.ts';
import { useView } from './state/view.ts';

export const SAMPLE_SETTINGS: Settings = {
  theme: 'system',
  demo: { isOn: true, gpuModel: 'A100-SXM4-80GB', gpuCount: 2 },
  costs: { sumIn: null, rates: {}, ratesAtMs: null },
  patrolEveryMin: 5,
  pullLimitMBps: null,
  keepRules: [],
  proofHoldsMin: 60,
  proofNeeds: 'hashed',
  notifications: true,
  alarmMarksMs: [86_400_000, 21_600_000, 3_600_000, 900_000],
  webhook: null,
  terminal: { fontSizePx: 13, scrollbackLines: 5000, isForScreenReader: false },
  facts: { maxAgeMonths: 6 },
  keepInTray: false,
};

export const NOTHING_REMEMBERED: RememberedView = {
  fleet: DEFAULT_FLEET_VIEW,
  briefed: [],
  guessesDeclined: [],
};

/** A machine on which no profile can be read. */
const NO_PROFILES: Profiles = { ownFolder: '/config/profiles', all: [], demo: null, faults: [] };

/** A box of which nothing was recorded. */
const NO_HISTORY: HistoryAnswer = {
  fromMs: 0,
  toMs: 0,
  tier: '1s',
  bucketMs: 1000,
  gpus: [],
  gaps: [],
  marks: [],
  isKept: true,
};

/** What jsdom lacks and the libraries touch. None of it changes what a test can see. */
class NoResizeObserver {
  observe(): void {
    // jsdom has no layout, so nothing ever resizes.
  }
  unobserve(): void {
    // as above
  }
  disconnect(): void {
    // as above
  }
}

/** No query matches, and none ever changes. */
function noMedia(media: string) {
  return Object.assign(new EventTarget(), { media, matches: false, onchange: null });
}

/** A fresh window: empty stores, a bridge that serves these boxes, and what jsdom lacks. */
export function openTestWindow(entries: readonly FleetEntry[] = []): FakeBridge {
  const bridge = createFakeBridge();
  bridge.serve('fleet', { entries });
  bridge.serve('settings', SAMPLE_SETTINGS);
  bridge.serve('remembered', NOTHING_REMEMBERED);
  bridge.answer('remembered:change', ok(null));
  bridge.serve('notices', []);
  bridge.serve('demo', { boxId: null, active: [], isStarting: false });
  bridge.serve('ssh-config', { revision: 0, changes: [] });
  bridge.serve(
    'figures',
    entries.flatMap(({ box, load }) => (load === null ? [] : [[box.id, SAMPLE_FIGURES]])),
  );
  bridge.serve('readings', []);
  bridge.serve('questions', []);
  bridge.serve('key-offers', []);
  bridge.serve('findings', EMPTY_FINDINGS);
  bridge.serve('alerts', { boxes: {} });
  bridge.serve('alert-log', []);
  bridge.serve('meter', { boxes: {} });
  bridge.serve('clocks', { boxes: {} });
  bridge.serve('behind', { boxes: {} });
  bridge.serve('continuous-pulls', { boxes: {} });
  bridge.serve('webhook', NO_WEBHOOK);
  bridge.serve('sentinels', NO_SENTINELS);
  bridge.serve('launched-runs', NO_LAUNCHED_RUNS);
  bridge.serve('run-events', {});
  bridge.serve('pushes', { boxes: {} });
  bridge.serve('pulls', { boxes: {} });
  bridge.answer('evidence:check', ok({ count: 7, fault: null }));
  bridge.answer('evidence:reported', ok(null));
  bridge.serve('rehearsals', { boxes: {} });
  bridge.answer('runs:look', ok(NO_LAUNCHED_RUNS));
  bridge.serve('gpu-facts', NO_GPU_FACTS);
  bridge.serve('gpu-marks', []);
  bridge.serve('profiles', { revision: 0 });
  bridge.answer('profiles:list', ok(NO_PROFILES));
  bridge.answer('history:query', ok(NO_HISTORY));
  bridge.answer('key:choices', ok([]));
  bridge.answer('note:read', ok({ text: '', savedAtMs: null }));
  bridge.answer('gotchas:list', ok({ ownFolder: '', all: [], faults: [] }));
  const requestIdleCallback = (): number => 0; // never idle: a test loads what it shows
  const globals = {
    leasehold: bridge,
    ResizeObserver: NoResizeObserver,
    matchMedia: noMedia,
    requestIdleCallback,
  };
  Object.assign(window, globals, { IS_REACT_ACT_ENVIRONMENT: true });
  Element.prototype.scrollIntoView = () => undefined;
  Element.prototype.scrollTo = () => undefined;
  Element.prototype.hasPointerCapture = () => false;
  useFleet.setState(LOADING, true);
  useFigures.setState(LOADING, true);
  useFindings.setState(LOADING, true);
  useAlerts.setState(LOADING, true);
  useMeter.setState(LOADING, true);
  useClocks.setState(LOADING, true);
  useWebhook.setState(LOADING, true);
  useSettings.setState(LOADING, true);
  useRemembered.setState(LOADING, true);
  useNotices.setState(LOADING, true);
  useDemo.setState(LOADING, true);
  useQuestions.setState(LOADING, true);
  useKeyOffers.setState(LOADING, true);
  useSshConfig.setState(LOADING, true);
  useStoredProfiles.setState(LOADING, true);
  useGotchas.setState({ kind: 'unasked' }, true);
  useView.setState(useView.getInitialState(), true);
  return bridge;
}
