import { expect, it } from 'vitest';
import { doAtOnce } from '../../../steps.ts';
import type { ScriptLook } from '../run-preflight.ts';
import { commandWords } from '../command-words.ts';
import { judgeCells } from './cell-checks.ts';

const NOTHING_TOLD = { programs: new Map<string, boolean>(), cellScripts: new Map() };
const judge = (...commands: readonly string[]) => judgeOn(NOTHING_TOLD, ...commands);
const judgeOn = (look: Parameters<typeof judgeCells>[1], ...commands: readonly string[]) =>
  judgeCells(
    commands.map((command, at) => ({ name: `c${String(at)}`, command, isCommented: false })),
    look,
    doAtOnce(commandWords(commands)),
  );

it('blocks a queue of which further cells begin with a program that the box lacks', () => {
  const commands = [
    'python a.py',
    'python b.py',
    'torchrun c.py',
    './run.sh',
    'nvidia-smi || echo none',
    'for x in 1; do :; done',
  ];
  expect(doAtOnce(commandWords(commands)).programs).toEqual(['torchrun']);
  const look = (has: boolean) => ({ ...NOTHING_TOLD, programs: new Map([['torchrun', has]]) });
  expect(judgeOn(look(false), ...commands)).toMatchObject([
    {
      ...{ id: 'cell-programs', answer: 'block' },
      says: expect.stringContaining('Further cells begin with torchrun, not found') as string,
      anyway: expect.any(String) as string,
    },
  ]);
  // What the box did not tell may be there.
  for (const more of [look(true), NOTHING_TOLD]) expect(judgeOn(more, ...commands)).toEqual([]);
});

it('says whose torch was not asked for, where cells run several Pythons', () => {
  expect(judge('echo x', 'python3 a.py', 'env/bin/python b.py')).toMatchObject([
    {
      ...{ id: 'cell-pythons', answer: 'unknown' },
      says: 'Only python3 was asked for torch and CUDA. Further cells run env/bin/python.',
    },
  ]);
  expect(judge('python a.py', 'torchrun b.py')).toEqual([]);
});

it('blocks scripts of further cells that no shell can run, and warns of those that are not there (U26)', () => {
  const commands = ['bash a.sh', './b.sh 1', 'sh c.sh', 'bash a.sh 2'];
  expect(doAtOnce(commandWords(commands)).scripts).toEqual(['./b.sh', 'c.sh']);
  const told = (...looks: readonly (readonly [string, ScriptLook])[]) =>
    judgeOn({ ...NOTHING_TOLD, cellScripts: new Map(looks) }, ...commands);
  expect(told(['./b.sh', 'returns'], ['c.sh', 'missing'])).toMatchObject([
    {
      ...{ id: 'cell-scripts', answer: 'block', gotcha: 'U26' },
      says: expect.stringContaining('./b.sh has Windows line endings') as string,
    },
  ]);
  expect(told(['./b.sh', 'plain'], ['c.sh', 'missing'])).toMatchObject([
    {
      answer: 'warn',
      says: expect.stringContaining('c.sh, which further cells run, was') as string,
    },
  ]);
  expect(told(['./b.sh', 'plain'])).toEqual([]);
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
