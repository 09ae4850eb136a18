import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { expect, it } from 'vitest';
import { cutsOf, load, passedOf } from '../load.fixture.ts';
import { setSpecimen } from './sets.fixture.ts';

/** What trainers leave of a run: each file of their folders, and what is loaded of it. */
const FOLDERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'deepspeed-0.10.3--zero-2': {
    'global_step3/mp_rank_00_model_states.pt': 'torch: 7 tensors, 33 numbers',
    // Its loss scaler is an object of DeepSpeed's own.
    'global_step3/zero_pp_rank_0_mp_rank_00_optim_states.pt': 'not loadable',
    'global_step3/zero_pp_rank_1_mp_rank_00_optim_states.pt': 'not loadable',
    latest: 'no reader',
  },
  'lightning-2.6.6--run': {
    'checkpoints/epoch=0-step=4.ckpt': 'torch: 9 tensors, 27 numbers',
    'checkpoints/last.ckpt': 'torch: 9 tensors, 27 numbers',
    'hparams.yaml': 'yaml: 2 fields',
    'metrics.csv': 'csv: 4 rows, 3 columns: epoch, loss, step',
  },
  'transformers-4.57.1--trainer': {
    'checkpoint-2/config.json': 'json: 21 fields',
    'checkpoint-2/model.safetensors': 'safetensors: 25 tensors, 230 numbers',
    'checkpoint-2/optimizer.pt': 'torch: 75 tensors, 485 numbers',
    'checkpoint-2/rng_state.pth': 'torch: 1 tensor, 5056 numbers',
    'checkpoint-2/scheduler.pt': 'torch: 0 tensors, 0 numbers',
    'checkpoint-2/trainer_state.json': 'json: 20 fields',
    'checkpoint-2/training_args.bin': 'not loadable',
    'final/config.json': 'json: 21 fields',
    'final/model.safetensors': 'safetensors: 25 tensors, 230 numbers',
    'final/training_args.bin': 'not loadable',
  },
};

function* filesIn(root: string): Generator<[string, Buffer], void> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    yield [relative(root, path).split(sep).join('/'), readFileSync(path)];
  }
}

it.each(Object.entries(FOLDERS))('%s is loaded, file by file', async (folder, holds) => {
  const found: Record<string, string> = {};
  for (const [path, bytes] of filesIn(setSpecimen(folder))) {
    const loaded = await load(basename(path), bytes);
    found[path] =
      typeof loaded === 'string'
        ? (loaded.split(': ')[0] ?? '')
        : loaded.kind === 'loaded'
          ? `${loaded.format}: ${loaded.holds}`
          : loaded.kind;
  }
  expect(found).toEqual(holds);
});

/** Of a text the beginning is one too. */
const IS_TEXT = /\.(?:csv|yaml|py|json)$|^latest$/;

it.each(Object.keys(FOLDERS))(
  'each file of %s is found out where it is cut off, or too long',
  async (folder) => {
    for (const [path, bytes] of filesIn(setSpecimen(folder))) {
      if (IS_TEXT.test(path)) continue;
      const cuts = [...cutsOf(bytes)].filter((_, at) => at % 97 === 0 || at >= bytes.length - 1);
      expect(await passedOf(basename(path), cuts), path).toEqual([]);
    }
  },
);

it('what is not loaded of DeepSpeed’s optimizer says which names stand in the way, and is found out where a bit of its numbers is another', async () => {
  const folder = setSpecimen('deepspeed-0.10.3--zero-2');
  const name = 'zero_pp_rank_0_mp_rank_00_optim_states.pt';
  const whole = readFileSync(join(folder, 'global_step3', name));
  expect(await load(name, whole)).toBe(
    'not loadable: loading it would run what it names: "deepspeed.runtime.fp16.loss_scaler.LossScaler", "deepspeed.runtime.zero.config.ZeroStageEnum", "deepspeed.utils.tensor_fragment.fragment_address"',
  );
  // The bytes of a storage begin behind its head in the archive.
  const numbers = whole.indexOf('/data/0') + '/data/0'.length + 60;
  const flipped = Buffer.from(whole);
  flipped[numbers] = (flipped[numbers] ?? 0) ^ 1;
  expect(await load(name, flipped)).toMatch(/^damaged: /);
});
