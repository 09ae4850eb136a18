import { describe, expect, it } from 'vitest';
import { UNTOLD_READING, type GpuReading } from '../telemetry/gpu-reading.ts';
import { DMON_COLUMNS } from './dmon-columns.ts';
import { DmonReader, parseDmon } from './dmon.ts';
import { MAX_LINE_CHARS } from './line-splitter.ts';
import { UnreadableLines } from './probe-output.ts';
import type { ReadingBatch } from './reading-batch.ts';
import { cut, damaged, noise, randomText, sample, sampleNames } from './sample.fixture.ts';

interface Expected {
  readonly rows: number;
  readonly gpus: readonly number[];
  readonly unreadable: readonly string[];
  readonly failures: readonly unknown[];
  /** Every figure that the row holds; all others are null. */
  readonly first: Partial<GpuReading>;
  readonly last: Partial<GpuReading>;
  readonly series: Readonly<Record<string, readonly unknown[]>>;
}

const NOTHING: GpuReading = { index: 0, ...UNTOLD_READING };

/** Joins what a stream gave piece by piece, keeping every unreadable line. */
function readInPieces(pieces: readonly string[]): ReadingBatch {
  const reader = new DmonReader();
  const batches = [...pieces.map((piece) => reader.push(piece)), reader.end()];
  return {
    readings: batches.flatMap(({ readings }) => readings),
    unreadable: batches.flatMap(({ unreadable }) => unreadable),
    unreadableCount: batches.reduce((sum, batch) => sum + batch.unreadableCount, 0),
    failures: batches.flatMap(({ failures }) => failures),
  };
}

const names = sampleNames('dmon');
const HEADER = '# gpu   pwr gtemp    sm  mclk\n# Idx     W     C     %   MHz\n';

describe('recorded streams', () => {
  it.each(names)('reads %s', (name) => {
    const { text, expected } = sample<Expected>(name);
    const { readings, unreadable, unreadableCount, failures } = parseDmon(text);
    expect(readings).toHaveLength(expected.rows);
    expect([...new Set(readings.map(({ index }) => index))]).toEqual(expected.gpus);
    expect(readings.at(0)).toEqual({ ...NOTHING, ...expected.first });
    expect(readings.at(-1)).toEqual({ ...NOTHING, ...expected.last });
    for (const [figure, values] of Object.entries(expected.series)) {
      expect(readings.map((reading) => reading[figure as keyof GpuReading])).toEqual(values);
    }
    expect(unreadable).toEqual(expected.unreadable);
    expect(unreadableCount).toBe(expected.unreadable.length);
    expect(failures).toEqual(expected.failures);
  });

  it.each(names)('reads %s the same at every size of the pieces', (name) => {
    const { text } = sample<Expected>(name);
    const whole = parseDmon(text);
    for (let size = 1; size <= text.length; size += 1) {
      expect(readInPieces(cut(text, size))).toEqual(whole);
    }
  });

  it.each(names)('reads %s with Windows line ends', (name) => {
    const { text } = sample<Expected>(name);
    expect(parseDmon(text.replaceAll('\n', '\r\n'))).toEqual(parseDmon(text));
  });

  it.each(names.filter((name) => !name.includes('csv')))(
    'reads %s without its final newline',
    (name) => {
      const { text } = sample<Expected>(name);
      expect(parseDmon(text.trimEnd())).toEqual(parseDmon(text));
    },
  );

  // Its rows have no width that would tell a whole one from one that was cut inside its last figure.
  it('does not believe the last row of CSV without its newline', () => {
    const { text } = sample<Expected>('dmon--h100-580-format-csv');
    const { readings, unreadableCount } = parseDmon(text.trimEnd());
    expect(readings).toEqual(parseDmon(text).readings.slice(0, -1));
    expect(unreadableCount).toBe(1);
  });

  // The stream of a dying link ends anywhere, and "198" of "1980" looks like a figure.
  it.each(names)('never believes the cut last row of %s', (name) => {
    const { text } = sample<Expected>(name);
    const whole = parseDmon(text).readings;
    for (let length = 0; length < text.length; length += 1) {
      const { readings } = parseDmon(text.slice(0, length));
      expect(readings).toEqual(whole.slice(0, readings.length));
    }
  });
});

