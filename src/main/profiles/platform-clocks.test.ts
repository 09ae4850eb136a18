import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AccountState, BoxSituation, Clock, ClockEntries } from '../../shared/clocks/clock.ts';
import { NOTHING_KNOWN, NOTHING_TOLD } from '../../shared/clocks/clock.ts';
import { platformClocks } from '../../shared/clocks/platform-clocks.ts';
import { nearestClock, selectClocks, unknownClocks } from '../../shared/clocks/select-clocks.ts';
import type { ShippedPlatform } from '../../shared/profiles/platform-names.ts';
import { SHIPPED_IDS, shippedProfile } from './profiles.fixture.ts';

const MIN = 60_000;
const H = 60 * MIN;
const D = 24 * H;
// The night in which Europe's clocks go forward, and a morning on which America's have.
const NOW = Date.parse('2026-03-28T23:30:00Z');
const BEGAN = NOW - 2 * H;

interface Given {
  readonly situation?: Partial<BoxSituation>;
  readonly entries?: Partial<ClockEntries>;
  readonly account?: AccountState | null;
  readonly nowMs?: number;
}

function inputOf(id: ShippedPlatform, { situation, entries, account = null, nowMs = NOW }: Given) {
  return {
    profile: shippedProfile(id),
    situation: { ...NOTHING_KNOWN, ...situation },
    entries: { ...NOTHING_TOLD, ...entries },
    account,
    openEnd: null,
    nowMs,
    maxAgeMonths: 6,
  };
}

function clockOf(clockId: string, given: Given): Clock {
  const platform = SHIPPED_IDS.find((id) =>
    shippedProfile(id).clocks.some((clock) => clock.id === clockId),
  );
  return platformClocks(inputOf(platform!, given)).find(({ id }) => id === clockId)!;
}

const stopped: Given = { situation: { phase: 'stopped', phaseSinceMs: BEGAN } };
const running: Given = {
  situation: { phase: 'running', phaseSinceMs: BEGAN, startedAtMs: BEGAN },
};
const destroyed: Given = { situation: { phase: 'destroyed', phaseSinceMs: BEGAN } };
const idle: Given = {
  situation: { ...running.situation, idle: { isIdle: true, sinceMs: BEGAN } },
};
const busy: Given = {
  situation: { ...running.situation, idle: { isIdle: false, sinceMs: BEGAN } },
};
const told = (entries: Partial<ClockEntries>): Given => ({ ...running, entries });
const at = (atMs: number, isEstimate = false) => ({ kind: 'at', atMs, isEstimate });
const balance = (micros: number, burn: number | null): AccountState => ({
  balance: { micros, currency: 'USD' },
  asOfMs: NOW - H,
  spentMicros: 1_000_000,
  burnMicrosPerHour: burn,
});
const paying: Given = { ...running, account: balance(9_000_000, 2_000_000) };

