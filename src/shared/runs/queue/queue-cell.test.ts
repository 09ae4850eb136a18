import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellListText, readCellList } from './cell-list.ts';
import { cellLine, readCellLine, type QueueCell } from './queue-cell.ts';
import { queueRequest } from './queue-schema.ts';

const cells = fc.record({
  name: fc.string({ unit: 'binary', minLength: 1 }),
  command: fc.string({ unit: 'binary' }),
  isCommented: fc.boolean(),
});
/** Made of the characters that the encoding is about, so that two are often nearly the same. */
const near = fc.string({
  unit: fc.constantFrom('\\', 'n', 't', '\n', '\t', '#', '+', '0', '4', '3', '5'),
});
const nearCells = fc.record({ name: near, command: near, isCommented: fc.boolean() });
const ownResults = fc.record({
  name: near,
  command: near,
  isCommented: fc.boolean(),
  results: near,
});

describe('a cell as a line', () => {
  it.each([
    ['any text', cells],
    ['what looks like the encoding', nearCells],
    ['with a results folder of its own', ownResults],
  ])('is read back as it was, and is one line: %s', (_, some) => {
    fc.assert(
      fc.property(some, (cell) => {
        const line = cellLine(cell);
        expect(line).not.toContain('\n');
        expect(line.split('\t')).toHaveLength('results' in cell ? 3 : 2);
        expect(line.startsWith('+')).toBe(false);
        expect(line.startsWith('#')).toBe(cell.isCommented);
        expect(readCellLine(line)).toEqual(cell);
      }),
    );
  });
});

describe('a list of cells', () => {
  it('has a cell on each line, with more of a command where it is indented', () => {
    const { cells: read, faults } = readCellList(
      'a b: python x.py --name "c: d"\n\n# lr-2: python y.py\nml:\n  for i in 1 2; do\n    echo $i\n  done\n#\n日本: -x',
    );
    expect(faults).toEqual([]);
    expect(read).toEqual([
      { name: 'a b', command: 'python x.py --name "c: d"', isCommented: false },
      { name: 'lr-2', command: 'python y.py', isCommented: true },
      { name: 'ml', command: 'for i in 1 2; do\n  echo $i\ndone', isCommented: false },
      { name: '', command: '', isCommented: true },
      { name: '日本', command: '-x', isCommented: false },
    ] satisfies QueueCell[]);
    expect(readCellList(cellListText(read)).cells).toEqual(read);
    expect(
      queueRequest.safeParse({ cells: read, stopsAtFailure: false, startsAgain: false }).success,
    ).toBe(true);
  });

  it('keeps empty lines and depths within a command, as a script of Python needs them', () => {
    const cell = {
      name: 'py',
      command: "python - <<'E'\nif 1:\n\n\n  x = 1\nE",
      isCommented: false,
    };
    const next = { ...cell, name: 'only deeper', command: 'if 1:\n    x' };
    const { cells: read, faults } = readCellList(`\n${cellListText([cell, next])}\n\n`);
    expect({ read, faults }).toEqual({ read: [cell, next], faults: [] });
  });

  it('names the line of what is wrong', () => {
    expect(
      readCellList('a: x\ncurl http://b\n: y\nc:\na: z\n# a: w\nold: v', new Set(['old'])).faults,
    ).toEqual([
      { line: 2, says: 'Write it as “name: command”.' },
      { line: 3, says: 'The cell has no name.' },
      { line: 4, says: 'The cell has no command.' },
      { line: 5, says: '“a” is on line 1 already.' },
      { line: 7, says: '“old” is in the queue already.' },
    ]);
    expect(readCellList(`a: x\n# b: ${'y'.repeat(20_001)}`).faults).toEqual([
      { line: 2, says: 'A command has at most 20000 characters.' },
    ]);
  });

  it('is refused by main, too, where two cells have one name or none would run', () => {
    const cell = { name: 'a', command: 'x', isCommented: false };
    const parse = (...some: QueueCell[]) =>
      queueRequest.safeParse({ cells: some, stopsAtFailure: false, startsAgain: false }).success;
    expect(parse(cell, { ...cell, isCommented: true })).toBe(true);
    expect(parse(cell, cell)).toBe(false);
    expect(parse({ ...cell, isCommented: true })).toBe(false);
    expect(parse({ ...cell, name: 'a\tb' })).toBe(false);
  });
});
