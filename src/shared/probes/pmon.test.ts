import { describe, expect, it } from 'vitest';
import { parsePmon } from './pmon.ts';
import { cellOf } from './query.ts';
import { sample } from './sample.fixture.ts';

const HEAD =
  '# gpu         pid   type     sm    mem    command \n# Idx           #    C/G      %      %    name \n';

describe('recorded streams', () => {
  it.each([
    ['h100-mig-590-pmon-load', 15, 15],
    ['l40s-595-pmon-no-process', 5, 0],
    ['rtx4080s-595-pmon-load', 35, 35],
  ])('reads %s', (name, rowCount, processCount) => {
    const { rows, unreadableCount, fields } = parsePmon(sample(`query-form--${name}`).text);
    expect(rows).toHaveLength(rowCount);
    expect(unreadableCount).toBe(0);
    expect(fields).toEqual([
      'gpu',
      'pid',
      'type',
      'sm',
      'mem',
      'enc',
      'dec',
      'jpg',
      'ofa',
      'command',
    ]);
    expect(rows.filter((row) => cellOf(row, 'pid').kind === 'value')).toHaveLength(processCount);
  });

  it('gives figures with their unit, and what is not told as missing', () => {
    const { rows } = parsePmon(sample('query-form--rtx4080s-595-pmon-load').text);
    expect(rows[6]).toMatchObject({
      gpu: { text: '0' },
      pid: { text: '5022' },
      type: { text: 'C' },
      sm: { text: '5', unit: '%' },
      enc: { text: '54', unit: '%' },
      jpg: { kind: 'missing', because: '-' },
      command: { text: 'ffmpeg' },
    });
  });
});

describe('rows', () => {
  it.each([
    ['too few cells', '    0       5021     C      0'],
    ['a decimal comma', '    0       5021     C    0,5      0    ffmpeg'],
    ['more than all', '    0       5021     C    500      0    ffmpeg'],
    ['a negative load', '    0       5021     C     -5      0    ffmpeg'],
    ['no card', '    -       5021     C      5      0    ffmpeg'],
    ['a colour', '    0       5021     C      5      0    \x1b[31mffmpeg'],
    ['another type', '    0       5021     Q      5      0    ffmpeg'],
    ['prose', 'hello'],
  ])('counts %s as unreadable', (_, line) => {
    expect(parsePmon(`${HEAD}${line}\n`)).toMatchObject({ rows: [], unreadableCount: 1 });
  });

  it('reads none without a header, and a header that comes again with other columns', () => {
    const row = '    0       5021     C      5      0    ffmpeg\n';
    expect(parsePmon(row)).toMatchObject({ rows: [], unreadableCount: 1 });
    const { rows } = parsePmon(
      `${HEAD}${row}# gpu pid type fb command\n# Idx # C/G MB name\n 0 7 C 300 a b\n`,
    );
    expect(rows[1]).toMatchObject({ fb: { text: '300', unit: 'MB' }, command: { text: 'a b' } });
  });

  it('does not believe a last name that may be cut', () => {
    expect(parsePmon(`${HEAD}    0       5021     C      5      0    ffm`)).toMatchObject({
      rows: [],
      unreadableCount: 1,
    });
  });

  it('says why the tool stopped', () => {
    const { failures } = parsePmon('No devices were found\n');
    expect(failures).toMatchObject([{ kind: 'no-devices' }]);
  });
});
