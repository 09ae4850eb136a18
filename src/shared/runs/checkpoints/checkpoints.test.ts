import { describe, expect, it } from 'vitest';
import { checkpointOf, heldIn } from './checkpoint-name.ts';
import { judgeLateness, judgeSaving, selectCheckpoints } from './checkpoints.ts';

const file = (path: string, seconds: number, bytes = 10) => ({
  path,
  bytes,
  modifiedAtMs: seconds * 1000,
});
const held = (step: number | null, epoch: number | null = null, count: number | null = null) => ({
  step,
  epoch,
  count,
});

describe('the name of a checkpoint', () => {
  it.each([
    ['checkpoint-500/', held(500)],
    ['ckpt_step_100.pt', held(100)],
    ['epoch=3-step=100.ckpt', held(100, 3)],
    ['epoch=3-step=100.ckpt/', held(100, 3)],
    ['epoch=07-val_loss=0.25.ckpt', held(null, 7)],
    ['step_100.safetensors', held(100)],
    ['global_step500/', held(500)],
    ['iter_0000500/', held(500)],
    ['epoch10.pt', held(null, 10)],
    ['model_0100.pth', held(null, null, 100)],
    ['checkpoint_3/', held(null, null, 3)],
    ['weights_12.weights.h5', held(null, null, 12)],
    ['500.pt', held(null, null, 500)],
    ['model.epoch3.pt', held(null, 3)],
    ['model.step100.safetensors', held(100)],
    ['model.epoch3', held(null, 3)],
    ['model_0100.bin', held(null, null, 100)],
    ['last.ckpt', held(null)],
    ['best.pt', held(null)],
    ['resnet50.pt', held(null)],
    ['timestep.pt', held(null)],
    ['footstep5.pt', held(null)],
    ['epoch1.5.pt', held(null)],
    ['step_1234567890123.pt', held(null)],
  ])('%s says what it holds', (path, expected) => {
    expect(heldIn(path)).toEqual(expected);
    expect(heldIn(`step_9/${path}`)).toEqual(expected);
  });

  it.each([
    ['out/last.ckpt', 'out/last.ckpt'],
    ['a/checkpoint-500/model.safetensors', 'a/checkpoint-500/'],
    ['checkpoint-500/trainer_state.json', 'checkpoint-500/'],
    ['checkpoint-500/global_step500/mp_rank_00_model_states.pt', 'checkpoint-500/'],
    ['best-checkpoint/model.bin', 'best-checkpoint/'],
    ['epoch_3/step_100.pt', 'epoch_3/step_100.pt'],
    ['model-00002-of-00003.safetensors', 'model-*-of-00003.safetensors'],
    ['checkpoints/best.keras', 'checkpoints/best.keras'],
    ['checkpoints/notes.txt', null],
    ['loss.csv', null],
    ['data.h5', null],
    ['model.pt.tmp', null],
    ['pytorch_model.bin', null],
  ])('%s belongs to it', (path, expected) => {
    expect(checkpointOf(path)).toBe(expected);
  });

  it('takes no longer than it is long, whatever it is', () => {
    for (const part of ['step_', 'checkpoint-', 'model-', '1', '-00001-of-', 'epoch=']) {
      const path = part.repeat(400_000 / part.length);
      expect(checkpointOf(path)).toBeNull();
      expect(heldIn(`${path}.pt`).count).toBeNull();
    }
  });
});

