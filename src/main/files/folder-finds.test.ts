import { spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BoxFile } from '../../shared/files/box-file.ts';
import { MAX_FOUND } from '../../shared/files/find-pattern.ts';
import { ReachedRoster } from '../boxes/box-roster.fixture.ts';
import { BOX_SHELLS, onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { value } from '../runs/run-box.fixture.ts';
import { openConnection, type SshConnection } from '../ssh/ssh-connection.ts';
import { hasSshd, startSshd, type TestSshd } from '../ssh/sshd.fixture.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import { FolderFinds } from './folder-finds.ts';
import { readFound } from './read-found.ts';

const BOX = 'b1';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-find-'));
  mkdirSync(join(folder, 'runs/seed-0'), { recursive: true });
  writeFileSync(join(folder, 'runs/seed-0/Step-9.pt'), 'x'.repeat(9));
  writeFileSync(join(folder, 'two\nsteps'), '');
  writeFileSync(Buffer.from(`${folder}/step-\xe9`, 'latin1'), '');
  symlinkSync('.', join(folder, 'step-around'));
  writeFileSync(join(folder, 'a[b'), '');
  writeFileSync(join(folder, 'other'), '');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const byName = (a: BoxFile, b: BoxFile): number => (a.name < b.name ? -1 : 1);

async function* pieces(text: string | Buffer, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text as string, 'latin1');
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe.skipIf(!hasSshd)('names in a folder tree', () => {
  let sshd: TestSshd;
  let connection: SshConnection;
  let finds: FolderFinds;
  beforeAll(async () => {
    sshd = await startSshd();
    connection = value(
      await openConnection({
        address: { host: '127.0.0.1', port: sshd.port, user: sshd.user },
        credentials: [{ kind: 'key', privateKey: sshd.privateKey }],
        judgeHostKey: () => 'accept',
        signal: new AbortController().signal,
      }),
    );
    finds = new FolderFinds(new ReachedRoster(new StreamHub(), () => connection), onboxScripts);
  });
  afterAll(async () => {
    finds.close();
    connection.close();
    await connection.closed;
    await sshd.stop();
  });

  async function found(wanted: string, at = folder): Promise<{ files: BoxFile[]; isCut: boolean }> {
    let part = value(await finds.begin(BOX, at, wanted));
    const files = [...part.files];
    while (part.rest !== null) {
      part = value(await finds.more(BOX, part.rest));
      files.push(...part.files);
    }
    return { files: files.sort(byName), isCut: part.isCut };
  }

  it('are found in whatever case, links as such and never followed, odd names as what they are', async () => {
    const { files, isCut } = await found('step');
    expect(isCut).toBe(false);
    expect(files).toMatchObject([
      { name: 'runs/seed-0/Step-9.pt', kind: 'file', sizeBytes: 9, hasUsableName: true },
      { name: 'step-around', kind: 'link' },
      { name: 'step-\uFFFD', kind: 'file', hasUsableName: false },
      { name: 'two\nsteps', kind: 'file', hasUsableName: true },
    ]);
    expect(files[0]?.modifiedAtMs).toBeGreaterThan(1.7e12);
    expect((await found('*.PT')).files).toHaveLength(1);
    expect((await found('seed-0')).files).toMatchObject([{ name: 'runs/seed-0', kind: 'folder' }]);
    expect((await found('nothing of the kind')).files).toEqual([]);
  });

  it('are no text for a shell, neither what is wanted nor the folder', async () => {
    const odd = join(folder, `$(touch ran) '"; touch ran`);
    mkdirSync(odd);
    writeFileSync(join(odd, '`touch ran`'), '');
    expect((await found('`touch ran`', odd)).files).toHaveLength(1);
    expect((await found('-delete')).files).toEqual([]);
    expect(readdirSync(odd)).toEqual(['`touch ran`']);
    expect(readdirSync(folder)).not.toContain('ran');
    const lines = join(folder, 'two\nlines');
    mkdirSync(lines);
    expect(await finds.begin(BOX, lines, 'x')).toMatchObject({
      error: { code: 'file-name-unusable' },
    });
  });

  it('are told up to a bound, and not of a folder that is not there', async () => {
    for (let at = 0; at <= MAX_FOUND; at += 1)
      writeFileSync(join(folder, `many-${String(at)}`), '');
    const { files, isCut } = await found('many');
    expect(files).toHaveLength(MAX_FOUND);
    expect(isCut).toBe(true);
    const none = await finds.begin(BOX, join(folder, 'none'), 'x');
    expect(none).toMatchObject({ error: { code: 'no-such-file' } });
  });

  it('are not looked for any more once nobody waits', async () => {
    // A find that never ends: nothing but its end on the box is waited for.
    const bin = join(folder, 'bin');
    const pid = join(folder, 'pid');
    mkdirSync(bin);
    writeFileSync(
      join(bin, 'find'),
      `#!/bin/sh\n[ "$2" = -prune ] && exit\necho $$ >${pid}\nexec sleep 1000\n`,
      {
        mode: 0o755,
      },
    );
    const other = await startSshd({ path: `${bin}:/usr/bin:/bin` });
    const slow = value(
      await openConnection({
        address: { host: '127.0.0.1', port: other.port, user: other.user },
        credentials: [{ kind: 'key', privateKey: other.privateKey }],
        judgeHostKey: () => 'accept',
        signal: new AbortController().signal,
      }),
    );
    const own = new FolderFinds(new ReachedRoster(new StreamHub(), () => slow), onboxScripts);
    const begun = own.begin(BOX, folder, 'step');
    const finding = await vi.waitFor(() => {
      const number = readFileSync(pid, 'utf8').trim();
      expect(number).not.toBe('');
      return number;
    });
    own.stop(BOX);
    expect(await begun).toMatchObject({ error: { code: 'aborted' } });
    await vi.waitFor(() => expect(() => process.kill(Number(finding), 0)).toThrow('ESRCH'));
    slow.close();
    await slow.closed;
    await other.stop();
  });
});

describe.each(BOX_SHELLS)('files-find.sh under $name', ({ shell, isInstalled }) => {
  it.skipIf(!isInstalled)('tells the same with a find that knows less', async () => {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    writeFileSync(
      join(bin, 'find'),
      '#!/bin/sh\nfor each; do case $each in -printf) exit 1 ;; esac; done\nexec /usr/bin/find "$@"\n',
      { mode: 0o755 },
    );
    const tell = async (path: string): Promise<readonly BoxFile[]> => {
      const values = { LEASEHOLD_MARK: 'M', LEASEHOLD_FOLDER: folder, LEASEHOLD_PATTERN: '*step*' };
      const text = await onboxScripts.textOf('files-find.sh');
      const [program, ...words] = [...shell, '-c', text];
      // Its stdin stays open: the end of that ends it.
      const box = spawn(program, words, { env: { ...values, PATH: path } });
      const told = Buffer.concat(await box.stdout.toArray());
      box.stdin.end();
      const files: BoxFile[] = [];
      const end = await readFound(pieces(told, 1), 'M', (file) => files.push(file) > 0);
      expect(end).toEqual({ ok: true, value: { isWhole: true } });
      return files.sort(byName);
    };
    const whole = await tell('/usr/bin:/bin');
    expect(whole).toHaveLength(4);
    expect(await tell(`${bin}:/usr/bin:/bin`)).toEqual(whole);
  });
});

it.each([
  ['a record that is none', 'M folder\nnonsense\0', 'file-failed'],
  ['a record without an end', `M folder\n${'x'.repeat(40_000)}`, 'file-failed'],
  ['an answer that was cut', 'M folder\nf 1 1 644 a\0', 'file-failed'],
  ['a word of start-up files alone', 'welcome\n', 'file-failed'],
  ['a refusal', 'welcome\nM refused not-enterable\n', 'file-denied'],
])('%s is told as such', async (_what, text, code) => {
  const read = await readFound(pieces(text, 7), 'M', () => true);
  expect(read).toMatchObject({ error: { code } });
});

it('a folder that could not be looked into is told with what was found', async () => {
  const read = await readFound(pieces('hi\nM folder\nf ? ? ? a\0\nM partly\n', 5), 'M', (file) => {
    expect(file).toMatchObject({ name: 'a', sizeBytes: null, modifiedAtMs: null, mode: null });
    return true;
  });
  expect(read).toEqual({ ok: true, value: { isWhole: false } });
});
