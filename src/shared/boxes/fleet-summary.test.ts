import { describe, expect, it } from 'vitest';
import { problem } from '../problem.ts';
import type { LinkState } from './box.ts';
import { describeFleet, selectLinkNotification } from './fleet-summary.ts';
import { changedKey, REVOKED_KEY } from './host-key.fixture.ts';
import { USUAL_WAY } from './usual-way.ts';

const lost = problem('link-lost', 'The connection to h was lost.');
const UP: LinkState = { kind: 'up', sinceMs: 0, latencyMs: 3 };
const IDLE: LinkState = { kind: 'idle' };
const WAITING: LinkState = { kind: 'waiting', attempt: 1, retryAtMs: 5, problem: lost };
const DOWN: LinkState = { kind: 'down', sinceMs: 0, problem: problem('auth-refused', 'Refused.') };
const CHANGED: LinkState = changedKey();

describe('describeFleet', () => {
  it('says how many boxes stand how, or that there are none', () => {
    expect(describeFleet([], 0)).toBe('Leasehold: no boxes');
    const box = {
      id: 'x',
      name: 'train-a',
      platform: 'generic-ssh',
      address: { host: 'h', port: 22, user: 'u' },
      ...USUAL_WAY,
      tags: [],
      addedAtMs: 0,
    };
    const rest = {
      telemetry: { kind: 'off' },
      flavour: { kind: 'unknown' },
      gpus: null,
      latest: null,
    } as const;
    const entries = [IDLE, DOWN].map((link) => ({ box, link, ...rest }));
    expect(describeFleet(entries, 0)).toBe('Leasehold: 1 needs you, 1 not connected');
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