/** Every clock of every platform, with what makes it run and what it then says. */
const RUNS: readonly (readonly [clockId: string, given: Given, due: object])[] = [
  ['generic.forgotten', idle, { kind: 'stopwatch', sinceMs: BEGAN }],
  ['slurm.walltime', told({ times: { walltime: NOW + H } }), at(NOW + H)],
  [
    'slurm.warning-signal',
    told({ times: { walltime: NOW + H }, warningLeadMs: 5 * MIN }),
    at(NOW + 55 * MIN, true),
  ],
  ['slurm.preemption', told({ isSpot: true }), { kind: 'any-time', graceMs: 30_000 }],
  ['slurm.fairshare', running, { kind: 'uncounted' }],
  ['k8s.deadline', told({ times: { 'job-deadline': NOW + H } }), at(NOW + H)],
  ['k8s.ttl', told({ times: { ttl: NOW + H } }), at(NOW + H)],
  ['k8s.grace', told({ isSpot: true }), { kind: 'any-time', graceMs: 30_000 }],
  ['k8s.nodes-left', destroyed, { kind: 'costing', sinceMs: BEGAN }],
  ['colab.idle', idle, at(BEGAN + 90 * MIN, true)],
  ['colab.lifetime', running, at(BEGAN + 12 * H, true)],
  ['colab.tab-closed', running, { kind: 'uncounted' }],
  ['colab.drive-lag', running, { kind: 'uncounted' }],
  ['kaggle.idle', idle, at(BEGAN + H, true)],
  ['kaggle.session', running, at(BEGAN + 9 * H, true)],
  ['kaggle.commit', told({ starts: { 'job-started': BEGAN } }), at(BEGAN + 9 * H, true)],
  ['kaggle.quota', told({ quotaUsed: { ms: 28 * H, asOfMs: NOW - H } }), at(NOW + H, true)],
  ['autodl.release-15d', stopped, at(BEGAN + 15 * D)],
  ['autodl.low-balance', paying, at(NOW + 4 * H, true)],
  ['autodl.storage-trickle', stopped, { kind: 'costing', sinceMs: BEGAN }],
  ['runpod.stopped-2x', stopped, { kind: 'costing', sinceMs: BEGAN }],
  ['runpod.stale-30d', stopped, at(BEGAN + 30 * D, true)],
  ['runpod.low-balance', paying, at(NOW + 4 * H, true)],
  ['runpod.zero-gpu', stopped, { kind: 'uncounted' }],
  ['runpod.spot', told({ isSpot: true }), { kind: 'any-time', graceMs: 5000 }],
  ['runpod.serverless-ttl', told({ starts: { 'job-started': BEGAN } }), at(BEGAN + 7 * D, true)],
  ['vast.stopped-disk', stopped, { kind: 'costing', sinceMs: BEGAN }],
  ['vast.bandwidth', stopped, { kind: 'costing', sinceMs: BEGAN }],
  ['vast.lifetime', told({ times: { 'rental-end': NOW + D } }), at(NOW + D)],
  ['vast.zero-balance', paying, at(NOW + 4 * H, true)],
  ['vast.outbid', told({ isSpot: true }), { kind: 'any-time', graceMs: 0 }],
  ['vast.scheduling', running, { kind: 'uncounted' }],
  ['vast.volume', destroyed, { kind: 'costing', sinceMs: BEGAN }],
  ['lambda.no-stop', idle, { kind: 'stopwatch', sinceMs: BEGAN }],
  ['lambda.alert', running, { kind: 'uncounted' }],
  ['lambda.nfs', destroyed, { kind: 'costing', sinceMs: BEGAN }],
  ['lambda.capacity', running, { kind: 'uncounted' }],
  ['lambda.reservation-invoice', told({ starts: { invoiced: BEGAN } }), at(BEGAN + 10 * D, true)],
  ['lambda.cluster-minimum', running, { kind: 'uncounted' }],
  ['paperspace.free-6h', told({ starts: { 'free-notebook-started': BEGAN } }), at(BEGAN + 6 * H)],
  ['paperspace.paid-12h', told({ starts: { 'paid-notebook-started': BEGAN } }), at(BEGAN + 12 * H)],
  ['paperspace.core-timer', told({ times: { 'stop-timer': NOW + H } }), at(NOW + H)],
  ['paperspace.off-billing', stopped, { kind: 'costing', sinceMs: BEGAN }],
  ['paperspace.orphan-snapshot', destroyed, { kind: 'costing', sinceMs: BEGAN }],
  ['gpushare.release-10d', stopped, at(BEGAN + 10 * D)],
  ['gpushare.hytmp-24h', stopped, at(BEGAN + D)],
  ['gpushare.root-reset', stopped, { kind: 'uncounted' }],
  ['gpushare.arrears-15d', told({ starts: { 'in-arrears': BEGAN } }), at(BEGAN + 14 * D, true)],
  ['gpushare.idle-stop', told({ times: { 'idle-stop': NOW + H } }), at(NOW + H)],
  ['matpool.release', running, { kind: 'uncounted' }],
  ['matpool.snap-quota', running, { kind: 'uncounted' }],
  ['matpool.idle-stop', told({ times: { 'idle-stop': NOW + H } }), at(NOW + H)],
  ['featurize.return', running, { kind: 'uncounted' }],
  ['featurize.quota', running, { kind: 'uncounted' }],
  ['featurize.sync-lag', running, { kind: 'uncounted' }],
  ['featurize.idle-stop', told({ times: { 'idle-stop': NOW + H } }), at(NOW + H)],
  ['lanrui.datadisk', stopped, { kind: 'costing', sinceMs: BEGAN }],
  ['lanrui.stop-timer', told({ times: { 'stop-timer': NOW + H } }), at(NOW + H)],
  ['lanrui.idle-stop', told({ times: { 'idle-stop': NOW + H } }), at(NOW + H)],
  ['lanrui.churn', running, { kind: 'uncounted' }],
];

