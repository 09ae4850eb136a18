import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { BoxFile } from '../../shared/files/box-file.ts';
import { problem } from '../../shared/problem.ts';
import { ok } from '../../shared/result.ts';
import { value } from '../runs/run-box.fixture.ts';
import { DragOuts } from './drag-outs.ts';
import type { FileTransfers, Found } from './file-transfers.ts';

const MIB = 1024 * 1024;
const MINUTE = 60_000;
const NOW = Date.UTC(2026, 0, 1);

/** What lies on the box, by its whole path; null: a folder. */
let box: Map<string, { content: string | null; atMs: number; bytes?: number }>;
let data: string;
let root: string;
let dragged: string[];
let broughtTo: string[];
let left: string | null;
let onChosen: () => unknown;
let outs: DragOuts;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  data = mkdtempSync(join(tmpdir(), 'leasehold-drag-test-'));
  root = join(data, 'dragged');
  box = new Map();
  [dragged, broughtTo, left] = [[], [], null];
  onChosen = () => undefined;
  outs = newOuts();
});
afterEach(async () => {
  await outs.close();
  rmSync(data, { recursive: true, force: true });
  vi.useRealTimers();
});

/** As the transfers do it, without a box: each file is its content, however long it says to be. */
const bring: FileTransfers['bring'] = async (_boxId, paths, to, choose) => {
  const found = [...box]
    .filter(([path]) => paths.some((chosen) => path === chosen || path.startsWith(`${chosen}/`)))
    .map(([path, { content, atMs, bytes }]): Found => {
      const kind = content === null ? 'folder' : 'file';
      const file = { kind, sizeBytes: bytes ?? content?.length ?? 0, modifiedAtMs: atMs };
      return { from: { path, file: file as BoxFile }, name: path.slice('/data/'.length) };
    });
  const chosen = await choose(found);
  if (!chosen.ok) return chosen;
  await onChosen();
  if (chosen.value.length > 0) broughtTo.push(to);
  for (const { from, name } of chosen.value) {
    const { content = null } = box.get(from.path) ?? {};
    if (content === null) mkdirSync(join(to, name));
    else writeFileSync(join(to, name), content);
  }
  const missed = left === null ? [] : [{ path: left, problem: problem('aborted', 'Stopped.') }];
  return ok({ way: 'download', to, files: chosen.value.length, bytes: 0, left: missed });
};

const newOuts = (): DragOuts =>
  new DragOuts({
    ...{ folder: root, transfers: { bring } },
    startDrag: (files) => {
      dragged.push(...files);
      return ok(null);
    },
  });

const put = (path: string, content: string | null = 'x', bytes?: number): void =>
  void box.set(path, { content, atMs: Date.now() - MINUTE, ...(bytes !== undefined && { bytes }) });
const later = (ms: number): unknown => vi.setSystemTime(Date.now() + ms);
const fetched = async (path: string) => value(await outs.fetch('b1', [path]));
async function draggedOut(path: string): Promise<string> {
  await fetched(path);
  expect(await outs.drag('b1', [path])).toEqual(ok(null));
  return dragged.at(-1) ?? '';
}

it('each lies in a folder of its own that nobody guesses, below the app’s own alone, until the app is quit', async () => {
  put('/data/a');
  const file = await draggedOut('/data/a');
  expect(dirname(dirname(file))).toBe(root);
  expect(dirname(file)).toMatch(/\/[0-9a-f-]{36}$/);
  for (const folder of [root, dirname(file)]) expect(lstatSync(folder).mode & 0o777).toBe(0o700);
  await outs.close();
  expect(existsSync(root)).toBe(false);
});

it('what an earlier time left goes at the start, before anything comes', async () => {
  mkdirSync(join(root, 'earlier'), { recursive: true });
  writeFileSync(join(root, 'earlier/model.pt'), 'x');
  put('/data/a');
  const swept = outs.sweep();
  const file = await draggedOut('/data/a');
  expect(await swept).toEqual(ok(null));
  expect(readdirSync(root)).toHaveLength(1);
  expect(existsSync(file)).toBe(true);
});

