import { describe, expect, it } from 'vitest';
import { problem } from '../problem.ts';
import type { FleetEntry } from '../streams/fleet-stream.ts';
import type { GpuReading } from '../telemetry/gpu-reading.ts';
import type { LinkState } from './box.ts';
import { describeFleet, judgeStanding, selectLinkNotification } from './fleet-summary.ts';
import { changedKey, REVOKED_KEY } from './host-key.fixture.ts';
import { USUAL_WAY } from './usual-way.ts';

const lost = problem('link-lost', 'The connection to h was lost.');
const UP: LinkState = { kind: 'up', sinceMs: 0, latencyMs: 3 };
const IDLE: LinkState = { kind: 'idle' };
const WAITING: LinkState = { kind: 'waiting', attempt: 1, retryAtMs: 5, problem: lost };
const DOWN: LinkState = { kind: 'down', sinceMs: 0, problem: problem('auth-refused', 'Refused.') };
const CHANGED: LinkState = changedKey();

function entry(link: LinkState, more: Partial<FleetEntry> = {}): FleetEntry {
  const box = {
    id: 'x',
    name: 'train-a',
    platform: 'generic-ssh',
    address: { host: 'h', port: 22, user: 'u' },
    ...USUAL_WAY,
    addedAtMs: 0,
  };
  return {
    box,
    link,
    telemetry: { kind: 'off' },
    flavour: { kind: 'unknown' },
    gpus: null,
    latest: null,
    ...more,
  };
}

const seen = (smPct: number | null): Partial<FleetEntry> => ({
  latest: { atMs: 1, readings: [{ smPct } as GpuReading] },
});

describe('judgeStanding', () => {
  it.each<[string, FleetEntry, string]>([
    ['a box nobody connected', entry(IDLE), 'not-connected'],
    ['a link that retries', entry(WAITING), 'connecting'],
    ['a refused login', entry(DOWN), 'needs-you'],
    ['a changed host key', entry(CHANGED), 'needs-you'],
    ['GPU work', entry(UP, seen(97)), 'working'],
    ['an idle GPU', entry(UP, seen(0)), 'up'],
    ['a GPU that does not report its use', entry(UP, seen(null)), 'up'],
    [
      'a failed GPU stream',
      entry(UP, {
        ...seen(97),
        telemetry: { kind: 'failed', problem: lost, sinceMs: 0, retryAtMs: 0 },
      }),
      'needs-you',
    ],
  ])('%s', (_name, given, expected) => {
    expect(judgeStanding(given)).toBe(expected);
  });
});

describe('describeFleet', () => {
  it('puts what needs a person first and leaves out what is not there', () => {
    expect(describeFleet([])).toBe('Leasehold: no boxes');
    expect(describeFleet([entry(UP, seen(9)), entry(DOWN), entry(UP, seen(9))])).toBe(
      'Leasehold: 1 needs you, 2 working',
    );
  });
});

describe('selectLinkNotification', () => {
  it('speaks up for what stops until a person acts, and for a loss', () => {
    expect(selectLinkNotification('b', UP, CHANGED)?.title).toContain('host key changed');
    expect(selectLinkNotification('b', UP, REVOKED_KEY)?.title).toContain('revoked');
    expect(selectLinkNotification('b', UP, DOWN)?.title).toContain('Refused');
    expect(selectLinkNotification('b', UP, WAITING)?.title).toContain('lost');
  });

  it('is quiet about the rest', () => {
    expect(selectLinkNotification('b', WAITING, WAITING)).toBeNull();
    expect(
      selectLinkNotification('b', { kind: 'connecting', attempt: 2, sinceMs: 0 }, WAITING),
    ).toBeNull();
    expect(selectLinkNotification('b', WAITING, UP)).toBeNull();
    expect(selectLinkNotification('b', UP, IDLE)).toBeNull();
  });
});