it.each(SHIPPED_IDS)('have names in the profile of %s, and no two the same', (id) => {
  const { clocks } = shippedProfile(id);
  const events = clocks.map(({ event }) => event);
  expect(events).not.toContain(null);
  expect(new Set(events).size).toBe(clocks.length);
  // One of a person's own may say nothing but the consequence.
  const profile = {
    ...shippedProfile(id),
    clocks: clocks.map((each) => ({ ...each, event: null })),
  };
  const named = platformClocks({ ...inputOf(id, {}), profile });
  expect(named.map(({ event }) => event)).toEqual(clocks.map(({ consequence }) => consequence));
});

it.each(SHIPPED_IDS)(
  'have names in the profile of %s that are as sure and as hard as the fact',
  (id) => {
    for (const { id: clockId, event, consequence, rule } of shippedProfile(id).clocks) {
      const [first = ''] = consequence.split(';');
      const isUnsure = /\b(may|probably)\b/.test(first);
      if (isUnsure) expect(event, clockId).toMatch(/\bmay\b/);
      const deletes = rule.kind === 'balance' && /delet/.test(consequence);
      if (deletes) expect(event, clockId).toMatch(/delet/i);
    }
  },
);

describe('the clocks of the platforms', () => {
  afterEach(() => void vi.unstubAllEnvs());

  it('are all in this test', () => {
    const shipped = SHIPPED_IDS.flatMap((id) => shippedProfile(id).clocks.map((clock) => clock.id));
    expect(RUNS.map(([clockId]) => clockId).sort()).toEqual([...shipped].sort());
  });

  it.each(RUNS)('%s', (clockId, given, due) => {
    expect(clockOf(clockId, given).due).toEqual(due);
  });

  // The end stands still while time passes over summer time, and while the person travels: it is an instant.
  it.each(RUNS.filter(([, , due]) => 'atMs' in due && !JSON.stringify(due).includes('balance')))(
    '%s does not move when a clock or a zone is changed',
    (clockId, given, due) => {
      if (given.account !== undefined) return;
      for (const zone of ['Europe/Berlin', 'Asia/Kolkata', 'America/New_York', 'Pacific/Apia']) {
        vi.stubEnv('TZ', zone);
        for (const hours of [1, 2, 5, 24, 24 * 30]) {
          expect(clockOf(clockId, { ...given, nowMs: NOW + hours * H }).due).toEqual(due);
        }
      }
    },
  );

  it.each(RUNS.filter(([, , due]) => !JSON.stringify(due).includes('uncounted')))(
    '%s does not run, and never says "safe", while nothing is known',
    (clockId) => {
      const { due, danger } = clockOf(clockId, {});
      // What begins only with something that the person would know of may sleep; nothing else may.
      const startsByThem = ['warning-signal', 'commit', 'ttl', 'invoice', 'arrears'];
      const maySleep = startsByThem.some((word) => clockId.includes(word));
      expect(['unknown', ...(maySleep ? ['dormant'] : [])]).toContain(due.kind);
      expect(danger).toBeDefined();
    },
  );

  it.each([
    'autodl.release-15d',
    'runpod.stale-30d',
    'gpushare.hytmp-24h',
    'runpod.stopped-2x',
    'vast.stopped-disk',
  ])('%s sleeps while the box runs', (clockId) => {
    expect(clockOf(clockId, running).due.kind).toBe('dormant');
  });

  it.each(['generic.forgotten', 'lambda.no-stop', 'colab.idle', 'kaggle.idle'])(
    '%s sleeps while the box works',
    (clockId) => {
      expect(clockOf(clockId, busy).due.kind).toBe('dormant');
    },
  );

  it('say what is lost, how it is known and how old that is', () => {
    expect(clockOf('autodl.release-15d', stopped)).toMatchObject({
      danger: 'data',
      loses: [
        { name: 'system disk', path: '/' },
        { name: 'data disk', path: '/root/autodl-tmp' },
      ],
      known: { kind: 'platform', verified: '2026-06', freshness: { kind: 'future' } },
      readAt: 'console line next to the instance',
    });
    const later = { ...stopped, nowMs: Date.parse('2027-01-01T00:00:00Z') };
    expect(clockOf('autodl.release-15d', later).known).toMatchObject({
      freshness: { kind: 'stale', months: 7 },
    });
    expect(clockOf('colab.lifetime', running).known.kind).toBe('estimated');
    expect(clockOf('vast.lifetime', told({ times: { 'rental-end': NOW } })).known.kind).toBe(
      'told',
    );
  });

  it('are one for each job that the box names, over what was typed, and say how many more there are', () => {
    const ends = [
      { job: '4412', endMs: NOW + H },
      { job: '4413_7', endMs: NOW + 2 * H },
    ];
    const given = (more: number): Given => ({
      situation: { ...running.situation, walltimes: { ends, more } },
      entries: { times: { walltime: NOW + 9 * H }, warningLeadMs: 5 * MIN },
    });
    const jobsOf = (more: number) =>
      platformClocks(inputOf('slurm', given(more))).filter(({ id }) => id.includes('walltime'));
    expect(
      jobsOf(0).map(({ id, event, due, known, danger, entry }) => [
        id,
        event,
        due,
        known.kind,
        danger,
        entry,
      ]),
    ).toEqual([
      ['slurm.walltime:4412', 'End of job 4412', at(NOW + H), 'measured', 'run', null],
      ['slurm.walltime:4413_7', 'End of job 4413_7', at(NOW + 2 * H), 'measured', 'run', null],
    ]);
    expect(jobsOf(290).at(-1)).toMatchObject({
      event: 'Ends of 290 more jobs',
      trigger: '290 more jobs',
      danger: 'none',
      due: { kind: 'uncounted' },
    });
    // What warns, warns of the first of them.
    expect(clockOf('slurm.warning-signal', given(0)).due).toEqual(at(NOW + 55 * MIN, true));
    expect(nearestClock(selectClocks(inputOf('slurm', given(0))), NOW)?.id).toBe(
      'slurm.walltime:4412',
    );
  });

  it('let the person correct since when a box is stopped', () => {
    const { due } = clockOf('autodl.release-15d', {
      ...stopped,
      entries: { starts: { stopped: BEGAN - D }, startsSaidAtMs: { stopped: NOW } },
    });
    expect(due).toEqual(at(BEGAN + 14 * D));
  });

  it.each([
    // Said after the stop: it is about that one.
    [BEGAN - D, NOW - H, BEGAN - D],
    // Said before it, of another one: since then the box was started and stopped again.
    [BEGAN - 3 * D, BEGAN - 2 * D, BEGAN],
    // What is not known to be newer than the measured stop is not believed over it.
    [BEGAN - D, undefined, BEGAN],
    [BEGAN + H, undefined, BEGAN + H],
  ])('count from the stop at %d, said at %s, as from %d', (stoppedMs, saidAtMs, fromMs) => {
    const startsSaidAtMs = saidAtMs === undefined ? {} : { stopped: saidAtMs };
    const entries = { starts: { stopped: stoppedMs }, startsSaidAtMs };
    const { due } = clockOf('autodl.release-15d', { ...stopped, entries });
    expect(due).toEqual(at(fromMs + 15 * D));
  });

  it('count from a start that was measured after what was told, and not while the box is off', () => {
    const entries = {
      starts: { started: BEGAN - D, 'paid-notebook-started': BEGAN - D },
      startsSaidAtMs: { started: BEGAN - D, 'paid-notebook-started': BEGAN - D },
    };
    expect(clockOf('colab.lifetime', told(entries)).due).toEqual(at(BEGAN + 12 * H, true));
    expect(clockOf('paperspace.paid-12h', told(entries)).due).toEqual(at(BEGAN + 12 * H));
    const late = { ...entries, startsSaidAtMs: { 'paid-notebook-started': NOW } };
    expect(clockOf('paperspace.paid-12h', told(late)).due).toEqual(at(BEGAN - D + 12 * H));
    expect(clockOf('paperspace.paid-12h', { ...stopped, entries }).due.kind).toBe('dormant');
  });

  it('do not run both timers of a platform that has one for each plan', () => {
    const paid = told({ starts: { 'paid-notebook-started': BEGAN } });
    expect(clockOf('paperspace.free-6h', paid).due.kind).toBe('dormant');
  });
});

