import { describe, expect, it } from 'vitest';
import { problem } from '../problem.ts';
import type { FleetEntry } from '../streams/fleet-stream.ts';
import type { GpuReading } from '../telemetry/gpu-reading.ts';
import { judgeLoad } from '../telemetry/box-load.ts';
import { foldReadings } from '../telemetry/latest-figures.ts';
import type { LinkState } from './box.ts';
import { changedKey, REVOKED_KEY, unknownKey } from './host-key.fixture.ts';
import { countStandings, groupOf, judgeStanding, type StandingGroup } from './standing.ts';
import { USUAL_WAY } from './usual-way.ts';

const NOW_MS = 1_000_000;
const lost = problem('link-lost', 'The connection to h was lost.');
const UP: LinkState = { kind: 'up', sinceMs: 0, latencyMs: 3 };
const WAITING: LinkState = { kind: 'waiting', attempt: 3, retryAtMs: 5, problem: lost };
const DOWN: LinkState = { kind: 'down', sinceMs: 0, problem: problem('auth-refused', 'Refused.') };

function entry(link: LinkState, more: Partial<FleetEntry> = {}): FleetEntry {
  const box = {
    id: 'x',
    name: 'train-a',
    platform: 'generic-ssh',
    address: { host: 'h', port: 22, user: 'u' },
    ...USUAL_WAY,
    tags: [],
    addedAtMs: 0,
  };
  const telemetry = {
    kind: 'live',
    sinceMs: 0,
    source: 'dmon',
    unreadableLines: 0,
    unreadableSamples: [],
    refused: [],
    problem: null,
  } as const;
  return { box, link, telemetry, flavour: { kind: 'unknown' }, gpus: null, load: null, ...more };
}

const seen = (...smPct: readonly (number | null)[]): Partial<FleetEntry> => ({
  load: judgeLoad(
    foldReadings(
      NOW_MS,
      smPct.map((pct) => ({ smPct: pct }) as GpuReading),
    ),
  ),
});
const failed = { telemetry: { kind: 'failed', problem: lost, sinceMs: 0, retryAtMs: 0 } } as const;

describe('judgeStanding', () => {
  it.each<[string, FleetEntry, object, StandingGroup]>([
    ['a box nobody connected', entry({ kind: 'idle' }), { kind: 'not-connected' }, 'not-connected'],
    [
      'a first try',
      entry({ kind: 'connecting', attempt: 1, sinceMs: 0 }),
      { kind: 'connecting' },
      'connecting',
    ],
    [
      'a link that retries',
      entry(WAITING),
      { kind: 'retrying', attempt: 3, retryAtMs: 5 },
      'in-trouble',
    ],
    ['a refused login', entry(DOWN), { kind: 'sign-in-failed' }, 'needs-you'],
    ['an unknown host key', entry(unknownKey()), { kind: 'host-key-unknown' }, 'needs-you'],
    ['a changed host key', entry(changedKey()), { kind: 'host-key-changed' }, 'needs-you'],
    ['a revoked host key', entry(REVOKED_KEY), { kind: 'host-key-revoked' }, 'needs-you'],
    [
      'a way in that is for terminals',
      entry(UP, { telemetry: { ...failed.telemetry, problem: problem('exec-refused', 'No.') } }),
      { kind: 'no-commands' },
      'unknown',
    ],
    ['GPU work', entry(UP, seen(97, 91)), { kind: 'working', smPct: 94 }, 'working'],
    ['idle GPUs', entry(UP, seen(0, 0)), { kind: 'idle', smPct: 0 }, 'idle'],
    [
      'one idle and one silent GPU',
      entry(UP, seen(0, null)),
      { kind: 'partly-reported', smPct: 0 },
      'unknown',
    ],
    ['GPUs that do not report', entry(UP, seen(null)), { kind: 'unreported' }, 'unknown'],
    ['no reading yet', entry(UP), { kind: 'first-sample' }, 'unknown'],
    [
      'readings that nobody asked for',
      entry(UP, { telemetry: { kind: 'off' } }),
      { kind: 'readings-off' },
      'unknown',
    ],
    [
      'failed readings, whatever came before',
      entry(UP, { ...seen(97), ...failed }),
      { kind: 'readings-failed', problem: lost },
      'needs-you',
    ],
  ])('%s', (_name, given, standing, group) => {
    const judged = judgeStanding(given);
    expect(judged).toEqual(standing);
    expect(groupOf(judged)).toBe(group);
  });

  it('does not take an old figure for the present, in the tray either', () => {
    const judged = judgeStanding(entry(UP, { load: { kind: 'stale', seenAtMs: NOW_MS } }));
    expect(judged).toEqual({ kind: 'stale', seenAtMs: NOW_MS });
    expect(groupOf(judged)).toBe('in-trouble');
  });

  it('tells a log-in that waits for an answer from one that goes on', () => {
    const trying = entry({ kind: 'connecting', attempt: 1, sinceMs: 0 });
    expect(groupOf(judgeStanding(trying, true))).toBe('needs-you');
    expect(judgeStanding(entry(UP, seen(5)), true)).toMatchObject({ kind: 'working' });
  });
});

describe('countStandings', () => {
  it('puts what needs a person first and leaves out what is not there', () => {
    expect(countStandings([])).toBe('');
    const entries = [entry(UP, seen(9)), entry(WAITING), entry(DOWN), entry(UP, seen(9))];
    expect(countStandings(entries)).toBe('1 needs action, 1 in trouble, 2 working');
    expect(countStandings([entry(DOWN), entry(changedKey())])).toBe('2 need action');
  });
});
