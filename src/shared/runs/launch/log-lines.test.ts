import { describe, expect, it } from 'vitest';
import { runLogStream, type RunLogDelta } from '../../streams/runs-stream.ts';
import type { RunLog } from './launched-run.ts';
import {
  addText,
  countRows,
  findRows,
  firstError,
  isErrorText,
  MAX_CHARS,
  MAX_ROW_CHARS,
  MAX_ROWS,
  nextFound,
  readLog,
  rowOf,
  type LogLines,
} from './log-lines.ts';
import { markFound, readSpans } from './log-text.ts';
import { logFromWire, logViewStream } from './log-view.ts';

const texts = (log: LogLines): readonly (string | undefined)[] =>
  Array.from({ length: countRows(log) }, (_, at) => rowOf(log, log.first + at)?.text);
const inPieces = (text: string, size: number): LogLines => {
  let log = readLog('');
  for (let at = 0; at < text.length; at += size) log = addText(log, text.slice(at, at + size));
  return log;
};

describe('the rows of a log', () => {
  it('come out the same however the text is cut', () => {
    const text = 'one\r\ntwo\n\n 10%|#  |\r 50%|## |\r 90%|###|\rdone\nlast\rLAST\r\r';
    const wanted = ['one', 'two', '', 'done', 'LAST'];
    expect(texts(readLog(text))).toEqual(wanted);
    for (const size of [1, 2, 3, 7, 16]) expect(texts(inPieces(text, size))).toEqual(wanted);
  });

  it('shows a progress bar as it last was, and not as nothing while it waits for its next state', () => {
    expect(texts(readLog('10%\r20%\r'))).toEqual(['20%']);
    expect(texts(addText(readLog('10%\r20%\r'), '30%'))).toEqual(['30%']);
    expect(texts(addText(readLog('10%\r20%\r'), '\n'))).toEqual(['20%']);
    expect(texts(addText(readLog('10%\r20%'), '5%'))).toEqual(['20%5%']);
  });

  it('keeps the beginning of a line without an end, and says how much it leaves out', () => {
    const log = inPieces('x'.repeat(3 * MAX_ROW_CHARS), 1000);
    expect(log.open?.text).toHaveLength(MAX_ROW_CHARS);
    expect(log.open?.leftOut).toBe(2 * MAX_ROW_CHARS);
    expect(addText(log, '\rnew').open).toEqual({ text: 'new', leftOut: 0, isReturned: false });
  });

  it('lets the oldest go, and each row keeps its number', () => {
    let log = readLog('');
    for (let i = 0; i < 3 * MAX_ROWS; i += 100) {
      log = addText(log, Array.from({ length: 100 }, (_, at) => `row ${i + at}\n`).join(''));
      expect(log.rows.length).toBeLessThanOrEqual(MAX_ROWS);
      expect(rowOf(log, i)?.text).toBe(`row ${i}`);
    }
    expect(log.first).toBeGreaterThan(MAX_ROWS);
    expect(rowOf(log, log.first)?.text).toBe(`row ${log.first}`);
    expect(rowOf(log, 0)).toBeNull();
    expect(rowOf(log, log.first + log.rows.length)).toBeNull();
  });

  it('is bounded in characters, too, also where one piece is longer than all that is kept', () => {
    let log = readLog('');
    for (let i = 0; i < 60; i += 1) log = addText(log, `${'y'.repeat(60_000)}\n`.repeat(10));
    expect(log.chars).toBeLessThanOrEqual(MAX_CHARS);
    const flood = addText(log, `${'z'.repeat(99)}\n`.repeat(60_000));
    expect(flood.chars).toBeLessThanOrEqual(MAX_CHARS);
    expect(flood.first).toBeGreaterThan(log.first);
    expect(rowOf(flood, flood.first)?.text).toBe('z'.repeat(99));
  });

  it('holds what the stream of the other end holds', () => {
    const wire: RunLog = {
      text: 'a\nb',
      bytes: 3,
      isCut: false,
      state: 'following',
      problem: null,
    };
    const deltas: RunLogDelta[] = [
      { more: { text: 'c\nd\n', bytes: 4 } },
      { state: 'whole' },
      { more: { text: 'e', bytes: 1 }, state: 'stopped' },
    ];
    const { text, ...rest } = deltas.reduce(runLogStream.apply, wire);
    const { lines, ...seen } = deltas.reduce(logViewStream.apply, logFromWire(wire));
    expect(seen).toEqual(rest);
    expect(texts(lines)).toEqual(text.split('\n'));
  });

  it('keeps nothing from before a gap, and no row gets the number of one that went', () => {
    const wire: RunLog = {
      text: 'Error: a\nb',
      bytes: 10,
      isCut: false,
      state: 'following',
      problem: null,
    };
    const deltas: RunLogDelta[] = [
      { more: { text: 'y\nz\n', bytes: 9000, isAfterGap: true } },
      { more: { text: 'end', bytes: 3 } },
    ];
    const { text, bytes, isCut } = deltas.reduce(runLogStream.apply, wire);
    expect([text, bytes, isCut]).toEqual(['y\nz\nend', 9013, true]);
    const before = logFromWire(wire);
    const { lines, ...seen } = deltas.reduce(logViewStream.apply, before);
    expect(texts(lines)).toEqual(['y', 'z', 'end']);
    expect(seen).toMatchObject({ bytes: 9013, isCut: true });
    expect(lines.first).toBeGreaterThan(before.lines.first + 1);
    expect(firstError(lines)).toBeNull();
  });

  it('says that the file has more before it once the window itself lets rows go', () => {
    const wire: RunLog = { text: '', bytes: 0, isCut: false, state: 'following', problem: null };
    const more = { text: 'x\n'.repeat(MAX_ROWS + 1), bytes: 2 * (MAX_ROWS + 1) };
    expect(logViewStream.apply(logFromWire(wire), { more }).isCut).toBe(true);
  });
});

