import { describe, expect, it } from 'vitest';
import { SAMPLE_KEY } from '../host-key.fixture.ts';
import { decodeBase64 } from './base64.ts';
import { parseKnownHosts, readLine } from './entry.ts';

const { publicKey: KEY } = SAMPLE_KEY;
const SALT = 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=';
const HASH = 'AQEBAQEBAQEBAQEBAQEBAQEBAQE=';

describe('parseKnownHosts', () => {
  it('reads names, lists, ports, wildcards, negation, markers and comments', () => {
    const { entries, unreadable } = parseKnownHosts(
      [
        '# a comment',
        '',
        `box.example ssh-ed25519 ${KEY} me@here`,
        `  A.example,203.0.113.5\tssh-ed25519\t${KEY}`,
        `[box.example]:2222 ssh-ed25519 ${KEY}`,
        `*.example,!bad.example ssh-ed25519 ${KEY}`,
        `@revoked * ssh-ed25519 ${KEY}`,
        `@cert-authority *.example ssh-ed25519 ${KEY} the authority`,
        `|1|${SALT}|${HASH} ssh-ed25519 ${KEY}`,
      ].join('\n'),
    );
    expect(unreadable).toEqual([]);
    expect(entries.map(({ line, marker }) => [line, marker])).toEqual([
      [3, 'none'],
      [4, 'none'],
      [5, 'none'],
      [6, 'none'],
      [7, 'revoked'],
      [8, 'cert-authority'],
      [9, 'none'],
    ]);
    expect(entries[1]?.hosts).toEqual({
      kind: 'plain',
      patterns: [
        { text: 'a.example', isNegated: false },
        { text: '203.0.113.5', isNegated: false },
      ],
    });
    expect(entries[3]?.hosts).toMatchObject({ patterns: [{}, { isNegated: true }] });
    expect(entries[6]?.hosts).toEqual({ kind: 'hashed', salt: SALT, hash: HASH });
  });

  it('reads the line ends of Windows', () => {
    const { entries } = parseKnownHosts(`a.example ssh-ed25519 ${KEY}\r\nb ssh-ed25519 ${KEY}\r\n`);
    expect(entries).toMatchObject([{ publicKey: KEY }, { publicKey: KEY, line: 2 }]);
  });

  it.each([
    ['an unknown marker', `@trusted h ssh-ed25519 ${KEY}`, /marker/],
    ['two markers', `@revoked @revoked h ssh-ed25519 ${KEY}`, /key type/],
    ['a name alone', 'h', /are expected/],
    ['no key', 'h ssh-ed25519', /are expected/],
    ['a key of SSH version 1', 'h 1024 35 1234567', /version 1/],
    ['an unknown type', `h ssh-future ${KEY}`, /“ssh-future” is not known/],
    ['a key of another type', `h ssh-rsa ${KEY}`, /another type/],
    ['a cut key', `h ssh-ed25519 ${KEY.slice(0, -1)}`, /base64/],
    ['a key that is only its type', 'h ssh-ed25519 AAAAC3NzaC1lZDI1NTE5', /another type/],
    ['a hash of another kind', `|2|${SALT}|${HASH} ssh-ed25519 ${KEY}`, /hashed/],
    ['a hash with a short salt', `|1|AAAA|${HASH} ssh-ed25519 ${KEY}`, /hashed/],
    ['a hash in a list', `|1|${SALT}|${HASH},|1|${SALT}|${HASH} ssh-ed25519 ${KEY}`, /hashed/],
  ])('keeps the number of a line with %s, and reads on', (_what, line, because) => {
    const read = parseKnownHosts(`# first\n${line}\nh ssh-ed25519 ${KEY}\n`);
    expect(read.unreadable).toEqual([{ line: 2, because: expect.stringMatching(because) }]);
    expect(read.entries).toMatchObject([{ line: 3 }]);
  });

  it('repeats nothing of a line that could act on a screen', () => {
    const read = readLine(`h \u001b[2Jssh-\u202e${'x'.repeat(500)} ${KEY}`, 1);
    expect(read).toMatchObject({ because: expect.stringMatching(/^[\x20-\x7e“”]{10,100}$/) });
  });

  it('gets an end with anything', () => {
    const pieces = [
      '@revoked',
      '@',
      '|1|',
      '|',
      ',',
      '!',
      '*',
      KEY,
      'ssh-rsa',
      '\0',
      'é',
      '\t',
      '',
    ];
    for (let n = 0; n < 3000; n += 1) {
      const line = [1, 5, 7, 11, 3]
        .map((step) => pieces[(n * step + (n >> 2)) % pieces.length])
        .join(n % 2 === 0 ? ' ' : '');
      expect(() => parseKnownHosts(line)).not.toThrow();
    }
  });
});

describe('decodeBase64', () => {
  it.each([
    ['', []],
    ['AA==', [0]],
    ['//8=', [255, 255]],
    ['AQID', [1, 2, 3]],
  ])('reads %j', (text, bytes) => {
    expect([...(decodeBase64(text) ?? ['null'])]).toEqual(bytes);
  });

  it.each(['A', 'AA', 'AAA', 'A===', 'AA=A', 'AA== ', 'AB==', '-_8=', 'AAAA=', '====', 'é'])(
    'refuses %j',
    (text) => {
      expect(decodeBase64(text)).toBeNull();
    },
  );
});
