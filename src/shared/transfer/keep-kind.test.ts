import { expect, it } from 'vitest';
import { keptFor } from './keep-kind.ts';
import { ownKeepRules, rulesOn, type OwnKeepRule } from './keep-rules.ts';

const [BOX, OTHER] = [
  '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01',
  '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b02',
];
const own: readonly OwnKeepRule[] = [
  { pattern: '*.ckpt', keep: 'evidence', boxId: null },
  { pattern: 'tmp/', keep: 'scratch', boxId: null },
  { pattern: '*.ckpt', keep: 'scratch', boxId: BOX },
];
const request = { evidence: ['best.*'], scratch: ['raw/'], checkpoints: [] };

it.each([
  ['best.ckpt', 'evidence', 'best.*', 'request'],
  ['raw/best.log', 'evidence', 'best.*', 'request'],
  ['raw/a.ckpt', 'scratch', 'raw/', 'request'],
  ['last.ckpt', 'scratch', '*.ckpt', 'box'],
  ['tmp/metrics.json', 'scratch', 'tmp/', 'person'],
  ['metrics.json', 'evidence', 'metrics*.json', 'usual'],
  ['checkpoint-5/trainer_state.json', 'checkpoint', 'checkpoint-*/', 'usual'],
  ['checkpoint-eval/metrics.json', 'evidence', 'metrics*.json', 'usual'],
  ['global_step12/mp_rank_00.pt', 'checkpoint', 'global_step*/', 'usual'],
])('%s is %s, as %s of the %s says', (path, keep, pattern, from) => {
  expect(keptFor(request, rulesOn(own, BOX))(path)).toEqual({ keep, rule: { pattern, from } });
});

it('a rule of one box is none of another, and where none fits nothing is said', () => {
  const judge = keptFor(undefined, rulesOn(own, OTHER));
  expect(judge('last.ckpt')).toEqual({
    keep: 'evidence',
    rule: { pattern: '*.ckpt', from: 'person' },
  });
  expect(judge('notes.txt')).toEqual({ keep: 'unknown' });
});

it('a rule that takes back, or leaves out everything, is none', () => {
  for (const pattern of ['!a', '**', ' ', '']) {
    expect(ownKeepRules.safeParse([{ pattern, keep: 'scratch', boxId: null }]).success).toBe(false);
  }
});
