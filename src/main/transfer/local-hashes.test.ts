import { spawnSync } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listTree } from './list-tree.ts';
import { LocalHashes } from './local-hashes.ts';
import { readLocalTree } from './local-tree.ts';

/** Before the grain of any file system, so that a hash of it may be kept. */
const LONG_AGO_S = 1_700_000_000;
const FAKE = '0'.repeat(64);

let around: string;
let project: string;
let folder: string;
beforeEach(() => {
  around = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-hashes-'));
  project = mkdtempSync(join(around, 'project-'));
  folder = join(around, 'push-hashes');
  writeFileSync(join(project, 'main.txt'), 'main');
  writeFileSync(join(project, 'run.sh'), 'echo one\r\necho two\r\n');
});
afterEach(() => rmSync(around, { recursive: true, force: true }));

const filesOf = async (pushed: string) => {
  const listed = await listTree(pushed, []);
  if (!listed.ok) throw new Error(listed.error.message);
  return listed.value;
};
/** As after a start of the app. `agedS`: how long ago every change was, which no test can wait for. */
async function readAnew(isRehashing = false, agedS = 60) {
  const files = await filesOf(project);
  const aged = files.map(({ path, stat }) => ({
    path,
    stat: Object.assign(stat, { ctimeMs: stat.ctimeMs - agedS * 1000 }),
  }));
  const options = { isFixing: true, isRehashing, hashes: new LocalHashes(folder) };
  const { entries, withReturns } = await readLocalTree(project, aged, options);
  const told = entries.map((each) => [each.path, each.kind === 'file' ? each.sha256 : null]);
  return { hashes: Object.fromEntries(told) as Readonly<Record<string, string>>, withReturns };
}
/** What no reading would tell: so it shows whether the file itself was read. */
async function pretend(path: string): Promise<void> {
  const hashes = new LocalHashes(folder);
  const known = await hashes.of(project);
  const mine = known.get(path);
  if (mine === undefined) throw new Error(`nothing is kept of ${path}`);
  await hashes.keep(project, new Map([...known, [path, { ...mine, sha256: FAKE }]]));
}
const write = (path: string, text: string): void => {
  writeFileSync(join(project, path), text);
  utimesSync(join(project, path), LONG_AGO_S, LONG_AGO_S);
};

describe('hashes of this computer', () => {
  beforeEach(() => {
    for (const name of readdirSync(project)) {
      utimesSync(join(project, name), LONG_AGO_S, LONG_AGO_S);
    }
  });

  it('stand after a restart for files that nobody has written to, and for no others', async () => {
    const first = await readAnew();
    await pretend('main.txt');
    const again = await readAnew();
    expect(again.hashes).toEqual({ ...first.hashes, 'main.txt': FAKE });
    expect(again.withReturns).toEqual(['run.sh']);
    expect((await readAnew(true)).hashes).toEqual(first.hashes);
  });

  it('do not stand for one that was changed and given its size and time again', async () => {
    const first = await readAnew();
    await pretend('main.txt');
    const { size } = statSync(join(project, 'main.txt'));
    write('main.txt', 'MAIN');
    expect(statSync(join(project, 'main.txt'))).toMatchObject({ size, mtimeMs: LONG_AGO_S * 1000 });
    const { hashes } = await readAnew();
    expect(hashes['main.txt']).not.toBe(FAKE);
    expect(hashes['main.txt']).not.toBe(first.hashes['main.txt']);
  });

  it('are not kept of what may be written once more in the same moment', async () => {
    await readAnew(false, 0);
    expect((await new LocalHashes(folder).of(project)).size).toBe(0);
  });

  it('are none where their file was cut off or written over', async () => {
    await readAnew();
    const [name = ''] = readdirSync(folder);
    const text = readFileSync(join(folder, name), 'utf8');
    for (const spoilt of [text.slice(0, -5), text.replace(/[0-9a-f]{64} - /, `${FAKE} - `), '']) {
      writeFileSync(join(folder, name), spoilt);
      expect((await new LocalHashes(folder).of(project)).size).toBe(0);
    }
    writeFileSync(join(folder, name), text);
    expect((await new LocalHashes(folder).of(project)).size).toBe(2);
  });

  it.skipIf(process.platform === 'win32')(
    'are none where a FIFO stands for their file',
    async () => {
      await readAnew();
      const [name = ''] = readdirSync(folder);
      rmSync(join(folder, name));
      spawnSync('mkfifo', [join(folder, name)]);
      expect((await new LocalHashes(folder).of(project)).size).toBe(0);
    },
  );

  it('are read from their file once', async () => {
    await readAnew();
    const hashes = new LocalHashes(folder);
    const read = await hashes.of(project);
    rmSync(folder, { recursive: true });
    expect(read.size).toBe(2);
    expect(await hashes.of(project)).toBe(read);
  });

  it('are kept of the folders that were pushed last, readable by their owner alone', async () => {
    await readAnew();
    const known = await new LocalHashes(folder).of(project);
    const hashes = new LocalHashes(folder);
    for (let at = 0; at < 20; at += 1) await hashes.keep(mkdtempSync(join(around, 'p-')), known);
    expect(readdirSync(folder)).toHaveLength(16);
    const [name = ''] = readdirSync(folder);
    if (process.platform !== 'win32') {
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    }
  });
});
