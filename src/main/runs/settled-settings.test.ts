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
  const commands = ['python cdr.py --lr 1 -c cfg', undefined];
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
])('are not those of a command that goes elsewhere: %s', async (command) => {
  expect(await keepsSettings({}, ['python a.py', command])).toBe(false);
});
