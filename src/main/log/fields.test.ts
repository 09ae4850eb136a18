import { describe, expect, it } from 'vitest';
import { Secret } from '../secrets/secret.ts';
import { cleanFields, cleanText, MAX_SECRET_LENGTH } from './fields.ts';
import { createRedactor } from './redact.ts';
import { REDACTED } from '../../shared/secrets/redact-text.ts';

const redactor = createRedactor();
redactor.register('registered-value');
const clean = (value: unknown): unknown => cleanFields({ value }, redactor)['value'];

describe('cleanFields', () => {
  it('keeps plain data', () => {
    const data = { text: 'a', n: 1, yes: true, none: null, list: [1, { deep: 'b' }] };
    expect(cleanFields(data, redactor)).toEqual(data);
  });

  it('redacts by name and by content at every depth, keys too', () => {
    expect(
      clean({
        password: 'x',
        pin: { token: 12345, list: ['HF_TOKEN=abc', 'registered-value'] },
        'registered-value': 1,
        headers: new Map([['Authorization', 'Bearer x']]),
        args: new Set(['--token abc']),
        credentials: { user: 'a', pass: 'b' },
      }),
    ).toEqual({
      password: REDACTED,
      pin: { token: REDACTED, list: [`HF_TOKEN=${REDACTED}`, REDACTED] },
      [REDACTED]: 1,
      headers: { Authorization: REDACTED },
      args: [`--token ${REDACTED}`],
      credentials: REDACTED,
    });
  });

  it('keeps what says something about a secret without giving it away', () => {
    const data = { hasPassword: true, password: null };
    expect(clean(data)).toEqual(data);
  });

  it('opens errors with their causes and properties, redacted', () => {
    const cause = Object.assign(new Error('token=abc'), { code: 'ENOENT', password: 'x' });
    const value = clean(new TypeError('registered-value', { cause })) as Record<string, unknown>;
    expect(value).toMatchObject({
      name: 'TypeError',
      message: REDACTED,
      cause: { name: 'Error', message: `token=${REDACTED}`, code: 'ENOENT', password: REDACTED },
    });
    expect(value['stack']).toContain('TypeError: [redacted]');
    expect(clean(new AggregateError([new Error('one')]))).toMatchObject({
      errors: [{ message: 'one' }],
    });
  });

  it('never shows a Secret', () => {
    expect(clean({ a: new Secret('s3cr3t!') })).toEqual({ a: REDACTED });
  });

  it('names what is no data', () => {
    expect(
      clean([undefined, () => 1, Symbol('s'), 10n, NaN, Infinity, Buffer.from('abc'), new Date(0)]),
    ).toEqual([
      '[undefined]',
      '[function]',
      'Symbol(s)',
      '10',
      'NaN',
      'Infinity',
      '[3 bytes]',
      '1970-01-01T00:00:00.000Z',
    ]);
  });

  it('survives cycles, depth, throwing getters, proxies and toJSON', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    expect(clean(cycle)).toEqual({ self: '[circular]' });
    const twice = { a: 1 };
    expect(clean([twice, twice])).toEqual([twice, twice]);
    let deep: unknown = 'end';
    for (let n = 0; n < 100; n += 1) deep = [deep];
    expect(JSON.stringify(clean(deep))).toContain('[too deep]');
    const bad = {
      get x(): never {
        throw new Error('no');
      },
    };
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const odd = {
      toJSON(): never {
        throw new Error('no');
      },
    };
    expect(clean([bad, odd])).toEqual(['[unreadable]', '[unreadable]']);
    expect(clean([revoked.proxy])).toEqual(['[unreadable]']);
    expect(cleanFields(bad, redactor)).toEqual({ fields: '[unreadable]' });
  });

  it('bounds what one entry can take', () => {
    const wide = Array.from({ length: 5000 }, () => 'x'.repeat(1000));
    const huge = {
      wide: [wide, wide, wide],
      long: 'y'.repeat(10_000_000),
      names: Object.fromEntries(wide.entries()),
    };
    expect(JSON.stringify(cleanFields(huge, redactor)).length).toBeLessThan(100_000);
    const bomb = (n: number): unknown => (n === 0 ? 1 : Array(100).fill(bomb(n - 1)));
    expect(JSON.stringify(cleanFields({ bomb: bomb(4) }, redactor)).length).toBeLessThan(100_000);
  });
});

describe('cleanText', () => {
  it('says how long a text was that it cut', () => {
    expect(cleanText('x'.repeat(100), redactor, 10)).toBe('xxxxxxxxxx… (100 characters)');
    expect(cleanText('x'.repeat(10), redactor, 10)).toBe('xxxxxxxxxx');
  });

  it('shows no part of a secret that straddles the cut', () => {
    const long = `registered-${'long'.repeat(MAX_SECRET_LENGTH / 4)}`.slice(0, MAX_SECRET_LENGTH);
    const own = createRedactor();
    own.register(long);
    for (let at = 0; at < 40; at += 1) {
      const text = `${'x'.repeat(at)}${long}${'y'.repeat(50_000)}`;
      expect(cleanText(text, own, 30)).not.toContain('regis');
      // What was redacted before it makes room, and must not let the unrecognized beginning of it slip in.
      const crowded = `${long.repeat(2)}${'x'.repeat(at)}${long}`;
      expect(cleanText(crowded, own, MAX_SECRET_LENGTH + 100)).not.toContain('regis');
    }
  });
});
