import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { withFolder } from '../storage/disk.fixture.ts';
import { createLog } from './log.ts';
import { Repeats } from './repeats.ts';

const before = new Set(process.listeners('exit'));

/** What a log does at the end of this process, done now: later it would make its folder anew. */
function endProcess(): void {
  for (const listener of process.listeners('exit')) if (!before.has(listener)) listener(0);
}

const refuse = ({ message }: { readonly message: string }): never => {
  throw new Error(message);
};

it('keeps what was logged before a box floods the log, and after', () =>
  withFolder((folder) => {
    let nowMs = 0;
    const log = createLog({ folder, level: 'info', now: () => nowMs, onWriteFailure: refuse });
    log.warn('a host key was refused');
    const flooded = log.child('telemetry').child('train-a');
    // Three days of lines that nobody can read, a hundred a second for an hour of them; each as long as an entry may be.
    for (let n = 0; n < 60_000; n += 1) {
      nowMs += n % 100 === 0 ? 1000 : 0;
      flooded.warn('unreadable GPU lines', { lines: ['x'.repeat(3000)] });
    }
    log.warn('link went down');
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(files.join('')).toContain('a host key was refused');
    expect(files.join('')).toContain('link went down');
    expect(files.join('')).toMatch(/unreadable GPU lines .*"leftOutBefore":\d+/);
    endProcess();
  }));

it('counts each kind by itself, and those beyond counting together', () => {
  const repeats = new Repeats();
  for (let n = 0; n < 600; n += 1) repeats.take('flood', 0);
  expect(repeats.take('flood', 0)).toBeNull();
  expect(repeats.take('other', 0)).toBe(0);
  expect(repeats.take('flood', 31_000)).toBe(101);
  let written = 0;
  for (let n = 0; n < 5000; n += 1) {
    if (repeats.take(`made up ${String(n)}`, 31_000) !== null) written += 1;
  }
  expect(written).toBeLessThan(1100);
});

it('forgets a kind that is over, so that a new one has room of its own', () => {
  const repeats = new Repeats();
  for (let n = 0; n < 2000; n += 1) repeats.take(`made up ${String(n)}`, 0);
  const laterMs = 60_000;
  for (let n = 0; n < 500; n += 1) {
    expect(repeats.take('the ledger cannot be written', laterMs)).not.toBeNull();
  }
});

it('tells how many were left out though none of their kind gets through any more', () =>
  withFolder((folder) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const log = createLog({ folder, level: 'info', now: () => 0, onWriteFailure: refuse });
    for (let n = 0; n < 800; n += 1) log.child('ssh').warn('the connection ended');
    const written = (): string => readFileSync(log.file, 'utf8');
    expect(written()).not.toContain('left out');
    vi.runAllTimers();
    expect(written()).toMatch(
      /WARN {2}log: entries were left out.*"count":300.*300 × app\/ssh the c/,
    );
    log.child('ssh').warn('the connection ended');
    endProcess();
    expect(written()).toMatch(/WARN {2}log: entries were left out.*"count":1,/);
    expect(vi.getTimerCount()).toBe(0);
  }));

it('writes an error, whatever many kinds of warnings there were', () =>
  withFolder((folder) => {
    const log = createLog({ folder, level: 'info', now: () => 0, onWriteFailure: refuse });
    for (let n = 0; n < 1200; n += 1) log.warn(`a box made up ${String(n)}`);
    log.error('the ledger cannot be written');
    expect(readFileSync(log.file, 'utf8')).toContain('ERROR app: the ledger cannot be written');
    endProcess();
  }));
