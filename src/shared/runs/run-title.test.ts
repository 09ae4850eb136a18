import { expect, it } from 'vitest';
import { runTitle } from './run-title.ts';

it.each([
  ['python train.py', 'llama-ft', 'llama-ft'],
  ['python train.py', '0', null],
  ['python train.py', null, null],
  [null, null, null],
  ['python train.py --config configs/large.yaml --lr 0.1', null, 'large'],
  ['python train.py --config=configs/large.yaml', '3', 'large'],
  ['python train.py --config-name base', null, 'base'],
  ['python train.py --config --lr 0.1', null, null],
  ['accelerate launch train.py exp/b.toml', null, 'b'],
  ['accelerate launch --config_file fsdp.yaml train.py', null, null],
  ['accelerate launch --config_file fsdp.yaml train.py --config cfg/7b.yaml', null, '7b'],
  [
    '/opt/conda/bin/python /opt/conda/bin/accelerate launch --config_file=a.yaml t.py b.yaml',
    '0',
    'b',
  ],
  ['accelerate launch --config_file fsdp.yaml -m trainer', null, 'fsdp'],
  ['/opt/x.json', null, null],
])('%s in %s is called %s', (command, tmuxSession, title) => {
  expect(runTitle({ command, tmuxSession })).toBe(title);
});