describe('headers', () => {
  it('reads columns by name in any order', () => {
    const text = '# mclk gpu sm\n# MHz Idx %\n 405 3 7\n';
    expect(parseDmon(text).readings).toEqual([
      { ...NOTHING, index: 3, memoryClockMHz: 405, smPct: 7 },
    ]);
  });

  it('reads headers that lost their #', () => {
    const text = `${HEADER}    0    70    41     5   405\n`;
    expect(parseDmon(text.replaceAll('#', ' '))).toEqual(parseDmon(text));
    expect(parseDmon(text.replaceAll('# ', ''))).toEqual(parseDmon(text));
    expect(parseDmon(text).readings).toHaveLength(1);
  });

  it('takes a repeated header and one with other columns in mid-stream', () => {
    const row = '    0    70    41     5   405\n';
    const other = '# gpu    sm   pwr\n# Idx     %     W\n    0     6    71\n';
    const { readings, unreadableCount } = parseDmon(HEADER + row + HEADER + row + other);
    expect(readings.map(({ smPct, powerW }) => [smPct, powerW])).toEqual([
      [5, 70],
      [5, 70],
      [6, 71],
    ]);
    expect(readings[2]?.temperatureC).toBeNull(); // not what the columns before said
    expect(unreadableCount).toBe(0);
  });

  it('reads cells between commas, and refuses an empty one', () => {
    const text =
      '# gpu, pwr, gtemp, mtemp, sm\n# Idx, W, C, C, %\n0, 70, 48, -, 5\n1, 71,, -, 6\n1, 71, 4 9, -, 6\n1, 71, 49, -, 6,\n';
    expect(parseDmon(text)).toMatchObject({
      unreadableCount: 2,
      readings: [
        { index: 0, powerW: 70, temperatureC: 48, memoryTemperatureC: null, smPct: 5 },
        { index: 1, powerW: 71, smPct: 6 },
      ],
    });
    // A decimal comma in a row without commas between its cells is no cell of its own.
    expect(parseDmon('# gpu pwr sm\n 0 70,5 5\n')).toMatchObject({
      readings: [],
      unreadableCount: 1,
    });
  });

  it('reads rows without a unit row', () => {
    expect(parseDmon('# gpu sm\n 0 5\n').readings).toEqual([{ ...NOTHING, smPct: 5 }]);
  });

  it('keeps unknown columns by name, as printed', () => {
    const text = '# gpu sm fp64 constructor\n# Idx % % %\n 0 5 12.5 -\n';
    expect(parseDmon(text).readings).toEqual([
      { ...NOTHING, smPct: 5, unknownColumns: { fp64: '12.5', constructor: '-' } },
    ]);
  });

  it('does not take a figure in another unit for its own', () => {
    const { readings } = parseDmon('# gpu sm fb\n# Idx % GB\n 0 5 80\n');
    expect(readings).toEqual([{ ...NOTHING, smPct: 5, unknownColumns: { fb: '80' } }]);
  });

  it('finds no row before any header', () => {
    const { readings, unreadable } = parseDmon('    0    70    41     5   405\n');
    expect(readings).toEqual([]);
    expect(unreadable).toEqual(['    0    70    41     5   405']);
  });

  it.each([
    ['a column twice', '# gpu sm sm\n'],
    ['two names of one figure', '# gpu sm temp gtemp\n'],
    ['a name of control characters', '# gpu sm \x1b[31mpwr\n'],
    ['a process monitor', '# gpu pid type sm\n'],
    ['units of another header', '# Idx % %\n'],
  ])('reads no row with the old names after %s', (_, header) => {
    const { readings, unreadableCount } = parseDmon(`# gpu sm pwr mclk\n${header} 0 1 2 3\n`);
    expect(readings).toEqual([]);
    expect(unreadableCount).toBe(2);
  });

  it('keeps reading after a line that only speaks of a gpu', () => {
    const { readings, unreadable } = parseDmon('# gpu sm\n# gpu burn\nwaiting for gpu 0\n 0 5\n');
    expect(readings).toHaveLength(1);
    expect(unreadable).toEqual(['# gpu burn', 'waiting for gpu 0']);
  });

  it('puts every known column into its own figure', () => {
    const columns = DMON_COLUMNS.map(({ names: [name] }) => name).join(' ');
    const row = DMON_COLUMNS.map(({ max }, column) => Math.min(column, max)).join(' ');
    const { readings } = parseDmon(`# ${columns}\n${row}\n`);
    expect(readings).toEqual([
      {
        index: 0,
        powerW: 1,
        temperatureC: 2,
        memoryTemperatureC: 3,
        smPct: 4,
        memPct: 5,
        encoderPct: 6,
        decoderPct: 7,
        jpegPct: 8,
        opticalFlowPct: 9,
        memoryClockMHz: 10,
        smClockMHz: 11,
        powerViolationPct: 12,
        isThermallyHeld: true,
        throttleBits: null,
        memoryUsedMiB: 14,
        bar1UsedMiB: 15,
        protectedMemoryUsedMiB: 16,
        eccSingleBitErrors: 17,
        eccDoubleBitErrors: 18,
        pcieReplayErrors: 19,
        pcieRxMBps: 20,
        pcieTxMBps: 21,
        boxTime: null,
        unknownColumns: null,
      },
    ]);
  });
});

