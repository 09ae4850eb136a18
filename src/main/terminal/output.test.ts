import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TerminalOutput } from './output.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function setUp() {
  const sent: string[] = [];
  const output = new TerminalOutput((bytes) => sent.push(Buffer.from(bytes).toString()));
  return { output, sent, push: (text: string) => output.push(Buffer.from(text)) };
}

describe('TerminalOutput', () => {
  it('sends the first bytes at once and joins what follows within 4 ms', () => {
    const { sent, push } = setUp();
    push('a');
    push('b');
    vi.advanceTimersByTime(3);
    push('c');
    expect(sent).toEqual(['a']);
    vi.advanceTimersByTime(1);
    expect(sent).toEqual(['a', 'bc']);
    push('d');
    expect(sent).toEqual(['a', 'bc']);
    vi.advanceTimersByTime(4);
    expect(sent).toEqual(['a', 'bc', 'd']);
  });

  it('is quick again after a pause, and sets no timer while nothing comes', () => {
    const { sent, push } = setUp();
    push('a');
    vi.advanceTimersByTime(4);
    expect(vi.getTimerCount()).toBe(0);
    push('b');
    expect(sent).toEqual(['a', 'b']);
  });

  it('waits for nothing when there is more than a batch of 60 KiB', () => {
    const { sent, push } = setUp();
    push('a');
    for (let i = 0; i < 31; i += 1) push('x'.repeat(4096));
    expect(sent).toEqual(['a', 'x'.repeat(15 * 4096), 'x'.repeat(15 * 4096)]);
    vi.advanceTimersByTime(4);
    expect(sent.at(-1)).toBe('x'.repeat(4096));
  });

  it('sends a full batch only when another message is to follow', () => {
    const { sent, push } = setUp();
    push('a');
    push('x'.repeat(60 * 1024));
    expect(sent).toEqual(['a']);
    push('y');
    expect(sent.slice(1)).toEqual(['x'.repeat(60 * 1024)]);
    vi.advanceTimersByTime(4);
    expect(sent.at(-1)).toBe('y');
  });

  it('cuts a piece that is larger than a batch, and loses nothing of it', () => {
    const { sent, push } = setUp();
    const piece = Array.from({ length: 30_000 }, (_, i) => `${String(i)},`).join('');
    push(piece);
    vi.advanceTimersByTime(4);
    expect(sent.slice(0, 2).map(({ length }) => length)).toEqual([61_440, 61_440]);
    expect(sent.join('')).toBe(piece);
  });

  it('sends what waits when something else is to follow it', () => {
    const { output, sent, push } = setUp();
    push('a');
    push('b');
    output.flush();
    expect(sent).toEqual(['a', 'b']);
    output.flush();
    expect(sent).toEqual(['a', 'b']);
  });

  it('leaves neither bytes nor a timer behind where nobody wants them any more', () => {
    const { output, sent, push } = setUp();
    push('a');
    push('b');
    output.drop();
    expect(vi.getTimerCount()).toBe(0);
    push('c');
    expect(sent).toEqual(['a', 'c']);
  });
});
