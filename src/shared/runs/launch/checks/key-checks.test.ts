import { expect, it } from 'vitest';
import { REQUEST } from '../preflight.fixture.ts';
import type { RunRequest } from '../run-request.ts';
import { holdsKey, judgeCellKeys, judgeKeys } from './key-checks.ts';

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

it('blocks a key in any cell of a queue, names the first that have one, and does not repeat it (U34)', () => {
  const cell = (name: string, command: string, isCommented = false) => ({
    ...{ name, command, isCommented },
  });
  const judgeAll = (...cells: ReturnType<typeof cell>[]) => judgeCellKeys(cells.filter(holdsKey));
  const shown = `python x.py --token ${KEY}`;
  const [told, ...more] = judgeAll(
    cell('a', 'python x.py'),
    cell('b', shown),
    cell(`token=${KEY}`, 'python x.py'),
    cell('d', shown, true),
    cell('e', shown),
  );
  expect(more).toEqual([]);
  expect(told).toMatchObject({ id: 'cell-keys', answer: 'block', gotcha: 'U34' });
  expect(told?.says).toContain('Cells “b”, “token=[redacted]” and 2 more hold');
  expect(JSON.stringify(told)).not.toContain(KEY.slice(0, 12));
  expect(judgeAll(cell('b', shown))[0]?.says).toContain('Cell “b” holds');
  expect(judgeAll(cell('a', 'python x.py --lr 1'))).toEqual([]);
});
