import { describe, expect, it } from 'vitest';
import { SAMPLE_KEY } from '../host-key.fixture.ts';
import { parseKnownHosts } from './entry.ts';
import { formatKnownHosts, type TrustedMachine } from './format-known-hosts.ts';

const { publicKey, type } = SAMPLE_KEY;
const machine = (part: Partial<TrustedMachine>): TrustedMachine => ({
  host: 'a.example',
  port: 22,
  type,
  publicKey,
  atMs: 1,
  ...part,
});
const linesOf = (machines: readonly TrustedMachine[]): string[] =>
  formatKnownHosts(machines)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

describe('formatKnownHosts', () => {
  it('writes what our own reader reads, port and IPv6 included', () => {
    const text = formatKnownHosts([
      machine({}),
      machine({ host: 'B.example', port: 2222 }),
      machine({ host: '2001:db8::7' }),
    ]);
    const { entries, unreadable } = parseKnownHosts(text);
    expect(unreadable).toEqual([]);
    expect(entries.map(({ hosts }) => hosts.kind === 'plain' && hosts.patterns[0]?.text)).toEqual([
      '2001:db8::7',
      '[b.example]:2222',
      'a.example',
    ]);
  });

  it('keeps the later of two keys of one type at one address, and both of two types', () => {
    const later = machine({ publicKey: 'later', atMs: 2 });
    expect(linesOf([later, machine({})])).toEqual([`a.example ${type} later`]);
    expect(linesOf([machine({}), machine({ type: 'ssh-rsa' })])).toHaveLength(2);
  });

  it.each(['*', '!a', 'a,b', '|1|x|y', '@revoked', '#', 'a b', 'a\nb', '[a]:22', ''])(
    'writes no line for the host %j: it would speak for others',
    (host) => {
      expect(linesOf([machine({ host })])).toEqual([]);
    },
  );

  it('is the same text for the same keys in another order', () => {
    const machines = [machine({}), machine({ host: 'b.example' })];
    expect(formatKnownHosts(machines)).toBe(formatKnownHosts([...machines].reverse()));
  });
});