describe('checkpoints', () => {
  it('are files and folders of files, the newest first', () => {
    const found = selectCheckpoints([
      file('loss.csv', 99),
      file('best.pt', 30),
      file('checkpoint-500/model.safetensors', 60, 1000),
      file('checkpoint-500/optimizer.pt', 72, 500),
      file('checkpoint-500/trainer_state.json', 75, 1),
      file('epoch_3/sample.png', 80),
      file('model-00001-of-00002.safetensors', 10, 7),
      file('model-00002-of-00002.safetensors', 12, 5),
    ]);
    expect(found).toEqual([
      {
        path: 'checkpoint-500/',
        ...held(500),
        files: 3,
        bytes: 1501,
        firstAtMs: 60_000,
        writtenAtMs: 75_000,
      },
      {
        path: 'best.pt',
        ...held(null),
        files: 1,
        bytes: 10,
        firstAtMs: 30_000,
        writtenAtMs: 30_000,
      },
      {
        path: 'model-*-of-00002.safetensors',
        ...held(null),
        files: 2,
        bytes: 12,
        firstAtMs: 10_000,
        writtenAtMs: 12_000,
      },
    ]);
  });

  it('of one second stand in the order of their steps', () => {
    const found = selectCheckpoints([file('step_2.pt', 5), file('step_10.pt', 5)]);
    expect(found.map(({ step }) => step)).toEqual([10, 2]);
  });

  it('are also what the request of the run calls so: files, folders, and where they lie', () => {
    const files = [
      file('state-5.bin', 10),
      file('state-10.bin', 20),
      file('best/model.npz', 30),
      file('best/optimizer.npz', 31),
      file('saves/step_7.pt', 40),
      file('saves/step_8.npz', 50),
      file('loss.csv', 60),
    ];
    expect(selectCheckpoints(files).map(({ path }) => path)).toEqual(['saves/step_7.pt']);
    const named = selectCheckpoints(files, ['state-*.bin', 'best/', 'saves/*']);
    expect(named.map(({ path, files: count }) => [path, count])).toEqual([
      ['saves/step_8.npz', 1],
      ['saves/step_7.pt', 1],
      ['best/', 2],
      ['state-10.bin', 1],
      ['state-5.bin', 1],
    ]);
    expect(named.map(({ step, count }) => step ?? count)).toEqual([8, 7, null, 10, 5]);
    expect(selectCheckpoints(files, ['saves/']).map(({ path }) => path)).toContain(
      'saves/step_7.pt',
    );
  });

  it('by the thousand are gathered at once', () => {
    const files = Array.from({ length: 2000 }, (_, at) =>
      file(`checkpoint-${String(at >> 1)}/${String(at)}.pt`, at),
    );
    expect(selectCheckpoints(files)).toHaveLength(1000);
  });
});

describe('how a run saves', () => {
  const saving = (...files: Parameters<typeof file>[]) =>
    judgeSaving(selectCheckpoints(files.map((each) => file(...each))));

  it('is the median of the gaps, the pace of the steps and the span of a folder', () => {
    const folder = (step: number, fromS: number, toS: number): Parameters<typeof file>[] => [
      [`checkpoint-${String(step)}/model.safetensors`, fromS],
      [`checkpoint-${String(step)}/optimizer.pt`, toS],
    ];
    expect(
      saving(
        ...folder(100, 290, 300),
        ...folder(200, 588, 600),
        ...folder(300, 970, 1000),
        ...folder(400, 1290, 1300),
        ['last.pt', 5000],
      ),
    ).toEqual({ everyMs: 300_000, gaps: 3, stepMs: 3000, saveMs: 11_000 });
  });

  it('is unknown of fewer than three with a number, of copies, and of single files', () => {
    expect(saving(['step_1.pt', 10], ['step_2.pt', 20], ['last.pt', 30])).toEqual({
      everyMs: null,
      gaps: 1,
      stepMs: null,
      saveMs: null,
    });
    expect(saving(['step_1.pt', 10], ['step_2.pt', 20], ['step_3.pt', 40])).toEqual({
      everyMs: 15_000,
      gaps: 2,
      stepMs: 15_000,
      saveMs: null,
    });
    const copies = saving(['step_1.pt', 10], ['step_2.pt', 10], ['step_3.pt', 10]);
    expect(copies).toEqual({ everyMs: null, gaps: 0, stepMs: null, saveMs: null });
    expect(saving(['checkpoint-1/a.pt', 10], ['checkpoint-1/b.pt', 10]).saveMs).toBeNull();
  });

  it('mixes no folders, and reads no pace off epochs', () => {
    expect(
      saving(['a/epoch1.pt', 5], ['b/epoch1.pt', 10], ['b/epoch2.pt', 20], ['b/epoch3.pt', 30]),
    ).toEqual({ everyMs: 10_000, gaps: 2, stepMs: null, saveMs: null });
  });

  it('is late after three usual gaps, counted from the start of the run at the earliest', () => {
    const [newest] = selectCheckpoints([file('step_3.pt', 100)]);
    const usual = { everyMs: 10_000, gaps: 2, stepMs: null, saveMs: null };
    const at = (launchedS: number | null, atS: number) =>
      judgeLateness(newest, usual, {
        launchedAtMs: launchedS === null ? null : launchedS * 1000,
        atMs: atS * 1000,
      });
    expect(at(0, 130)).toBeNull();
    expect(at(0, 131)).toBe(31_000);
    expect(at(110, 131)).toBeNull();
    expect(at(110, 141)).toBe(31_000);
    expect(at(null, 131)).toBeNull();
    const none = { launchedAtMs: 0, atMs: 1e9 };
    expect(judgeLateness(newest, { ...usual, everyMs: null }, none)).toBeNull();
    expect(judgeLateness(undefined, usual, none)).toBeNull();
  });
});
