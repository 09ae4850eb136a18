import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keepsSettings } from './settled-settings.ts';

let from: string;
beforeAll(() => {
  from = mkdtempSync(join(tmpdir(), 'leasehold-settled-'));
});
afterAll(() => rmSync(from, { recursive: true, force: true }));

const push = (folder: string, more = {}) => ({
  push: { from: folder, ignore: [], delete: false, fixLineEnds: false, rehash: false, ...more },
});

/** A folder with these files. */
function code(...paths: readonly string[]): string {
  const folder = mkdtempSync(join(from, 'code-'));
  for (const path of ['train.py', ...paths]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), '');
  }
  return folder;
}

it('are kept by a run that brings none and stays in its folder', async () => {
  const commands = [
    'python cdr.py --lr 1 -c cfg --data make.bashful',
    'torchrun --nproc-per-node 2 a.py . --source x',
    'CUDA_VISIBLE_DEVICES=0,1 ~/venv/bin/python3.11 -u -m train.main --name "a b" --x=[1,2]',
    'accelerate launch --num_processes 2 --mixed_precision=bf16 src/train.py lr=1e-3',
    'python train.py \\\n  --lr 1 \\\n  --seed 2',
    // A queue has none of its own.
    '',
    undefined,
  ];
  expect(await keepsSettings({}, commands)).toBe(true);
  expect(await keepsSettings(push(code('wandb/run-1/x', 'src/settings')), commands)).toBe(true);
});

it.each([
  '.wandb/settings',
  '.wandb',
  'wandb/settings',
  'sub/wandb/settings',
  'a/b/.wandb/x',
  '.netrc',
])('are not kept by a push that brings %s', async (path) => {
  expect(await keepsSettings(push(code(path)), [])).toBe(false);
});

it('are not kept by a push that brings a link to some, that removes, or that cannot be listed', async () => {
  const linked = code();
  symlinkSync('/elsewhere', join(linked, 'wandb'));
  expect(await keepsSettings(push(linked), [])).toBe(false);
  expect(await keepsSettings(push(code(), { delete: true }), [])).toBe(false);
  expect(await keepsSettings(push(join(from, 'none')), [])).toBe(false);
});

it('are not kept where a download may bring some', async () => {
  expect(await keepsSettings({ fetch: [{ into: '.', run: 'git clone x .' }] }, [])).toBe(false);
});

it.each([
  'cd sub && python t.py',
  '(cd sub; python t.py)',
  'bash -c "pushd sub >/dev/null; python t.py"',
  'env -C sub python t.py',
  'uv run --directory sub t.py',
  'srun -D /scratch python t.py',
  // What these do first, only they know.
  'bash run.sh',
  'exec ./jobs/train.bash 1',
  'source env && python t.py',
  'true; . ./env && python t.py',
  'make train',
  './train',
  'bash run',
  'export $(cat .env | xargs) && python train.py',
  'env $(cat .env) python train.py',
  'eval "$(cat env)"; python t.py',
  'python t.py --key $(cat key)',
  'python t.py | tee log',
  'uv run --env-file .env train.py',
  'dotenv run -- python train.py',
  'direnv exec . python t.py',
  'python -c "import os; os.chdir(1)"',
  'python launcher',
  'python -c os.chdir a.py',
  'python -m dotenv run -- python t.py',
  `python${' -a -b=c d'.repeat(10_000)} launcher`,
  // These have another home, another machine's, or none.
  'sudo -u other python t.py',
  'HOME=/tmp python t.py',
  'ssh node python t.py',
  'docker run image python t.py',
  'srun --container-image=x python t.py',
])('are not those of a command that goes elsewhere: %s', async (command) => {
  expect(await keepsSettings({}, ['python a.py', command])).toBe(false);
});