describe('box time', () => {
  it.each([
    ['#Time gpu sm\n#HH:MM:SS Idx %\n 19:12:31 0 5\n', '19:12:31'],
    ['#Date gpu sm\n#YYYYMMDD Idx %\n 20210102 0 5\n', '20210102'],
    ['#Date Time gpu sm\n 20210102 19:12:31 0 5\n', '20210102 19:12:31'],
    ['Date Time gpu sm\nYYYYMMDD HH:MM:SS Idx %\n 20210102 19:12:31 0 5\n', '20210102 19:12:31'],
  ])('reads %j', (text, boxTime) => {
    expect(parseDmon(text).readings).toEqual([{ ...NOTHING, smPct: 5, boxTime }]);
  });

  it('does not carry a time over to a header without one', () => {
    const { readings } = parseDmon('#Time gpu sm\n 19:12:31 0 5\n# gpu sm\n 0 5\n');
    expect(readings.map(({ boxTime }) => boxTime)).toEqual(['19:12:31', null]);
  });

  it('refuses a row whose time is none', () => {
    expect(parseDmon('#Time gpu sm\n soon 0 5\n').unreadable).toEqual([' soon 0 5']);
  });
});

describe('cells', () => {
  it('takes what is not reported as null, never as 0', () => {
    const { readings } = parseDmon('# gpu pwr sm mem mclk\n 0 - N/A [N/A] ERR!\n');
    expect(readings).toEqual([NOTHING]);
  });

  it.each([
    ['a row cut short', '    0    70    41     5'],
    ['a row wider than the header', '    0    70    41     5   405     9'],
    ['a negative figure', '    0   -70    41     5   405'],
    ['more than all of the time', '    0    70    41   101   405'],
    ['a temperature beyond any card', '    0    70  9999     5   405'],
    ['a figure without end', `    0    70    41     5   ${'9'.repeat(400)}`],
    ['a row that does not say whose it is', '    -    70    41     5   405'],
    ['a word', '    0    70   hot     5   405'],
    ['a control character', '    0    70    41     \x005   405'],
    ['an escape sequence', '\x1b[2J    0    70    41     5   405'],
    ['a return in mid-row', '    0    70\r   41     5   405'],
    ['a fraction', '    0  70.5    41     5   405'],
  ])('does not read %s', (_, row) => {
    const { readings, unreadable, unreadableCount } = parseDmon(`${HEADER}${row}\n`);
    expect(readings).toEqual([]);
    expect(unreadableCount).toBe(1);
    expect(row.startsWith(unreadable[0]?.slice(0, 100) ?? 'none')).toBe(true);
  });

  it('reads a value that pushes its row to the right', () => {
    const { readings } = parseDmon(`${HEADER}    0 10000    41     5 11251\n`);
    expect(readings[0]?.memoryClockMHz).toBe(11251);
  });

  it('reads the row after a broken one as if nothing had happened', () => {
    const good = '    0    70    41     5   405\n';
    const { readings } = parseDmon(`${HEADER}    0    99    99    99   bad\n    0     -\n${good}`);
    expect(readings).toEqual(parseDmon(HEADER + good).readings);
  });
});

