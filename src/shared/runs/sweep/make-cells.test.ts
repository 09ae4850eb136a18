import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSameName, findSharedFolder, folderPart } from './cell-folders.ts';
import { makeCells, RESULTS_PATTERN } from './make-cells.ts';
import { rosterCells } from './sweep-schema.ts';

const grid = (parameters: string, command: string, pattern = RESULTS_PATTERN) =>
  makeCells({ kind: 'grid', parameters, command }, pattern);

describe('cells of a grid', () => {
  it('are every combination, each with its command and its folder', () => {
    const { cells, faults } = grid(
      'lr: 1e-3, 1e-4\nopt: adam, "a b"',
      'python t.py --lr {lr} --opt {opt} --out {results} ${HOME} {other}',
      '~/runs/{cell}',
    );
    expect(faults).toEqual({});
    expect(cells).toHaveLength(4);
    expect(cells[3]).toEqual({
      name: 'lr=1e-4 opt="a b"',
      command:
        `python t.py --lr 1e-4 --opt '"a b"' --out "$HOME"/runs/lr=1e-4-opt=-a-b ` +
        '${HOME} {other}',
      results: '~/runs/lr=1e-4-opt=-a-b',
    });
  });

  it.each([
    ['lr: 1, 2', 'python t.py --out {results}', { command: /does not use {lr}/ }],
    ['lr: 1, 2', 'python t.py --lr {lr}', { command: /Write {results}/ }],
    ['lr: 1, 1', 'x {lr} {results}', { parameters: /“1” is there twice/ }],
    ['lr: 1,', 'x {lr} {results}', { parameters: /value is empty/ }],
    ['cell: 1', 'x {cell} {results}', { parameters: /filled in by itself/ }],
    ['lr 1', 'x {lr} {results}', { parameters: /Line 1: write it as/ }],
    ['', 'x {results}', { parameters: /Enter at least one parameter/ }],
    ['a: b/c, b c', 'x {a} {results}', { parameters: /“a=b\/c” and “a=b c” give the same/ }],
    ['a: x, X', 'x {a} {results}', { parameters: /“a=x” and “a=X” give the same/ }],
    ['a: é, e\u0301', 'x {a} {results}', { parameters: /give the same/ }],
  ])('that are not apart are refused: %s', (parameters, command, wrong) => {
    const { cells, faults } = grid(parameters, command);
    expect(cells).toEqual([]);
    expect(faults).toEqual(
      Object.fromEntries(
        Object.entries(wrong).map(([field, says]) => [
          field,
          expect.stringMatching(says) as string,
        ]),
      ),
    );
  });

  it('never share a folder, and the two that would are named (LR2)', () => {
    const twoFrom = (pattern: string) => grid('a: 1, 2\nb: 1, 2', 'x {a} {b} {results}', pattern);
    expect(twoFrom('out').faults.results).toBe(
      '“a=1 b=1” and “a=1 b=2” would both save in out. Use {cell}.',
    );
    expect(twoFrom('out/{a}').faults.results).toContain('“a=1 b=1” and “a=1 b=2”');
    expect(twoFrom('out/{a}/{b}').faults).toEqual({});
    expect(twoFrom('../{cell}').faults.results).toBe('Leave out “..”.');
    for (const pattern of ['{cell}', './{cell}', '~/out-{cell}', '/{a}/{cell}']) {
      expect(twoFrom(pattern).faults.results).toContain('such as results/{cell}');
    }
    const inside = makeCells(
      { kind: 'list', text: 'a: x {results}\nb: y {results}' },
      RESULTS_PATTERN,
    );
    expect(inside.faults).toEqual({});
    expect(
      findSharedFolder([
        { name: 'a', results: 'out' },
        { name: 'b', results: './OUT//deep/b' },
      ]),
    ).toMatchObject({ one: { name: 'a' }, other: { name: 'b' }, isInside: true });
  });

  it('are refused beyond ten thousand before any is made', () => {
    const many = Array.from({ length: 101 }, (_, at) => String(at)).join(', ');
    expect(grid(`a: ${many}\nb: ${many}`, 'x {a} {b} {results}').faults.parameters).toContain(
      '10201 cells',
    );
  });

  it('that are proven apart stay apart on any file system, and main says so too', () => {
    const names = fc.uniqueArray(fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }), {
      minLength: 2,
      maxLength: 8,
    });
    fc.assert(
      fc.property(names, (some) => {
        const cells = some.map((name) => ({
          name,
          command: 'x',
          results: `results/${folderPart(name)}`,
        }));
        const folders = cells.map(({ results }) => results.normalize('NFD').toLowerCase());
        const isApart = findSameName(cells) === null && findSharedFolder(cells) === null;
        if (isApart) expect(new Set(folders).size).toBe(cells.length);
        if (!isApart) expect(rosterCells.safeParse(cells).success).toBe(false);
        for (const { results } of cells) {
          expect(results.slice('results/'.length)).toMatch(/^[^/\\:*?"<>|\p{Cc}]+$/u);
        }
      }),
    );
  });
});
