import { describe, expect, it } from 'vitest';
import { cellOf, numberOf, parseQuery, toGpuFacts, type QueryRow } from './query.ts';
import { damaged, noise, randomText, sample, sampleNames } from './sample.fixture.ts';

interface Expected {
  readonly rowCount: number;
  readonly fieldCount: number;
  /** Chosen cells of chosen rows. */
  readonly rows: Readonly<Record<string, QueryRow>>;
  readonly facts: readonly unknown[];
  readonly failures: readonly unknown[];
  readonly unreadable: readonly string[];
}

const APPS = 'pid, process_name, used_memory [MiB]';

describe('recorded answers', () => {
  it.each(sampleNames('query'))('reads %s', (name) => {
    const { text, expected } = sample<Expected>(name);
    const { rows, fields, failures, unreadable } = parseQuery(text);
    expect(rows).toHaveLength(expected.rowCount);
    expect(fields).toHaveLength(expected.fieldCount);
    for (const row of rows) expect(Object.keys(row)).toEqual(fields);
    for (const [index, cells] of Object.entries(expected.rows)) {
      expect(rows[Number(index)]).toMatchObject(cells);
    }
    expect(rows.map(toGpuFacts).filter((facts) => facts !== null)).toEqual(expected.facts);
    expect(failures).toEqual(expected.failures);
    expect(unreadable).toEqual(expected.unreadable);
  });

  it.each(sampleNames('query'))('reads %s the same with Windows line ends', (name) => {
    const { text } = sample<Expected>(name);
    expect(parseQuery(text.replaceAll('\n', '\r\n'))).toEqual(parseQuery(text));
  });
});

describe('rows', () => {
  it('takes words in place of a value for no value, whether they stand in brackets or not', () => {
    const { rows, unreadable } = parseQuery(
      [
        'index, serial, pstate, memory.used [MiB], temperature.gpu, fabric.state',
        '0, Not Supported, [GPU is lost], GPU requires reset, ERR!, Not Supported',
        '1, [Not Found], P0, -1 MiB, 30, Completed',
        '2, 7, P0, 3,5 MiB, 30, Completed',
      ].join('\n'),
    );
    expect(rows.map((row) => Object.values(row).map(({ kind }) => kind))).toEqual([
      ['value', 'missing', 'missing', 'missing', 'missing', 'value'],
      ['value', 'missing', 'value', 'missing', 'value', 'value'],
      ['value', 'value', 'value', 'missing', 'value', 'value'],
    ]);
    expect(cellOf(rows[0] ?? {}, 'memory.used')).toMatchObject({ because: 'GPU requires reset' });
    expect(unreadable).toHaveLength(2);
  });

  it('counts from both ends when a process name holds commas', () => {
    const { rows } = parseQuery(`${APPS}\n12, python, -c, import a, b, 300 MiB\n`);
    expect(rows).toHaveLength(1);
    expect(cellOf(rows[0] ?? {}, 'process_name')).toMatchObject({
      text: 'python, -c, import a, b',
    });
    expect(numberOf(rows[0] ?? {}, 'used_memory', 'MiB')).toBe(300);
    expect(numberOf(rows[0] ?? {}, 'pid', null)).toBe(12);
  });

  it.each([
    ['with too few cells', '12, python'],
    ['of another table', '0, GPU-1'],
  ])('does not read a row %s', (_, line) => {
    expect(parseQuery(`${APPS}\n${line}\n`)).toMatchObject({ rows: [], unreadable: [line] });
  });

  it('does not read a row with too many cells when no column may hold a comma', () => {
    expect(parseQuery('index, uuid\n0, GPU-1, more\n')).toMatchObject({
      rows: [],
      unreadable: ['0, GPU-1, more'],
    });
  });

  it('reads no row without a header', () => {
    expect(parseQuery('0, GPU-1, NVIDIA L40S\n')).toMatchObject({
      rows: [],
      unreadable: ['0, GPU-1, NVIDIA L40S'],
      fields: [],
    });
  });

  it('reads the repeated rows of -lms under one header, and a header that comes again', () => {
    const { rows } = parseQuery(
      'index, pstate\n0, P0\n1, P8\n0, P2\nindex, uuid\n0, GPU-1\nindex, pstate\n0, P5\n',
    );
    expect(
      rows.map((row) => Object.values(row).map((cell) => 'text' in cell && cell.text)),
    ).toEqual([
      ['0', 'P0'],
      ['1', 'P8'],
      ['0', 'P2'],
      ['0', 'GPU-1'],
      ['0', 'P5'],
    ]);
  });

  it('does not take a lower-case value for a header', () => {
    const { rows } = parseQuery('inforom.checksum_validation\nvalid\nvalid\n');
    expect(rows).toHaveLength(2);
  });

  it('keeps the other cards when one is lost', () => {
    const lost = sample('query--error-gpu-lost').text;
    const { rows, failures } = parseQuery(`${lost}index, uuid\n0, GPU-1\n2, GPU-3\n`);
    expect(failures.map(({ kind }) => kind)).toEqual(['gpu-lost']);
    expect(rows).toHaveLength(2);
  });

  it('cuts an unreadable line, and looks into no endless one', () => {
    const { rows, fields, unreadable } = parseQuery(`${'a.b, '.repeat(100_000)}c\n`);
    expect({ rows, fields }).toEqual({ rows: [], fields: [] });
    expect(unreadable[0]?.length).toBeLessThan(250);
  });
});

