import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runFixture } from '../storage/disk.fixture.ts';
import { NEXT } from './making.ts';
import { ManifestStore, sweepUnfinished } from './manifest-store.ts';

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

/** What a session makes that is killed meanwhile. */
async function killedMaking(): Promise<string> {
  const fixture = new URL('making-manifest.fixture.ts', import.meta.url);
  const { lines } = await runFixture(fixture, [root], (folder, _count, child) => {
    writeFileSync(join(folder, NEXT), 'half');
    child.kill('SIGKILL');
  });
  return lines[0] ?? '';
}

it('removes at a start what killed sessions were making, and nothing else', async () => {
  const store = new ManifestStore(root, 'key');
  const folder = await keep(store);
  const making = await store.resumed();
  await making?.release();
  const before = readdirSync(folder);
  const killed = await killedMaking();
  const living = await store.fresh();
  // An older Leasehold did not say whose it is.
  const [old, new_] = [join(folder, 'once-aB3dE6'), join(folder, 'once-123456')];
  for (const each of [old, new_]) mkdirSync(each);
  utimesSync(old, 1, 1);
  writeFileSync(join(root, 'not of ours'), '');
  expect(readdirSync(folder)).toContain(basename(killed));
  await sweepUnfinished(root);
  expect(readdirSync(folder).sort()).toEqual([...before, basename(living), basename(new_)].sort());
  expect(await store.newest()).toEqual(MANIFEST);
  expect(readdirSync(root)).toContain('not of ours');
});

it('finds nothing to remove where no manifest was ever made', () =>
  expect(sweepUnfinished(join(root, 'absent'))).resolves.toBeUndefined());

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