describe('a balance', () => {
  const low = (account: AccountState | null) =>
    clockOf('runpod.low-balance', { ...running, account });

  it('that is used up or negative is over now, not never', () => {
    expect(low(balance(1_000_000, 2_000_000)).due).toMatchObject({ kind: 'at', atMs: NOW - H });
    expect(low(balance(-5_000_000, null)).due).toMatchObject({ kind: 'at', atMs: NOW - H });
  });

  it('cannot be counted without knowing what is billed', () => {
    expect(low(balance(9_000_000, null)).due.kind).toBe('unknown');
    expect(low(null).due.kind).toBe('unknown');
  });

  it('that nothing is taken from ends at no time', () => {
    expect(low(balance(9_000_000, 0)).due.kind).toBe('dormant');
  });
});

describe('the nearest clock', () => {
  it('is the first that is dangerous, whoever runs it', () => {
    const mine = { deadlines: [{ id: '1', what: 'paper', atMs: NOW + H }] };
    const clocks = selectClocks(inputOf('gpushare', { ...stopped, entries: mine }));
    expect(nearestClock(clocks, NOW)?.id).toBe('yours.deadline-1');
    expect(nearestClock(selectClocks(inputOf('gpushare', stopped)), NOW)?.id).toBe(
      'gpushare.hytmp-24h',
    );
  });

  it('is the stopwatch where there is no net, and none while it works', () => {
    expect(nearestClock(selectClocks(inputOf('generic-ssh', idle)), NOW)?.id).toBe(
      'generic.forgotten',
    );
    expect(nearestClock(selectClocks(inputOf('generic-ssh', busy)), NOW)).toBeNull();
  });

  it('is never "none" without saying what is not known', () => {
    for (const id of SHIPPED_IDS) {
      const clocks = selectClocks(inputOf(id, {}));
      expect(nearestClock(clocks, NOW)).toBeNull();
      if (id !== 'featurize') expect(unknownClocks(clocks).length).toBeGreaterThan(0);
    }
  });

  it('shows a rental’s end once, in the platform’s words where it has some', () => {
    const ends = { entries: { times: { 'rental-end': NOW + H } } };
    const idsOf = (id: ShippedPlatform) =>
      selectClocks(inputOf(id, ends))
        .filter(({ due }) => due.kind === 'at')
        .map((clock) => clock.id);
    expect(idsOf('vastai')).toEqual(['vast.lifetime']);
    expect(idsOf('lambda')).toEqual(['yours.rental-end']);
  });
});

