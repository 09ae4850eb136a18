import { expect, it } from 'vitest';
import { REQUEST } from '../preflight.fixture.ts';
import type { RunRequest } from '../run-request.ts';
import { judgeKeys } from './key-checks.ts';

const KEY = `hf_${'aB3'.repeat(12)}`;
const judge = (more: Partial<RunRequest>) => judgeKeys({ ...REQUEST, ...more });
const fetching = (run: string) => ({ fetch: [{ into: 'data', run }], secrets: ['HF_TOKEN'] });

it.each([
  [{ command: `python x.py --token ${KEY}` }, 'The command holds'],
  [{ activate: `export HF_TOKEN=${KEY}` }, '“activate” holds'],
  [{ env: { HF_TOKEN: KEY } }, 'HF_TOKEN holds'],
  [fetching(`hf download a --token ${KEY}`), 'The download into data holds'],
])('blocks a key in %j, and does not repeat it (U34)', (more: Partial<RunRequest>, says) => {
  const judged = judge(more);
  expect(judged).toMatchObject({ answer: 'block', gotcha: 'U34' });
  expect(judged?.says).toContain(says);
  expect(JSON.stringify(judged)).not.toContain(KEY);
});

it.each(['wget -c --header="Authorization: Bearer $HF_TOKEN" x', 'curl -fH "A: ${HF_TOKEN}" x'])(
  'warns of a secret that the words of a program show: %s',
  (run) => {
    expect(judge(fetching(run))).toMatchObject({ answer: 'warn', gotcha: 'U34' });
  },
);

it.each([
  { env: { CUDA_VISIBLE_DEVICES: '0', WANDB_PROJECT: 'a-b-c' } },
  { command: 'python x.py --token "$HF_TOKEN"', secrets: ['HF_TOKEN'] },
  fetching('hf download a'),
  fetching('printf %s "$HF_TOKEN" | hf auth login --token -; hf download a'),
  fetching("wget -c '$HF_TOKEN'"),
  fetching('wget -c $HF_TOKENIZER'),
])('has nothing to say of %j', (more: Partial<RunRequest>) => {
  expect(judge(more)).toBeNull();
});