describe('what is not a row', () => {
  it('passes over what a terminal adds', () => {
    const text = [
      'user@box:~$ nvidia-smi dmon -s pucvmet -d 1',
      'nvidia-smi dmon',
      'stdbuf -oL nvidia-smi dmon -s pucvmet | tee log',
      '# /usr/bin/nvidia-smi dmon',
      '^C',
      '^Cuser@box:~$ ',
      '(base) user@box:/data$ ',
      '[root@box ~]# ',
      '',
      '   ',
      HEADER,
    ].join('\n');
    expect(parseDmon(text)).toMatchObject({ readings: [], unreadable: [], failures: [] });
  });

  it.each([
    'nvidia-smi dmon: something new went wrong',
    'cannot find a terminal for nvidia-smi dmon!',
    'nvidia-smi dmon failed',
  ])('does not take %j for an echo', (line) => {
    expect(parseDmon(`${line}\n`).unreadable).toEqual([line]);
  });

  it('names other lines as unreadable, cut to a bounded length', () => {
    const { unreadable } = parseDmon(`Epoch 3/10 loss 0.4\n${'x'.repeat(5000)}\n`);
    expect(unreadable[0]).toBe('Epoch 3/10 loss 0.4');
    expect(unreadable[1]?.length).toBeLessThan(250);
  });

  it('keeps the first unreadable lines and counts them all', () => {
    const { unreadable, unreadableCount } = new DmonReader().push('noise\n'.repeat(5000));
    expect(unreadable).toHaveLength(UnreadableLines.KEPT);
    expect(unreadableCount).toBe(5000);
  });

  it('reports why the tool stopped as a failure, not as an unreadable line', () => {
    const lost =
      'Unable to determine the device handle for GPU 0000:05:00.0: GPU is lost.  Reboot the system to recover this GPU';
    const text = `${HEADER}    0    70    41     5   405\n${lost}\n`;
    const { readings, unreadable, failures } = parseDmon(text);
    expect(readings).toHaveLength(1);
    expect(unreadable).toEqual([]);
    expect(failures).toEqual([
      { kind: 'gpu-lost', address: '0000:05:00.0', field: null, line: lost },
    ]);
  });

  it('reads both lines of a version mismatch as one failure', () => {
    const { text } = sample('query--error-lib-mismatch');
    const { failures, unreadable } = parseDmon(text);
    expect(failures.map(({ kind }) => kind)).toEqual(['library-mismatch']);
    expect(unreadable).toEqual([]);
  });

  it('reads no row of a process monitor', () => {
    for (const name of sampleNames('query-form').filter((form) => form.includes('pmon'))) {
      expect(parseDmon(sample(name).text).readings).toEqual([]);
    }
  });
});

describe('lines without an end', () => {
  const row = '    0    70    41     5   405\n';

  it('gives up one at the bound, names it once and reads on after its newline', () => {
    const pieces = [HEADER, ...cut('x'.repeat(MAX_LINE_CHARS * 3), 1000), `tail\n${row}`];
    const { readings, unreadable, unreadableCount } = readInPieces(pieces);
    expect(unreadableCount).toBe(1);
    expect(unreadable[0]).toMatch(/^x{200}…$/);
    expect(readings).toHaveLength(1);
  });

  it.each([MAX_LINE_CHARS - 1, MAX_LINE_CHARS, MAX_LINE_CHARS + 1])(
    'treats %i characters alike in one piece and in many',
    (length) => {
      const text = `${HEADER}${row.trimEnd().padEnd(length)}\n${'y'.repeat(length)}\r\n${row}`;
      const whole = parseDmon(text);
      expect(whole.readings).toHaveLength(length > MAX_LINE_CHARS ? 1 : 2);
      expect(readInPieces(cut(text, 777))).toEqual(whole);
    },
  );

  it('forgets an endless last line at the end', () => {
    const reader = new DmonReader();
    expect(reader.push('z'.repeat(MAX_LINE_CHARS * 2)).unreadableCount).toBe(1);
    expect(reader.push('z'.repeat(MAX_LINE_CHARS * 2)).unreadableCount).toBe(0);
    expect(reader.end()).toMatchObject({ readings: [], unreadableCount: 0 });
  });
});

describe('noise', () => {
  it('reads random characters without throwing, and no row in them', () => {
    const random = noise(1);
    for (let round = 0; round < 200; round += 1) {
      const text = randomText(2000, random);
      expect(parseDmon(text).readings).toEqual([]);
      expect(parseDmon(HEADER + text).readings).toEqual([]);
    }
  });

  it('reads damaged streams without throwing, and every reading is plausible', () => {
    const random = noise(2);
    for (const name of names) {
      for (let round = 0; round < 20; round += 1) {
        for (const { unknownColumns, boxTime, ...figures } of parseDmon(
          damaged(sample(name).text, random),
        ).readings) {
          for (const figure of Object.values(figures)) {
            expect(figure === null || typeof figure === 'boolean' || figure >= 0).toBe(true);
          }
          expect(JSON.stringify([unknownColumns, boxTime])).not.toMatch(/\\u00/);
          expect(figures.smPct ?? 0).toBeLessThanOrEqual(100);
        }
      }
    }
  });
});