describe('cells', () => {
  const cell = (header: string, text: string) =>
    cellOf(parseQuery(`index, ${header}\n0, ${text}\n`).rows[0] ?? {}, header.split(' ')[0] ?? '');

  it.each([
    ['[N/A]', 'N/A'],
    ['N/A', 'N/A'],
    ['[Not Supported]', 'Not Supported'],
    ['[Unknown Error]', 'Unknown Error'],
    ['[GPU is lost]', 'GPU is lost'],
    ['[GPU requires reset]', 'GPU requires reset'],
    ['[Insufficient Permissions]', 'Insufficient Permissions'],
    ['[Not Found]', 'Not Found'],
    ['ERR!', 'ERR!'],
    ['', 'empty'],
  ])('takes %j as missing and says why', (text, because) => {
    expect(cell('power.draw [W]', text)).toEqual({ kind: 'missing', because });
  });

  it('reads a figure alike with and without nounits', () => {
    const value = { kind: 'value', text: '631.95', unit: 'W' };
    expect(cell('power.draw [W]', '631.95 W')).toEqual(value);
    expect(cell('power.draw [W]', '631.95')).toEqual(value);
  });

  it('keeps "Not Supported" where it is the value', () => {
    expect(cell('fabric.state', 'Not Supported')).toEqual({
      kind: 'value',
      text: 'Not Supported',
      unit: null,
    });
  });

  it('gives no figure in a unit that was not meant', () => {
    const { rows } = parseQuery('index, memory.total [MiB]\n0, 80 GiB\n');
    expect(numberOf(rows[0] ?? {}, 'memory.total', 'MiB')).toBeNull();
    expect(numberOf(rows[0] ?? {}, 'memory.total', 'GiB')).toBe(80);
  });

  it.each(['-1', '1e3', '0x10', '1.2.3', '9'.repeat(40), 'many'])(
    'gives no figure for %j',
    (text) => {
      expect(
        numberOf(parseQuery(`index, count\n0, ${text}\n`).rows[0] ?? {}, 'count', null),
      ).toBeNull();
    },
  );

  it('says of a field that was not asked for just that', () => {
    expect(cellOf({}, 'constructor')).toEqual({ kind: 'missing', because: 'not asked for' });
  });
});

describe('toGpuFacts', () => {
  it('reads what the fleet shows of a card', () => {
    const text =
      'index, uuid, name, driver_version, memory.total [MiB], power.limit [W], clocks.max.sm [MHz]';
    const { rows } = parseQuery(
      `${text}\n3, GPU-a, NVIDIA L40S, 595.80, 46068 MiB, 350.00 W, 2520 MHz\n`,
    );
    expect(rows.map(toGpuFacts)).toEqual([
      {
        index: 3,
        uuid: 'GPU-a',
        name: 'NVIDIA L40S',
        driverVersion: '595.80',
        memoryTotalMiB: 46068,
        powerLimitW: 350,
        maxSmClockMHz: 2520,
      },
    ]);
  });

  it('leaves unknown what the card does not tell', () => {
    const { rows } = parseQuery(
      'index, uuid, name, memory.total [MiB]\n0, GPU-a, L40S, [Unknown Error]\n',
    );
    expect(rows.map(toGpuFacts)).toMatchObject([
      { memoryTotalMiB: null, powerLimitW: null, driverVersion: null },
    ]);
  });

  it('takes the newer name of the driver version', () => {
    const { rows } = parseQuery(
      'index, uuid, name, driver_version, kmd_version\n0, GPU-a, L40S, [Requested functionality has been deprecated], 610.57.04\n',
    );
    expect(rows.map(toGpuFacts)).toMatchObject([{ driverVersion: '610.57.04' }]);
  });

  it('answers null for a card without an index or a UUID', () => {
    const { rows } = parseQuery('index, uuid, name\n[N/A], GPU-a, L40S\n0, [GPU is lost], L40S\n');
    expect(rows.map(toGpuFacts)).toEqual([null, null]);
  });
});

it('reads noise and damaged answers without throwing', () => {
  const random = noise(3);
  for (const name of sampleNames('query')) {
    for (let round = 0; round < 20; round += 1) {
      for (const row of parseQuery(damaged(sample(name).text, random)).rows) toGpuFacts(row);
      parseQuery(randomText(3000, random));
    }
  }
});
