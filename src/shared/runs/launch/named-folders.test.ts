import { expect, it } from 'vitest';
import { MAX_NAMED, namedFolders } from './named-folders.ts';
import { REQUEST } from './preflight.fixture.ts';

it('finds paths in the words of a command and in the environment, whoever quotes them how', () => {
  const request = {
    ...REQUEST,
    command: `/opt/env/bin/python train.py --data /mnt/set/ --val='/mnt/a' "../raw" DIR=~/x -o data/train`,
    env: { DATA_DIR: '/data', PYTHONPATH: '/code', SEED: '1', URL: 'https://a.example/b' },
    fetch: [
      { into: 'first', run: 'x' },
      { into: 'models', run: 'x' },
    ],
  };
  expect(namedFolders(request)).toEqual([
    ...['models', '/mnt/set', '/mnt/a', '../raw', '~/x', 'data/train', '/data'],
  ]);
});

it('takes nothing for a folder that is an address, a program, or that only a shell could tell', () => {
  const command =
    'bin/train s3://b/k $DATA/x /tmp/*.pt >/dev/null ; python -c "a/b" --out out --lr 1/2 /';
  const request = { ...REQUEST, command, results: 'out', env: {} };
  expect(namedFolders(request)).toEqual(['a/b', '1/2']);
});

it('names a few, each once', () => {
  const command = `x ${Array.from({ length: 40 }, (_none, at) => `/d/${String(at % 20)}`).join(' ')}`;
  expect(namedFolders({ ...REQUEST, command })).toHaveLength(MAX_NAMED);
  expect(namedFolders({ ...REQUEST, command: 'x /d /d/ /d' })).toEqual(['/d']);
});
