import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { END_LINE, MarkSplitter, START_LINE } from './mark-splitter.ts';

const MARK = 'leaseholdabcd1234x';

/** What a stream was cut into, given in pieces of these lengths over and over. */
function split(stream: Buffer, lengths: readonly number[], line = END_LINE) {
  const splitter = new MarkSplitter(MARK, line);
  const before: Buffer[] = [];
  let rest: Buffer[] | null = null;
  let value: string | null = null;
  for (let at = 0, i = 0; at < stream.length; i += 1) {
    const piece = stream.subarray(at, at + (lengths[i % lengths.length] ?? 1));
    at += piece.length;
    if (rest !== null) {
      rest.push(piece);
      continue;
    }
    const { before: more, found } = splitter.push(piece);
    before.push(more);
    if (found === null) continue;
    value = found.value;
    rest = [found.rest];
  }
  before.push(splitter.end());
  return {
    before: Buffer.concat(before),
    value,
    rest: rest === null ? null : Buffer.concat(rest).toString('latin1'),
  };
}

describe('the line that a mark begins', () => {
  it.each([
    ['with an exit code', `out\n${MARK} 7\nBye\n`, 'out\n', '7', 'Bye\n'],
    ['behind bytes without a line end', `out${MARK} 255\r\n`, 'out', '255', ''],
    ['behind what only began like it', `${MARK.slice(0, 9)}${MARK} 0\n`, 'leasehold', '0', ''],
    ['behind the mark in another line', `${MARK} x\n${MARK}${MARK} 1\n`, null, '1', ''],
    ['cut within the code', `out${MARK} 1`, `out${MARK} 1`, null, null],
    ['cut within the mark', 'outleasehold', 'outleasehold', null, null],
  ])('is found %s, wherever the stream is cut', (_where, text, before, value, rest) => {
    for (let length = 1; length <= text.length; length += 1) {
      expect(split(Buffer.from(text), [length])).toEqual({
        before: Buffer.from(before ?? text.slice(0, text.lastIndexOf(MARK))),
        value,
        rest,
      });
    }
  });

  it('tells whether the line of a start went through a terminal', () => {
    expect(split(Buffer.from(`hi${MARK}\r\nout`), [1], START_LINE)).toMatchObject({ value: '\r' });
    expect(split(Buffer.from(`hi${MARK}\nout`), [1], START_LINE)).toMatchObject({ value: '' });
  });

  it('loses and changes no byte, whatever the bytes and the pieces are', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 400 }),
        fc.array(fc.constantFrom('lease', MARK, ' 7', '\r', '\n', '\xff'), { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
        (bytes, nearly, lengths) => {
          const stream = Buffer.concat([
            Buffer.from(nearly.join(''), 'latin1'),
            bytes,
            Buffer.from(`${MARK} 42\nafter`),
          ]);
          const at = stream.toString('latin1').search(new RegExp(`${MARK} \\d{1,3}\\r?\\n`));
          const { before, value } = split(stream, lengths);
          expect(before).toEqual(stream.subarray(0, at));
          expect(value).not.toBeNull();
        },
      ),
    );
  });

  it('holds back nothing that cannot belong to it', () => {
    const splitter = new MarkSplitter(MARK, END_LINE);
    expect(splitter.push(Buffer.from('ready?\n')).before.toString()).toBe('ready?\n');
  });

  it('takes four times as long for four times as much of what nearly is one, not sixteen times', () => {
    const nearly = Buffer.from(`${MARK} 1`.repeat(2000));
    const quarter = nearly.subarray(0, nearly.length / 4);
    split(nearly, [1]);
    const [long, short] = [nearly, quarter].map((stream) => {
      const times = Array.from({ length: 5 }, () => {
        const since = process.cpuUsage();
        split(stream, [1]);
        const { user, system } = process.cpuUsage(since);
        return user + system;
      });
      return Math.min(...times);
    }) as [number, number];
    expect(long / short).toBeLessThan(9);
  });
});
