import { Terminal } from '@xterm/xterm';
import { expect, it } from 'vitest';
import { parseAtOnce } from './parse-at-once.ts';

it('makes a real xterm parse what is written next before it returns, and only that', async () => {
  const terminal = new Terminal({ cols: 20, rows: 2 });
  const parsed: string[] = [];
  const write = (text: string): Promise<void> =>
    new Promise((resolve) =>
      terminal.write(text, () => {
        parsed.push(text);
        resolve();
      }),
    );
  parseAtOnce(terminal);
  void write('now');
  expect(parsed).toEqual(['now']);
  const later = write('later');
  expect(parsed).toEqual(['now']);
  // What is written while older bytes wait keeps its place behind them.
  parseAtOnce(terminal);
  const last = write('last');
  expect(parsed).toEqual(['now']);
  await Promise.all([later, last]);
  expect(parsed).toEqual(['now', 'later', 'last']);
  expect(terminal.buffer.active.getLine(0)?.translateToString(true)).toBe('nowlaterlast');
  terminal.dispose();
});