describe('the gotchas that a clock tells in time', () => {
  it.each([
    ['GEN1', 'generic.forgotten'],
    ['SLURM2', 'slurm.warning-signal'],
    ['NB5', 'colab.lifetime'],
    ['AD-DANGER', 'autodl.release-15d'],
    ['RP8', 'runpod.low-balance'],
    ['RP8', 'runpod.stale-30d'],
    ['VAST1', 'vast.stopped-disk'],
    ['VAST4', 'vast.outbid'],
    ['LAM6', 'lambda.nfs'],
    ['PS1', 'paperspace.off-billing'],
    ['PS2', 'paperspace.core-timer'],
    ['PS9', 'paperspace.orphan-snapshot'],
    ['CN2', 'matpool.idle-stop'],
    ['GS4', 'gpushare.release-10d'],
    ['GS4', 'gpushare.arrears-15d'],
    ['GS5', 'gpushare.hytmp-24h'],
    ['LR1', 'lanrui.datadisk'],
  ])('%s: %s is counted, and says what is lost', (_gotcha, clockId) => {
    const [, given] = RUNS.find(([id]) => id === clockId)!;
    const { due, consequence } = clockOf(clockId, given);
    expect(['at', 'stopwatch', 'costing', 'any-time']).toContain(due.kind);
    expect(consequence).not.toBe('');
  });
});
