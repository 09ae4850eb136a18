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

  it('does not wait for an answer when there is a batch', () => {
    const { sent, push } = setUp();
    push('a');
    for (let i = 0; i < 16; i += 1) push('x'.repeat(4096));
    expect(sent).toEqual(['a', 'x'.repeat(65_536)]);
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
