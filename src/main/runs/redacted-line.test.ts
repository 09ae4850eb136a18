import { describe, expect, it } from 'vitest';
import { redactText } from '../../shared/secrets/redact-text.ts';
import { RedactedLine } from './redacted-line.ts';

const TOKEN = `hf_${'a1B2c3D4e5'.repeat(4)}`;
const LOG = `step 1\nuploading with ${TOKEN} to the hub\nstep 2\n`;
const AT = LOG.indexOf(TOKEN);

/** The log as it is shown when it comes in these pieces. */
function shown(pieces: readonly string[]): string {
  const line = new RedactedLine(redactText);
  return pieces.map((piece) => line.take(piece, false)).join('');
}

describe('a log that comes in pieces', () => {
  it('shows what it would as a whole where it is cut beside a secret', () => {
    for (const at of [0, 3, AT, AT + TOKEN.length, LOG.length]) {
      expect(shown([LOG.slice(0, at), LOG.slice(at)])).toBe(redactText(LOG));
    }
  });

  it('shows no end of a secret that is cut anywhere, and all that follows it', () => {
    for (let at = AT + 1; at < AT + TOKEN.length; at += 1) {
      const text = shown([LOG.slice(0, at), LOG.slice(at)]);
      expect(text).not.toContain(LOG.slice(at, AT + TOKEN.length + 1));
      expect(text).toMatch(/\[redacted\] to the hub\nstep 2\n$/);
    }
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
