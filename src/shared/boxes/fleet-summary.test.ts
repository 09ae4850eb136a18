import { describe, expect, it } from 'vitest';
import { problem } from '../problem.ts';
import type { LinkState } from './box.ts';
import { describeFleet } from './fleet-summary.ts';
import { USUAL_WAY } from './usual-way.ts';

const IDLE: LinkState = { kind: 'idle' };
const DOWN: LinkState = { kind: 'down', sinceMs: 0, problem: problem('auth-refused', 'Refused.') };

describe('describeFleet', () => {
  it('says how many boxes stand how, or that there are none', () => {
    expect(describeFleet([])).toBe('Leasehold: no boxes');
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
      load: null,
    } as const;
    const entries = [IDLE, DOWN].map((link) => ({ box, link, ...rest }));
    expect(describeFleet(entries)).toBe('Leasehold: 1 needs action, 1 not connected');
  });
});