/** As linear-readers.test.ts measures: 4 for four times as much where it is linear, 16 where it grows with the square. */
describe('a hostile log', () => {
  const MAX_RATIO = 9;
  const costMs = (work: () => void): number => {
    let best = Infinity;
    for (let n = 0; n < 4; n += 1) {
      const before = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(before);
      best = Math.min(best, (user + system) / 1000);
    }
    return best;
  };
  const work = (text: string) => (): void => {
    const log = inPieces(text, 16_384);
    findRows(log, 'aab', null);
    for (let at = 0; at < countRows(log); at += 1) {
      markFound(readSpans(rowOf(log, log.first + at)?.text ?? ''), 'aab');
    }
  };
  it.each([
    ['carriage returns', '\r'],
    ['newlines', '\n'],
    ['a line without an end', 'a'],
    ['short lines', 'aa\n'],
    ['a bar that never ends', 'x\r'],
    ['lines of capitals', `${'A'.repeat(300)}\n`],
    ['colours', '\u001b[31m'],
    ['orders that do not end', '\u001b['],
    ['titles that do not end', `\u001b]${'b'.repeat(300)}`],
    ['coloured lines', '\u001b[1;31;42mab\n'],
    ['half an error', 'Error Exception CUDA \n'],
    ['colons', `${': '.repeat(200)}\n`],
    ['what is looked for', `${'aab'.repeat(2000)}\n`],
  ])('takes no more than its share of time: %s', (_what, unit) => {
    const of = (length: number) => unit.repeat(Math.ceil(length / unit.length));
    let ratio = Infinity;
    for (let n = 0; n < 5 && ratio > MAX_RATIO; n += 1) {
      const less = Math.max(1, costMs(work(of(256 * 1024))));
      ratio = Math.min(ratio, costMs(work(of(1024 * 1024))) / less);
    }
    expect(ratio).toBeLessThan(MAX_RATIO);
  });
});

describe('an error in a log', () => {
  it.each([
    'Traceback (most recent call last):',
    '[rank0]: Traceback (most recent call last):',
    'ValueError: no such thing',
    'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB',
    '\u001b[31mRuntimeError: CUDA error: device-side assert triggered\u001b[0m',
    'train.py: error: unrecognized arguments: --lrr',
    'KeyboardInterruptException',
    '2026-01-02 03:04:05 ERROR trainer: lost a worker',
    'bash: python3.99: command not found',
    'Segmentation fault (core dumped)',
    'Killed',
  ])('is told by %j', (line) => expect(isErrorText(line)).toBe(true));

  it.each([
    'MeanSquaredError: 0.31',
    'val Error: -1e-3',
    'Mean Error: nan',
    'epoch 3 loss 0.2 errors=0',
    'terrors: everywhere',
    'no mistakes were made',
    'skipped: Killed processes are listed below',
    '',
  ])('is not told by %j', (line) => expect(isErrorText(line)).toBe(false));

  it('is found first where it stands first, in what is still being written, and not once it is gone', () => {
    const log = inPieces('fine\nValueError: a\nfine\nKeyError: b\n', 5);
    expect(firstError(log)).toBe(1);
    expect(firstError(readLog('fine\nValueError: a'))).toBe(1);
    expect(firstError(readLog('fine\n'))).toBeNull();
    expect(firstError(addText(log, 'fine\n'.repeat(MAX_ROWS)))).toBeNull();
  });
});

describe('a search in a log', () => {
  it('finds in any case and through colours, and goes round', () => {
    const log = readLog('Loss 1\nother\nLO\u001b[1mSS 2\nloss 3');
    const found = findRows(log, 'loss', null);
    expect(found.numbers).toEqual([0, 2, 3]);
    expect(nextFound(found, null, 'next')).toBe(0);
    expect(nextFound(found, 2, 'next')).toBe(3);
    expect(nextFound(found, 3, 'next')).toBe(0);
    expect(nextFound(found, 0, 'previous')).toBe(3);
    expect(nextFound(found, null, 'previous')).toBe(3);
    expect(nextFound(findRows(log, 'nothing', null), 2, 'next')).toBeNull();
    expect(findRows(log, '', null).numbers).toEqual([]);
  });

  it('goes on as the log grows, as if it had begun anew', () => {
    let log = readLog('');
    let found = findRows(log, 'b', null);
    for (let i = 0; i < 3 * MAX_ROWS; i += 500) {
      log = addText(log, 'a\nb\na\n b'.repeat(125));
      found = findRows(log, 'b', found);
    }
    expect(found.numbers).toEqual(findRows(log, 'b', null).numbers);
    expect(findRows(log, 'b', found)).toBe(found);
  });
});
