import { describe, expect, it } from 'vitest';
import { parseKnownHosts } from './entry.ts';
import { lookupNames, matchesHost, matchesPattern } from './match-host.ts';
import { SAMPLE_KEY } from '../host-key.fixture.ts';

const noHash = (): string => '';
const fits = (names: string, host: string): boolean => {
  const [entry] = parseKnownHosts(`${names} ssh-ed25519 ${SAMPLE_KEY.publicKey}`).entries;
  return matchesHost(entry!.hosts, host, noHash);
};

describe('lookupNames', () => {
  it.each([
    ['Box.Example', 22, 'box.example', null],
    ['Box.Example', 2222, '[box.example]:2222', 'box.example'],
    ['2001:DB8::7', 22, '2001:db8::7', null],
    ['2001:db8::7', 2222, '[2001:db8::7]:2222', '2001:db8::7'],
  ])('%s port %d', (host, port, exact, withoutPort) => {
    expect(lookupNames(host, port, null)).toEqual({ exact, withoutPort });
  });
});

describe('matchesHost', () => {
  it.each([
    ['a.example', 'a.example', true],
    ['A.Example', 'a.example', true],
    ['a.example,b.example', 'b.example', true],
    ['a.example', 'a.example.org', false],
    ['*.example', 'a.b.example', true],
    ['*.example', 'example', false],
    ['10.0.0.?', '10.0.0.7', true],
    ['10.0.0.?', '10.0.0.77', false],
    ['*.example,!bad.example', 'bad.example', false],
    ['!bad.example,*.example', 'bad.example', false],
    ['!bad.example', 'good.example', false],
    ['[a.example]:2222', '[a.example]:2222', true],
    ['[a.example]:2222', 'a.example', false],
    ['[*.example]:2222', '[a.example]:2222', true],
    ['*', '[a.example]:2222', true],
    [',,', '', false],
  ])('%s for %s: %s', (names, host, expected) => {
    expect(fits(names, host)).toBe(expected);
  });

  it('asks for the hash of the name under the salt of the line', () => {
    const hosts = { kind: 'hashed', salt: 's', hash: 'hash of box under s' } as const;
    const hmac = (salt: string, text: string): string => `hash of ${text} under ${salt}`;
    expect(matchesHost(hosts, 'box', hmac)).toBe(true);
    expect(matchesHost(hosts, 'other', hmac)).toBe(false);
  });
});

describe('matchesPattern', () => {
  it('answers a hostile pattern: its steps grow with the text, not with the possibilities', () => {
    expect(matchesPattern(`${'*a'.repeat(60)}*b`, 'a'.repeat(3000))).toBe(false);
  });
});
