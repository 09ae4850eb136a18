import { expect, it } from 'vitest';
import { doAtOnce } from '../../steps.ts';
import { commandWords } from './command-words.ts';

const wordsIn = (...commands: readonly string[]) => doAtOnce(commandWords(commands));

it.each<[string, readonly string[], 'told' | 'untold' | null]>([
  ['no step', ['python a.py', 'echo srun'], null],
  ['steps that are told', ['srun -c 4 python a.py', 'srun --cpus-per-task=2 b'], 'told'],
  [
    'a later cell that is not',
    ['srun -c 4 python a.py', 'x', 'cd y && srun python b.py'],
    'untold',
  ],
  ['a second step of a cell that is not', ['srun -c 4 a; srun b'], 'untold'],
])('tells of %s whether they say how many CPUs they get', (_, commands, srun) => {
  expect(wordsIn(...commands).srun).toBe(srun);
});

it('finds Pythons and the tracker in whatever cell has them', () => {
  const words = wordsIn(
    'echo begins',
    'python3 a.py',
    'env/bin/python b.py --report wandb',
    'sh c.sh',
  );
  expect(words.pythons).toEqual(['python3', 'env/bin/python', 'python']);
  expect(words.namesWandb).toBe(true);
  expect(wordsIn('python a.py', 'python b.py')).toMatchObject({
    ...{ pythons: ['python'], namesWandb: false, programs: [] },
  });
});