it('what could not be brought as a whole goes at once', async () => {
  put('/data/a');
  left = '/data/a';
  await fetched('/data/a');
  expect(readdirSync(root)).toEqual([]);
  expect(await outs.drag('b1', ['/data/a'])).toMatchObject({ error: { code: 'file-failed' } });
});

it.each([
  ['a file of it is gone', (folder: string) => rmSync(join(folder, 'tree/in/a'))],
  [
    'a folder of it became a file',
    (folder: string) => {
      rmSync(join(folder, 'tree/in'), { recursive: true });
      writeFileSync(join(folder, 'tree/in'), 'x');
    },
  ],
  [
    'a folder of it became a link',
    (folder: string) => {
      mkdirSync(join(data, 'other'));
      writeFileSync(join(data, 'other/a'), 'x');
      rmSync(join(folder, 'tree/in'), { recursive: true });
      symlinkSync(join(data, 'other'), join(folder, 'tree/in'));
    },
  ],
])('none is handed out where %s, and the rest goes', async (_what, spoil) => {
  for (const path of ['/data/tree', '/data/tree/in']) put(path, null);
  put('/data/tree/in/a');
  await fetched('/data/tree');
  const [folder = ''] = broughtTo;
  spoil(folder);
  expect(await outs.drag('b1', ['/data/tree'])).toMatchObject({ error: { code: 'file-failed' } });
  expect(dragged).toEqual([]);
  expect(readdirSync(root)).toEqual([]);
});

it('what something may still be copying stays for a minute, also where some of it was moved away', async () => {
  put('/data/tree', null);
  for (const name of ['a', 'b']) put(`/data/tree/${name}`);
  const tree = await draggedOut('/data/tree');
  rmSync(join(tree, 'a'));
  expect(await outs.drag('b1', ['/data/tree'])).toMatchObject({ error: { code: 'file-failed' } });
  await fetched('/data/tree');
  expect(existsSync(join(tree, 'b'))).toBe(true);
  later(MINUTE);
  put('/data/other');
  await fetched('/data/other');
  expect(existsSync(tree)).toBe(false);
});

it('what just came is handed out as it came, and is left alone when it comes anew', async () => {
  put('/data/train.log', 'one');
  await fetched('/data/train.log');
  put('/data/train.log', 'one and two');
  later(MINUTE - 1);
  const first = await draggedOut('/data/train.log');
  expect(readFileSync(first, 'utf8')).toBe('one');
  expect(broughtTo).toHaveLength(1);
  later(1);
  const second = await draggedOut('/data/train.log');
  expect(readFileSync(second, 'utf8')).toBe('one and two');
  expect(readFileSync(first, 'utf8')).toBe('one');
});

it('what is on the box as it was is not brought again, unless its last change is too near to tell another', async () => {
  put('/data/a');
  await fetched('/data/a');
  later(MINUTE);
  await fetched('/data/a');
  expect(broughtTo).toHaveLength(1);
  box.set('/data/b', { content: 'one', atMs: Date.now() - 1999 });
  await fetched('/data/b');
  later(MINUTE);
  await fetched('/data/b');
  expect(broughtTo).toHaveLength(3);
});

it('all that lie here are within 1 GiB: the oldest goes first, and none that something may still be copying', async () => {
  for (const name of ['a', 'b', 'c']) put(`/data/${name}`, name, 400 * MIB);
  const first = await draggedOut('/data/a');
  const second = await draggedOut('/data/b');
  const refused = await outs.fetch('b1', ['/data/c']);
  expect(refused).toMatchObject({ error: { message: /in the last minute/ } });
  later(MINUTE);
  await fetched('/data/c');
  expect([existsSync(first), existsSync(second)]).toEqual([false, true]);
});

it('nothing is made here any more once the app is being quit', async () => {
  put('/data/a');
  await outs.close();
  expect(await outs.fetch('b1', ['/data/a'])).toMatchObject({ error: { code: 'aborted' } });
  expect(existsSync(root)).toBe(false);
});

it('what is refused in the middle leaves nothing', async () => {
  put('/data/a');
  onChosen = () => {
    throw Object.assign(new Error('no'), { code: 'EIO', syscall: 'write' });
  };
  expect(await outs.fetch('b1', ['/data/a'])).toMatchObject({ error: { code: 'file-failed' } });
  expect(readdirSync(root)).toEqual([]);
});
