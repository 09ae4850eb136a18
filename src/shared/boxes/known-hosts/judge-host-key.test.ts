import { describe, expect, it } from 'vitest';
import { judgeHostKey, knownTypes, type KnownLine } from './judge-host-key.ts';

let lines = 0;
function line(publicKey: string, part: Partial<KnownLine> = {}): KnownLine {
  lines += 1;
  const place = { file: '~/.ssh/known_hosts', line: lines };
  return { place, marker: 'none', type: 'ssh-ed25519', publicKey, isExact: true, ...part };
}
const kindOf = (stored: string | null, known: readonly KnownLine[]): string => {
  const verdict = judgeHostKey('K', { stored, lines: known });
  return 'by' in verdict
    ? `${verdict.kind} by ${verdict.by}`
    : 'from' in verdict
      ? `${verdict.kind} from ${verdict.from}`
      : verdict.kind;
};

const revoked = line('K', { marker: 'revoked' });
const authority = line('C', { marker: 'cert-authority' });

describe('judgeHostKey', () => {
  it.each<[string, string | null, readonly KnownLine[], string]>([
    ['nothing known', null, [], 'unknown'],
    ['the stored key', 'K', [], 'trusted by leasehold'],
    ['another key than the stored one', 'S', [], 'changed from leasehold'],
    ['a key of known_hosts', null, [line('X'), line('K')], 'trusted by known-hosts'],
    ['another key in known_hosts', null, [line('X')], 'changed from known-hosts'],
    [
      'a key of another type in known_hosts, as ssh does it',
      null,
      [line('X', { type: 'ssh-rsa' })],
      'changed from known-hosts',
    ],
    ['the stored key, though known_hosts has another', 'K', [line('X')], 'trusted by leasehold'],
    ['a key of known_hosts, though another is stored', 'S', [line('K')], 'changed from leasehold'],
    ['a revoked key', null, [revoked], 'revoked'],
    ['a revoked key that is also trusted', 'K', [line('K'), revoked], 'revoked'],
    ['another key that is revoked', null, [line('X', { marker: 'revoked' })], 'unknown'],
    ['only a certificate authority', null, [authority], 'certificate-expected'],
    ['a certificate authority and the key', null, [authority, line('K')], 'trusted by known-hosts'],
    [
      'a certificate authority and another key',
      null,
      [authority, line('X')],
      'changed from known-hosts',
    ],
    [
      'the authority’s own key',
      null,
      [line('K', { marker: 'cert-authority' })],
      'certificate-expected',
    ],
    [
      'the key under the name without port',
      null,
      [line('K', { isExact: false })],
      'trusted by known-hosts',
    ],
    ['another key under the name without port', null, [line('X', { isExact: false })], 'unknown'],
    [
      'a revoked key under the name without port',
      'K',
      [line('K', { isExact: false, marker: 'revoked' })],
      'revoked',
    ],
  ])('%s', (_what, stored, known, expected) => {
    expect(kindOf(stored, known)).toBe(expected);
  });

  it('says where the offered key stands when another is stored', () => {
    const here = line('K');
    expect(judgeHostKey('K', { stored: 'S', lines: [here] })).toEqual({
      kind: 'changed',
      from: 'leasehold',
      offeredAt: here.place,
    });
  });
});

describe('knownTypes', () => {
  const rsa = line('R', { type: 'ssh-rsa' });
  it.each([
    ['nothing known', null, [], []],
    ['the type of the stored key alone', 'ssh-ed25519', [rsa], ['ssh-ed25519']],
    ['each type once', null, [rsa, line('E'), line('E2')], ['ssh-rsa', 'ssh-ed25519']],
    ['not what is revoked or an authority', null, [revoked, authority], []],
    [
      'first what names the port',
      null,
      [line('E', { isExact: false }), rsa],
      ['ssh-rsa', 'ssh-ed25519'],
    ],
  ])('%s', (_what, stored, known, expected) => {
    expect(knownTypes(stored, known)).toEqual(expected);
  });
});
