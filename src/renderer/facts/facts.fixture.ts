import type { LoadedProfile, Profiles } from '../../shared/profiles/loaded.ts';
import type { Profile } from '../../shared/profiles/profile.ts';
import { ok } from '../../shared/result.ts';
import type { FakeBridge } from '../state/fake-bridge.fixture.ts';

const STAMP = { verified: '2026-06', source: 'docs.runpod.io/pods/pricing' };
const NOTHING = { running: null, stopped: null, destroyed: null };

/** A platform with a tier that dies, one that stays and one of which nothing is said. */
export function sampleProfile(part: Partial<Profile> = {}): Profile {
  const tier = { cap: null, freeGB: null, billing: null, note: null, rates: NOTHING, ...STAMP };
  return {
    format: 1,
    id: 'runpod',
    name: 'RunPod Pods',
    kind: 'ssh-rental',
    sources: ['docs.runpod.io/pods/pricing', 'a survey'],
    billing: { stopVerb: 'terminate', isIrreversible: true, steps: null, ...STAMP },
    prices: [],
    storage: [
      { ...tier, name: 'container disk', path: '/', survivesStop: false, survivesDestroy: false },
      {
        ...tier,
        name: 'volume disk',
        path: '/workspace',
        survivesStop: true,
        survivesDestroy: false,
        rates: { ...NOTHING, stopped: { micros: 200_000, currency: 'USD', per: 'GB-month' } },
      },
      { ...tier, name: 'bucket', path: null, survivesStop: null, survivesDestroy: 'depends' },
    ],
    watched: [],
    looks: [],
    accelerators: [],
    traps: [],
    actions: [
      {
        verb: 'stop',
        kind: 'stop',
        stopsCompute: true,
        stopsStorage: false,
        deletes: 'container disk',
        isReversible: true,
        ...{ how: null, note: null, takes: null, later: null, goesOn: null, leaves: [] },
        ...STAMP,
      },
      {
        verb: 'terminate',
        kind: 'destroy',
        stopsCompute: true,
        stopsStorage: null,
        deletes: 'container disk and volume disk',
        isReversible: false,
        ...{ how: null, note: null, takes: null, later: null, goesOn: null, leaves: [] },
        ...STAMP,
      },
    ],
    clocks: [
      {
        id: 'runpod.zero-gpu',
        event: 'Restart without a GPU',
        trigger: 'Pod stopped, card rented by another',
        after: 'any time',
        consequence: 'restart has no GPU',
        readAt: 'state after start',
        rule: { kind: 'note' },
        danger: 'run',
        loses: [],
        stops: null,
        ...STAMP,
      },
      {
        id: 'runpod.stale-30d',
        event: 'Pod removed',
        trigger: 'Pod stopped and unused',
        after: 'about 30 days',
        consequence: 'Pod removed, no backup',
        readAt: 'support article',
        rule: { kind: 'after', from: 'stopped', for: 30 * 86_400_000, isEstimate: true },
        danger: 'data',
        loses: ['volume disk'],
        stops: null,
        verified: '2026-06',
        source: 'sources',
      },
    ],
    spot: { isAvailable: null, grace: null, signal: null, note: null, ...STAMP },
    detach: {
      primitive: 'tmux',
      survivesSshDrop: true,
      survivesReboot: false,
      survivesStop: false,
    },
    sharedFs: { isAvailable: false, scope: null, note: null },
    inodeCap: { count: null, note: null, ...STAMP },
    egress: { isFree: null, price: null, note: null, ...STAMP },
    needsChinaMirror: false,
    hasLocalNvme: true,
    ssh: {
      user: 'root',
      port: null,
      canCopy: null,
      flavours: [
        {
          name: 'proxied',
          endpoint: '<pod>@ssh.runpod.io',
          canCopy: false,
          terminalsOnly: null,
          note: null,
        },
      ],
      note: null,
      ...STAMP,
    },
    ports: {
      tensorboard: { logdir: null, port: 6006, how: null },
      urlPatterns: [],
      timeouts: [],
      note: null,
      ...STAMP,
    },
    conveniences: ['HTTPS proxy URL for UIs without a tunnel'],
    launch: { endpoints: [], cli: [], notes: [] },
    overrides: {
      DATA_DIR: null,
      DURABLE_DIR: null,
      PROXY_HOOK: null,
      CRED_FILE: null,
      HF_HOME: null,
      DETACH: null,
      SCRATCH: null,
      extra: null,
    },
    doubts: [],
    ...part,
  };
}

export function sampleLoaded(
  part: Partial<Profile> = {},
  more: Partial<LoadedProfile> = {},
): LoadedProfile {
  return { profile: sampleProfile(part), origin: 'shipped', file: null, changes: [], ...more };
}

/** These platforms are what main knows. */
export function serveProfiles(
  bridge: FakeBridge,
  all: readonly LoadedProfile[],
  more: Partial<Profiles> = {},
): void {
  bridge.answer(
    'profiles:list',
    ok({ ownFolder: '/config/profiles', all, demo: null, faults: [], ...more }),
  );
}
