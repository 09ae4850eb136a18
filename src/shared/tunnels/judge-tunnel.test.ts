import { describe, expect, it } from 'vitest';
import { problem } from '../problem.ts';
import { FRESH_MS, judgeTunnel } from './judge-tunnel.ts';
import type { TunnelCheck, TunnelRow } from './tunnel.ts';

const NOW = 1_763_700_000_000;

function row(more: Partial<TunnelRow> = {}): TunnelRow {
  return {
    tunnel: {
      id: '9a1d5c1e-0c7e-4a53-8a44-3f1f7f6c1a01',
      name: 'x',
      kind: 'local',
      service: 'http',
      listenPort: 6006,
      isExposed: false,
      target: { host: '127.0.0.1', port: 6006 },
      isOn: true,
    },
    state: { kind: 'listening' },
    answeredAtMs: null,
    check: null,
    isChecking: false,
    bytesOut: 0,
    bytesIn: 0,
    openConnections: 0,
    ...more,
  };
}

function check(more: Partial<TunnelCheck>): TunnelCheck {
  return { atMs: NOW, tookMs: 3, outcome: 'answered', saw: 'HTTP 200', problem: null, ...more };
}

const refused = problem('forward-refused', 'no');
const silent = problem('target-silent', 'no');

describe('judgeTunnel', () => {
  it.each([
    ['never asked', {}, 'unproven'],
    ['asked for the first time', { isChecking: true }, 'checking'],
    ['answered just now', { answeredAtMs: NOW }, 'answered'],
    ['answered at the edge', { answeredAtMs: NOW - FRESH_MS }, 'answered'],
    ['answered too long ago', { answeredAtMs: NOW - FRESH_MS - 1 }, 'stale'],
    ['an answer from the future: the clock was set back', { answeredAtMs: NOW + 60_000 }, 'stale'],
    [
      'a failed check after an answer',
      { answeredAtMs: NOW - 10, check: check({ outcome: 'failed', problem: silent }) },
      'no-answer',
    ],
    [
      'an answer after a failed check',
      { answeredAtMs: NOW, check: check({ outcome: 'failed', problem: silent, atMs: NOW - 10 }) },
      'answered',
    ],
    ['forbidden', { check: check({ outcome: 'failed', problem: refused }) }, 'refused'],
    ['accepted only', { check: check({ outcome: 'accepted' }) }, 'silent'],
    [
      'accepted long ago',
      { check: check({ outcome: 'accepted', atMs: NOW - FRESH_MS - 1 }) },
      'stale',
    ],
    ['stopped with an old answer', { state: { kind: 'stopped' }, answeredAtMs: NOW }, 'stopped'],
    ['waiting with an old answer', { state: { kind: 'waiting' }, answeredAtMs: NOW }, 'waiting'],
    ['taken', { state: { kind: 'port-taken', holder: null, freePort: null } }, 'port-taken'],
    ['failed', { state: { kind: 'failed', problem: silent } }, 'failed'],
    ['opening', { state: { kind: 'opening' } }, 'opening'],
  ] as const)('%s', (_what, more, health) => {
    expect(judgeTunnel(row(more), NOW)).toBe(health);
  });
});
