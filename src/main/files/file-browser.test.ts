import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BoxFile } from '../../shared/files/box-file.ts';
import { MAX_TEXT_BYTES } from '../../shared/files/preview.ts';
import { ok } from '../../shared/result.ts';
import type { LaunchedRuns } from '../../shared/runs/launch/launched-run.ts';
import { rootOf, type ResultRoot } from '../../shared/transfer/result-root.ts';
import { runWith } from '../transfer/pulling-link.fixture.ts';
import { ReachedRoster } from '../boxes/box-roster.fixture.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { value } from '../runs/run-box.fixture.ts';
import { openConnection, type SshConnection } from '../ssh/ssh-connection.ts';
import { hasSshd, startSshd, type TestSshd } from '../ssh/sshd.fixture.ts';
import { startTcpProxy, type TcpProxy } from '../ssh/tcp-proxy.fixture.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import { FileBrowser } from './file-browser.ts';
import { FileSessions } from './file-sessions.ts';

const BOX = 'b1';

describe.skipIf(!hasSshd)('files of a box, as a person looks at them', () => {
  let folder: string;
  let sshd: TestSshd;
  let proxy: TcpProxy;
  let connection: SshConnection | null;
  let sessions: FileSessions;
  let browser: FileBrowser;
  let runs: LaunchedRuns;
  let named: readonly ResultRoot[];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'leasehold-files-'));
    sshd = await startSshd({ configLines: ['Subsystem sftp internal-sftp'] });
    proxy = await startTcpProxy(sshd.port);
    await connect();
    const roster = new ReachedRoster(new StreamHub(), () => connection);
    sessions = new FileSessions(roster);
    runs = { atMs: 1, runs: [], leftOut: 0, problem: null };
    named = [];
    const known = { look: () => Promise.resolve(ok(runs)), folders: () => named };
    browser = new FileBrowser(sessions, roster, onboxScripts, known);
  });
  afterEach(async () => {
    browser.close();
    sessions.close();
    connection?.close();
    await connection?.closed;
    await proxy.stop();
    await sshd.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function connect(): Promise<void> {
    connection = value(
      await openConnection({
        address: { host: '127.0.0.1', port: proxy.port, user: sshd.user },
        credentials: [{ kind: 'key', privateKey: sshd.privateKey }],
        judgeHostKey: () => 'accept',
        signal: new AbortController().signal,
      }),
    );
  }

  async function listed(): Promise<{ readonly files: BoxFile[]; readonly parts: number }> {
    let part = value(await browser.list(BOX, folder));
    const files = [...part.files];
    let parts = 1;
    while (part.rest !== null) {
      part = value(await browser.more(BOX, part.rest));
      files.push(...part.files);
      parts += 1;
    }
    expect(part.isCut).toBe(false);
    return { files, parts };
  }

  it('tells the folders in a folder for a tree, and neither links to one nor what is none', async () => {
    for (const name of ['runs', '.cache']) mkdirSync(join(folder, name));
    symlinkSync('runs', join(folder, 'latest'));
    writeFileSync(join(folder, 'train.py'), '');
    const { names, isCut } = value(await browser.folders(BOX, folder));
    expect(new Set(names)).toEqual(new Set(['runs', '.cache']));
    expect(isCut).toBe(false);
    expect(await browser.folders(BOX, join(folder, 'gone'))).toMatchObject({ ok: false });
  });

  it('does not tell more folders than anybody walks through, and says so', async () => {
    for (let at = 0; at < 1001; at += 1) mkdirSync(join(folder, `seed-${String(at)}`));
    const { names, isCut } = value(await browser.folders(BOX, folder));
    expect([names.length, isCut]).toEqual([1000, true]);
  });

  it('come in parts that grow, every entry once', async () => {
    execFileSync('sh', ['-c', 'seq 6000 | xargs touch'], { cwd: folder });
    const { files, parts } = await listed();
    expect(new Set(files.map(({ name }) => name)).size).toBe(6000);
    expect(files).toHaveLength(6000);
    expect(parts).toBeGreaterThan(2);
  });

  it('are listed from where a log-in begins where no folder is named', async () => {
    const { folder: home } = value(await browser.list(BOX, null));
    expect(home).toBe(realpathSync(userInfo().homedir));
  });

  it('are left where another folder is asked for, and the old one is no longer told', async () => {
    execFileSync('sh', ['-c', 'seq 5000 | xargs touch'], { cwd: folder });
    const first = value(await browser.list(BOX, folder));
    mkdirSync(join(folder, 'inner'));
    const second = value(await browser.list(BOX, join(folder, 'inner')));
    expect(second.files).toEqual([]);
    expect(await browser.more(BOX, first.rest as string)).toMatchObject({
      error: { code: 'folder-not-listed' },
    });
  });

  it('that are links tell where they lead, a broken one too', async () => {
    mkdirSync(join(folder, 'runs'));
    writeFileSync(join(folder, 'f'), '');
    const links = {
      folder: 'runs',
      file: 'f',
      none: 'nowhere',
      loop: 'loop',
      odd: 'x'.repeat(300),
    };
    const paths = Object.entries(links).map(([name, target]) => {
      symlinkSync(target, join(folder, `to-${name}`));
      return join(folder, `to-${name}`);
    });
    const ends = value(await browser.follow(BOX, paths));
    expect(ends.map(({ kind }) => kind)).toEqual(['folder', 'file', 'nothing', 'nothing', null]);
    expect(ends.map(({ target }) => target)).toEqual(Object.values(links));
  });

  it('say that the link was lost in the middle, and are there again over the next connection', async () => {
    execFileSync('sh', ['-c', 'seq 6000 | xargs touch'], { cwd: folder });
    const { rest } = value(await browser.list(BOX, folder));
    proxy.cut();
    await connection?.closed;
    expect(await browser.more(BOX, rest as string)).toMatchObject({ error: { code: 'link-lost' } });
    connection = null;
    expect(await browser.list(BOX, folder)).toMatchObject({ error: { code: 'not-connected' } });
    await connect();
    expect((await listed()).files).toHaveLength(6000);
  });

  it('are shown as text up to a bound, as a picture by its own bytes, or not with a reason', async () => {
    const preview = async (name: string, content: string | Uint8Array) => {
      writeFileSync(join(folder, name), content);
      return value(await browser.preview(BOX, join(folder, name)));
    };
    expect(await preview('short', 'loss 1.7 \u{1F600}\n')).toEqual({
      ...{ kind: 'text', text: 'loss 1.7 \u{1F600}\n', isUtf8: true, bytes: 14, isCut: false },
    });
    expect(await preview('empty', '')).toMatchObject({ kind: 'text', text: '', bytes: 0 });
    // The bound falls into the middle of a character.
    const long = await preview('long', `x${'é'.repeat(MAX_TEXT_BYTES)}`);
    expect(long).toMatchObject({ kind: 'text', isUtf8: true, isCut: true });
    expect(long.kind === 'text' && long.text).toBe(`x${'é'.repeat((MAX_TEXT_BYTES - 2) / 2)}`);
    expect(await preview('latin', Uint8Array.of(0x61, 0xe9))).toMatchObject({
      ...{ text: 'a\u{FFFD}', isUtf8: false },
    });
    expect(await preview('model.pt', Uint8Array.of(1, 0, 2))).toMatchObject({ kind: 'none' });
    const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
    const picture = await preview('is-no.txt', gif);
    expect(picture).toMatchObject({ kind: 'image', mime: 'image/gif', width: 1 });
    expect(picture.kind === 'image' && Buffer.from(picture.content).equals(gif)).toBe(true);
    const bomb = Buffer.from(gif);
    bomb.writeUInt16LE(60_000, 6);
    bomb.writeUInt16LE(60_000, 8);
    expect(await preview('bomb.gif', bomb)).toMatchObject({
      because: expect.stringMatching(/40 million pixels/),
    });
  });

  it('of more than 4 GiB, with holes in them, have their size, and only their beginning is read', async () => {
    const long = join(folder, 'train.log');
    writeFileSync(long, 'x'.repeat(MAX_TEXT_BYTES));
    truncateSync(long, 5 * 2 ** 30 + 1);
    const { files } = await listed();
    expect(files).toMatchObject([{ name: 'train.log', sizeBytes: 5 * 2 ** 30 + 1 }]);
    expect(value(await browser.preview(BOX, long))).toMatchObject({
      ...{ kind: 'text', bytes: 5 * 2 ** 30 + 1, isCut: true },
    });
  });

  it('that nobody could read to an end are not opened: a FIFO, a device, a folder', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    symlinkSync('/dev/zero', join(folder, 'zero'));
    for (const name of ['pipe', 'zero', '.']) {
      expect(value(await browser.preview(BOX, join(folder, name)))).toEqual({
        ...{ kind: 'none', because: 'It is no plain file.' },
      });
    }
    expect(await browser.preview(BOX, join(folder, 'none'))).toMatchObject({
      error: { code: 'no-such-file' },
    });
  });

  it('are made and renamed in their folder, and replace nothing', async () => {
    value(await browser.makeFolder(BOX, folder, 'runs'));
    writeFileSync(join(folder, 'a'), 'a');
    value(await browser.rename(BOX, join(folder, 'a'), 'b'));
    expect(readdirSync(folder).sort()).toEqual(['b', 'runs']);
    const refused = [
      await browser.makeFolder(BOX, folder, 'runs'),
      await browser.rename(BOX, join(folder, 'b'), 'runs'),
      await browser.rename(BOX, join(folder, 'b'), '../b'),
      await browser.makeFolder(BOX, folder, 'x\ny'),
      await browser.rename(BOX, join(folder, 'none'), 'c'),
    ];
    expect(refused.map((answer) => (answer.ok ? 'ok' : answer.error.code))).toEqual([
      ...['file-exists', 'file-exists', 'file-name-unusable', 'file-name-unusable'],
      'no-such-file',
    ]);
    expect(readFileSync(join(folder, 'b'), 'utf8')).toBe('a');
  });

  it('keep their names where a run has its files there, or is led there by them', async () => {
    const work = join(folder, 'work');
    mkdirSync(join(folder, 'disk/out/inner'), { recursive: true });
    mkdirSync(work);
    symlinkSync('../disk', join(work, 'data'));
    symlinkSync('data/out', join(work, 'out'));
    writeFileSync(join(folder, 'disk/out/a'), 'a');
    runs = { ...runs, runs: [{ ...runWith(join(work, 'out')), place: join(folder, 'run') }] };
    const tried = async (path: string) => {
      const done = await browser.rename(BOX, join(folder, path), 'other');
      return done.ok ? 'renamed' : done.error.code;
    };
    for (const path of ['work', 'work/data', 'work/out', 'disk', 'disk/out', 'work/data/out']) {
      expect([path, await tried(path)]).toEqual([path, 'file-not-renamed']);
    }
    expect(await tried('disk/out/a')).toBe('renamed');
    expect(await tried('disk/out/inner')).toBe('file-exists');
    runs = { ...runs, leftOut: 1 };
    expect(await tried('disk')).toBe('results-unknown');
    runs = { ...runs, runs: [], leftOut: 0 };
    named = [rootOf({ id: 'f-0', folder: join(folder, 'disk') })];
    expect(await tried('disk')).toBe('file-not-renamed');
    named = [];
    expect(await tried('disk')).toBe('renamed');
  });

  it('use one session, and another one after the box ended it', async () => {
    const opened = vi.spyOn(connection as SshConnection, 'openFiles');
    value(await browser.list(BOX, folder));
    value(await browser.follow(BOX, [folder]));
    expect(opened).toHaveBeenCalledTimes(1);
    const files = value(
      await (opened.mock.results[0]?.value as ReturnType<SshConnection['openFiles']>),
    );
    files.close();
    await files.ended;
    value(await browser.list(BOX, folder));
    expect(opened).toHaveBeenCalledTimes(2);
  });
});
