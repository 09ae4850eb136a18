import { describe, expect, it } from 'vitest';
import { redactText } from '../../shared/secrets/redact-text.ts';
import { RedactedLine } from './redacted-line.ts';

const TOKEN = `hf_${'a1B2c3D4e5'.repeat(4)}`;
const LOG = `step 1\nuploading with ${TOKEN} to the hub\nstep 2\n`;
const AT = LOG.indexOf(TOKEN);

const KEY = [
  '-----BEGIN OPENSSH PRIVATE KEY-----',
  ...Array.from({ length: 8 }, (_, at) => `${String(at)}b3BlbnNzaC1rZXktdjE`.repeat(3)),
  '-----END OPENSSH PRIVATE KEY-----',
].join('\n');
/** As they stand in a log, and what of each may be seen before it is known for one. */
const SECRETS: Readonly<Record<string, readonly [line: string, secret: string]>> = {
  'a token': [`with ${TOKEN} to`, TOKEN.slice(3)],
  'a web token': [
    'jwt eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl!',
    'hbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl',
  ],
  'a password in an address': ['clone https://me:pass1word@host/a', 'pass1word'],
  'a password in quotes': ['login --password "my tall tree" ok', 'my tall tree'],
  'a value behind its name': ['HF_TOKEN=abc123 ok', 'abc123'],
};

/** The log as it is shown when it comes in these pieces. */
function shown(pieces: readonly string[]): string {
  const line = new RedactedLine(redactText);
  return pieces.map((piece) => line.take(piece, false)).join('') + line.end();
}

describe('a log that comes in pieces', () => {
  it('shows what it would as a whole, wherever it is cut', () => {
    // Whether "hf" begins a token, what follows it tells.
    const isBegun = (at: number): boolean => at > AT && at < AT + 3;
    for (let at = 0; at <= LOG.length; at += 1) {
      if (isBegun(at)) continue;
      expect(shown([LOG.slice(0, at), LOG.slice(at)])).toBe(redactText(LOG));
    }
  });

  it.each(Object.entries(SECRETS))(
    'shows no half of %s, however long the other half is awaited',
    (_what, [line, secret]) => {
      const begin = line.indexOf(secret);
      const log = `step 1\n${line}\n`;
      for (let at = 1; at < secret.length; at += 1) {
        const reader = new RedactedLine(redactText);
        const cut = 'step 1\n'.length + begin + at;
        const first = reader.take(log.slice(0, cut), false);
        expect(`${String(at)} ${first}`).not.toContain(secret.slice(0, Math.max(3, at)));
        const all = first + reader.take('', false) + reader.take(log.slice(cut), false);
        expect(all).not.toContain(secret.slice(-Math.max(3, secret.length - at)));
        expect(all).toMatch(/^step 1\n.*\n$/);
      }
    },
  );

  it.each([1, 7, 60])('shows no line of a key that comes in pieces of %d characters', (length) => {
    const log = `step 1\n${KEY}\nstep 2\n`;
    const pieces = Array.from({ length: Math.ceil(log.length / length) }, (_, at) =>
      log.slice(at * length, (at + 1) * length),
    );
    const text = shown(pieces);
    expect(text).not.toMatch(/b3Bl|aC1r|END/);
    expect(text).toMatch(/^step 1\n[^]*\[redacted\]-?\nstep 2\n$/);
  });

  it('shows what follows what only begins like a key, once no key is so long', () => {
    const line = new RedactedLine(redactText);
    line.take('-----BEGIN PRIVATE KEY-----\n', false);
    const rows = Array.from({ length: 400 }, () => line.take(`${'x'.repeat(99)}\n`, false));
    expect(rows.slice(0, 160).join('')).toBe('');
    expect(rows.at(-1)).toBe(`${'x'.repeat(99)}\n`);
  });

  it('takes nothing from before a gap for a part of what follows', () => {
    const line = new RedactedLine(redactText);
    line.take(`with ${TOKEN}`, false);
    expect(line.take('plain words\n', true)).toBe('plain words\n');
  });

  it('remembers a bounded part of a line without end', () => {
    let longest = 0;
    const line = new RedactedLine((text) => {
      longest = Math.max(longest, text.length);
      return text;
    });
    for (let i = 0; i < 100; i += 1) line.take('x'.repeat(1000), false);
    expect(longest).toBeLessThanOrEqual(4096 + 1000);
  });
});
