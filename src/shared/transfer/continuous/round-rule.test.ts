import { describe, expect, it } from 'vitest';
import type { ResultFile } from '../../runs/launch/launched-run.ts';
import { keepKinds } from '../keep-kind.ts';
import { chooseForRound, type RoundChoice } from './round-rule.ts';

const file = (path: string, modifiedAtMs = 0, bytes = 10): ResultFile => ({
  ...{ path, bytes, modifiedAtMs },
});

function wordOf(choice: RoundChoice): string {
  if (choice.kind === 'wait') return choice.because;
  return choice.kind === 'bring' && choice.isGrowing ? 'bring its beginning' : choice.kind;
}

const keepOf = keepKinds({
  evidence: ['*.json', 'keep_100.pt'],
  checkpoints: ['state-*'],
  scratch: ['cache*'],
});

/** What a round does with these, of which `moved` were others a moment before. */
function chosen(files: readonly ResultFile[], { moved = [], here = [] }: Partial<Moved> = {}) {
  const before = files.flatMap((each) =>
    moved.includes(each.path) ? [{ ...each, bytes: each.bytes - 1 }] : [each],
  );
  const isHere = ({ path }: ResultFile): boolean => here.includes(path);
  const choices = chooseForRound({ files, before, keepOf, isHere });
  return Object.fromEntries(
    files.map(({ path }, no) => [path, wordOf(choices[no] ?? { kind: 'have' })]),
  );
}
interface Moved {
  readonly moved: readonly string[];
  readonly here: readonly string[];
}

describe('what a round brings', () => {
  it('is everything but scratch and all checkpoints but the newest', () => {
    const files = [
      ...[file('metrics.json'), file('notes'), file('cache.bin')],
      ...[file('step_100.pt', 1000), file('step_200.pt', 2000), file('state-1', 500)],
    ];
    expect(chosen(files)).toEqual({
      ...{ 'metrics.json': 'bring', notes: 'bring', 'cache.bin': 'scratch' },
      ...{ 'step_100.pt': 'older-checkpoint', 'step_200.pt': 'bring' },
      ...{ 'state-1': 'older-checkpoint' },
    });
  });

  it('is a checkpoint only where all its files stood still', () => {
    const folder = (step: number, atMs: number): readonly ResultFile[] => [
      file(`checkpoint-${String(step)}/model.safetensors`, atMs),
      file(`checkpoint-${String(step)}/optimizer.pt`, atMs),
    ];
    const files = [...folder(1, 1000), ...folder(2, 9000)];
    expect(Object.values(chosen(files))).toEqual([
      ...['older-checkpoint', 'older-checkpoint', 'bring', 'bring'],
    ]);
    // The one that is complete comes, and of the other no file does: it would be half of one.
    expect(Object.values(chosen(files, { moved: ['checkpoint-2/optimizer.pt'] }))).toEqual([
      ...['bring', 'bring', 'older-checkpoint', 'being-written'],
    ]);
  });

  it('is always what is evidence, or called best or final', () => {
    const files = [
      ...[file('best.pt', 1), file('model_final.safetensors', 1), file('keep_100.pt', 1)],
      ...[file('step_1.pt', 5000), file('bestiary_2.pt', 1)],
    ];
    expect(Object.values(chosen(files))).toEqual([
      ...['bring', 'bring', 'bring', 'bring', 'older-checkpoint'],
    ]);
  });

  it('is the beginning of what somebody writes to, but of weights nothing', () => {
    const files = [file('train.log', 9), file('best.pt', 9), file('new.csv', 9)];
    expect(chosen(files, { moved: ['train.log', 'best.pt'] })).toEqual({
      ...{ 'train.log': 'bring its beginning', 'best.pt': 'being-written', 'new.csv': 'bring' },
    });
  });

  it('takes the higher step of two that were written in the same second', () => {
    const files = [file('step_200.pt', 1000), file('step_1000.pt', 1000)];
    expect(Object.values(chosen(files))).toEqual(['older-checkpoint', 'bring']);
  });

  it('is nothing that is here, and nothing older in its place', () => {
    const files = [file('step_1.pt', 1000), file('step_2.pt', 9000), file('metrics.json')];
    expect(Object.values(chosen(files, { here: ['step_2.pt', 'metrics.json'] }))).toEqual([
      ...['older-checkpoint', 'have', 'have'],
    ]);
  });
});
