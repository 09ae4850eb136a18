import { expect, it } from 'vitest';
import { doAtOnce } from '../../steps.ts';
import { MAX_NAMED, namedFolders } from './named-folders.ts';
import { REQUEST } from './preflight.fixture.ts';
import type { RunRequest } from './run-request.ts';

const named = (request: RunRequest, commands = [request.command]): readonly string[] =>
  doAtOnce(namedFolders(request, commands));

it('finds paths in the words of a command and in the environment, whoever quotes them how (U8, U25)', () => {
  const request = {
    ...REQUEST,
    command: `/opt/env/bin/python train.py --data /mnt/set/ --val='/mnt/a' "../raw" DIR=~/x -o data/train`,
    env: { DATA_DIR: '/data', PYTHONPATH: '/code', SEED: '1', URL: 'https://a.example/b' },
    fetch: [
      { into: 'first', run: 'x' },
      { into: 'models', run: 'x' },
    ],
  };
  expect(named(request)).toEqual([
    ...['models', '/mnt/set', '/mnt/a', '../raw', '~/x', 'data/train', '/data'],
  ]);
});

it('takes nothing for a folder that is an address, a program, or that only a shell could tell', () => {
  const command =
    'bin/train s3://b/k $DATA/x /tmp/*.pt >/dev/null ; python -c "a/b" --out out --lr 1/2 /';
  const request = { ...REQUEST, command, results: 'out', env: {} };
  expect(named(request)).toEqual(['a/b', '1/2']);
});

it('names a few, each once', () => {
  const command = `x ${Array.from({ length: 40 }, (_none, at) => `/d/${String(at % 20)}`).join(' ')}`;
  expect(named({ ...REQUEST, command })).toHaveLength(MAX_NAMED);
  expect(named({ ...REQUEST, command: 'x /d /d/ /d' })).toEqual(['/d']);
});

it('names what any cell of a queue does, and first what most of them do', () => {
  const request = { ...REQUEST, env: { DATA: '/env' } };
  const cells = ['/mnt/a', '/mnt/b', '/mnt/b'].map(
    (data, at) => `/opt/bin/python${String(at)} train.py ${data} --out runs/${String(at)}`,
  );
  expect(named(request, cells)).toEqual([
    ...['/env', '/mnt/b', '/mnt/a', 'runs/0', 'runs/1', 'runs/2'],
  ]);
  const many = Array.from({ length: 1000 }, (_none, at) => `x --out runs/${String(at)} /data`);
  expect(named(request, many).slice(0, 2)).toEqual(['/data', '/env']);
});
