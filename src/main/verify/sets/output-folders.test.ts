import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { expect, it } from 'vitest';
import { cutsOf, load, passedOf } from '../load.fixture.ts';
import { setSpecimen } from './sets.fixture.ts';

/** What trainers leave of a run: each file of their folders, and what is loaded of it. */
const FOLDERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
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
