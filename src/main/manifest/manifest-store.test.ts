import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NEXT } from './making.ts';
import { ManifestStore } from './manifest-store.ts';

const MANIFEST = {
  digest: '0'.repeat(64),
  folder: '/w',
  atMs: 1,
  tellsWrites: true,
  files: 1,
  bytes: 1,
  others: 0,
  unread: 0,
  unsettled: 0,
};

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-manifests-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function keep(store: ManifestStore): Promise<string> {
  const making = await store.fresh();
  writeFileSync(join(making, NEXT), 'a');
  await store.keep(making, MANIFEST);
  return dirname(making);
}

it('removes what a killed session left half-written when it keeps the next one', async () => {
  const store = new ManifestStore(root, 'key');
  const folder = await keep(store);
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  writeFileSync(join(folder, `newest.json.tmp-${String(pid)}-1`), '{');
  await keep(store);
  expect(readdirSync(folder).filter((name) => name.includes('.tmp-'))).toEqual([]);
  expect(await store.newest()).toEqual(MANIFEST);
});

it.skipIf(process.platform === 'win32')(
  'waits for no FIFO that stands for the newest',
  async () => {
    const store = new ManifestStore(root, 'key');
    const newest = join(await keep(store), 'newest.json');
    rmSync(newest);
    spawnSync('mkfifo', [newest]);
    expect(await store.newest()).toBeNull();
  },
);
