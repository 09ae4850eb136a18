import { describe, expect, it } from 'vitest';
import { TerminalOutput } from './output.ts';

function setUp() {
  const sent: string[] = [];
  const output = new TerminalOutput((bytes) => sent.push(Buffer.from(bytes).toString()));
  return { output, sent, push: (text: string) => output.push(Buffer.from(text)) };
}

describe('TerminalOutput', () => {
  it('sends the first bytes at once and joins the next until they are answered', () => {
    const { output, sent, push } = setUp();
    push('a');
    push('b');
    push('c');
    expect(sent).toEqual(['a']);
    output.answered(1);
    expect(sent).toEqual(['a', 'bc']);
    output.answered(2);
    push('d');
    expect(sent).toEqual(['a', 'bc', 'd']);
  });

  it('does not wait for an answer when there is a batch, which never reaches 64 KiB', () => {
    const { output, sent, push } = setUp();
    push('a');
    for (let i = 0; i < 16; i += 1) push('x'.repeat(4096));
    expect(sent).toEqual(['a', 'x'.repeat(15 * 4096)]);
    output.answered(1 + 15 * 4096);
    expect(sent.at(-1)).toBe('x'.repeat(4096));
  });

  it('sends a piece that is larger than a batch by itself, and nothing empty', () => {
    const { sent, push } = setUp();
    push('x'.repeat(70_000));
    push('y'.repeat(70_000));
    push('z');
    expect(sent.map((text) => text.length)).toEqual([70_000, 70_000]);
  });

  it('survives answers that nobody asked for', () => {
    const { output, sent, push } = setUp();
    output.answered(1e9);
    push('a');
    push('b');
    output.answered(1e9);
    expect(sent).toEqual(['a', 'b']);
  });
});
