import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { REDACTED } from '../../shared/secrets/redact-text.ts';
import { Secret } from './secret.ts';

const VALUE = 'p4ss w0rd';

describe('Secret', () => {
  it('gives its value away only when asked to', () => {
    expect(new Secret(VALUE).reveal()).toBe(VALUE);
  });

  it.each<[string, (secret: Secret) => unknown]>([
    ['text', (secret) => String(secret)],
    ['joined text', (secret) => 'x' + (secret as unknown as string)],
    ['JSON', (secret) => JSON.stringify({ secret })],
    ['inspect', (secret) => inspect({ secret }, { showHidden: true, depth: 9, getters: true })],
    ['entries', (secret) => JSON.stringify(Object.entries(secret))],
    ['a copy', (secret) => JSON.stringify(Object.assign({}, secret))],
    ['a structured clone', (secret) => inspect(structuredClone({ secret }), { showHidden: true })],
    ['an error', (secret) => new Error(`no: ${secret as unknown as string}`).stack],
    ['all its names', (secret) => JSON.stringify(Reflect.ownKeys(secret))],
  ])('does not show in %s', (_what, show) => {
    const shown = String(show(new Secret(VALUE)));
    expect(shown).not.toContain('p4ss');
    expect(shown).not.toContain('w0rd');
  });

  it('shows as redacted', () => {
    expect(String(new Secret(VALUE))).toBe(REDACTED);
    expect(inspect(new Secret(VALUE))).toBe(REDACTED);
  });
});
