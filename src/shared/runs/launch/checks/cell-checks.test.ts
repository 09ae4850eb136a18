import { expect, it } from 'vitest';
import { doAtOnce } from '../../../steps.ts';
import { cellPrograms, judgeCells } from './cell-checks.ts';

const judge = (...commands: readonly string[]) => judgeOn({ programs: new Map() }, ...commands);
const judgeOn = (look: Parameters<typeof judgeCells>[1], ...commands: readonly string[]) =>
  judgeCells(
    commands.map((command, at) => ({ name: `c${String(at)}`, command, isCommented: false })),
    look,
    doAtOnce(cellPrograms(commands)),
  );

it('blocks a queue of which further cells begin with a program that the box lacks', () => {
  const commands = [
    'python a.py',
    'python b.py',
    'torchrun c.py',
    './run.sh',
    'for x in 1; do :; done',
  ];
  expect(doAtOnce(cellPrograms(commands))).toEqual(['torchrun']);
  const look = (has: boolean) => ({ programs: new Map([['torchrun', has]]) });
  expect(judgeOn(look(false), ...commands)).toMatchObject([
    {
      ...{ id: 'cell-programs', answer: 'block' },
      says: expect.stringContaining('Further cells begin with torchrun, not found') as string,
      anyway: expect.any(String) as string,
    },
  ]);
  // What the box did not tell may be there.
  for (const more of [look(true), { programs: new Map() }])
    expect(judgeOn(more, ...commands)).toEqual([]);
});

it('warns of one number of epochs over tasks with configs of their own (U32)', () => {
  expect(
    judge('python t.py --config a.yaml --epochs 10', 'python t.py --config b.yaml --epochs 10'),
  ).toMatchObject([
    {
      id: 'epochs',
      answer: 'warn',
      gotcha: 'U32',
      says: expect.stringContaining(
        '10 epochs, and each has a config of its own (a.yaml and b.yaml)',
      ) as string,
    },
  ]);
  expect(
    judge('t --config=a.json trainer.max_epochs=5', 't --config=b.json trainer.max_epochs=5'),
  ).toHaveLength(1);
});

it.each([
  ['one cell', ['t a.yaml --epochs 10']],
  ['a number for each', ['t a.yaml --epochs 10', 't b.yaml --epochs 20']],
  ['one that keeps to its config', ['t a.yaml --epochs 10', 't b.yaml']],
  ['one config for all', ['t a.yaml --epochs 10 --lr 1', 't a.yaml --epochs 10 --lr 2']],
  ['no epochs', ['t a.yaml', 't b.yaml']],
])('says nothing of %s', (_what, commands) => {
  expect(judge(...commands)).toEqual([]);
});
