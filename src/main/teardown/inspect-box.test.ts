import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endPass } from '../../shared/teardown/change-pass.fixture.ts';
import { BOX_SHELLS, onboxScripts, ORDINARY_USER } from '../onbox/onbox-scripts.fixture.ts';
import { readOutside } from '../../shared/teardown/read-outside.ts';
import { shippedProfile } from '../profiles/profiles.fixture.ts';
import { cell, queue, QueueBox } from '../runs/queue/queue-box.fixture.ts';
import { BOX, value } from '../runs/run-box.fixture.ts';
import { hasSshd, startSshd } from '../ssh/sshd.fixture.ts';
import { openConnection, type SshConnection } from '../ssh/ssh-connection.ts';
import { findOutside } from './find-outside.ts';
import { lookOutside, outsideBytes } from './look-outside.ts';
import { findQueues } from './find-queues.ts';

const LARGE = Buffer.alloc(1_200_000);

describe.skipIf(!hasSshd)('what is found on a box besides results', () => {
  let box: QueueBox;
  beforeEach(async () => {
    box = new QueueBox();
    await box.open();
  });
  afterEach(() => box.close());

  function connection(): SshConnection {
    if (box.connection === null) throw new Error('the test hung up');
    return box.connection;
  }

  const queues = async () => {
    const { runs } = value(await box.watch.look(BOX.id));
    const redact = (text: string): string => text;
    return value(await findQueues(connection(), runs, { scripts: onboxScripts, redact }));
  };

  it('tells of a queue that goes on, is paused or was ended, and of none that is done', async () => {
    const done = await box.queue(queue(cell('a', 'true')));
    await box.until(done, 'done');
    expect(await queues()).toEqual([]);
    const gate = box.gate('one');
    const id = await box.queue(queue(cell('first', gate), cell('second', 'true')), {
      name: 'grid',
    });
    await box.until(id, 'running');
    // Who gives up its run has not given up the cells that would come.
    expect(await queues()).toMatchObject([{ id, isPaused: false, cells: ['first', 'second'] }]);
    writeFileSync(box.place(id, 'pause'), '');
    expect(await queues()).toMatchObject([{ id, name: 'grid', isPaused: true }]);
    value(await box.launcher.end(BOX.id, id, endPass(id)));
    await box.until(id, 'ended');
    expect(await queues()).toMatchObject([{ id, cells: ['first', 'second'] }]);
  });

  const outside = async (results: readonly string[] = []) =>
    value(
      await findOutside(connection(), value(await box.watch.look(BOX.id)).runs, results, {
        ...{
          scripts: onboxScripts,
          profile: shippedProfile('generic-ssh'),
          others: { kept: [], unseen: [] },
        },
      }),
    );

  it('counts every file that it walks past, while it does', async () => {
    const many = join(box.home, 'many');
    mkdirSync(many);
    for (let no = 0; no < 300; no += 1) writeFileSync(join(many, String(no)), '');
    writeFileSync(join(many, 'metrics.csv'), '');
    const counts: number[] = [];
    const places = { look: [many], skip: [] };
    const onFiles = (files: number) => counts.push(files);
    const looked = value(await lookOutside(connection(), onboxScripts, places, { onFiles }));
    expect(looked.files.map(({ path }) => path)).toEqual([join(many, 'metrics.csv')]);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    expect(counts.at(-1)).toBe(301);
  });

  it('walks no further for a look that was stopped', async () => {
    const stopper = new AbortController();
    const places = { look: [box.home], skip: [] };
    writeFileSync(join(box.home, 'metrics.csv'), '');
    const looked = await lookOutside(connection(), onboxScripts, places, {
      ...{ signal: stopper.signal, onFiles: () => stopper.abort() },
    });
    expect(looked).toMatchObject({ ok: false, error: { code: 'aborted' } });
  });

  it('tells of large files and of curves outside the results, and in which life of the machine', async () => {
    const at = (path: string): string => join(box.home, path);
    for (const folder of ['work/out', 'old/logs', '.cache/pip', 'env/lib/site-packages', '[x]/*']) {
      mkdirSync(at(folder), { recursive: true });
    }
    for (const file of ['work/out/a.pt', 'old/b.pt', '.cache/pip/c', 'env/lib/site-packages/d']) {
      writeFileSync(at(file), LARGE);
    }
    writeFileSync(at('old/logs/events.out.tfevents.1.h'), 'x');
    writeFileSync(at('old/notes.txt'), 'small');
    writeFileSync(at('[x]/*/e.pt'), LARGE);
    const found = await outside([at('work/out'), at('[x]/*')]);
    expect(found.life).toMatch(/^[0-9a-f-]+\/\d+$/);
    const { files, unread, isCut } = found.outside;
    expect([unread, isCut]).toEqual([null, false]);
    expect(files.map(({ path }) => path).sort()).toEqual([
      at('old/b.pt'),
      at('old/logs/events.out.tfevents.1.h'),
    ]);
    expect(files.find(({ path }) => path === at('old/b.pt'))?.bytes).toBe(LARGE.length);
    appendFileSync(at('old/b.pt'), 'x');
    expect((await outside([at('work/out')])).outside.files.map(({ bytes }) => bytes)).toContain(
      LARGE.length + 1,
    );
  });
});

describe.each(BOX_SHELLS)('files-outside.sh in $name', ({ shell, isInstalled }) => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-home-'));
    chmodSync(home, 0o755);
  });
  afterEach(() => rmSync(home, { recursive: true }));

  async function lookThrough(input: string) {
    const [program, ...words] = [...shell, '-c', await onboxScripts.textOf('files-outside.sh')];
    const { stdout } = spawnSync(program ?? '', words, {
      ...{ encoding: 'utf8', input, ...ORDINARY_USER },
      env: {
        ...{ PATH: process.env['PATH'], HOME: home },
        ...{ LEASEHOLD_MARK: 'M', LEASEHOLD_MOST: '10000', LEASEHOLD_LIMIT_S: '60' },
      },
    });
    return readOutside(stdout, 'M', []);
  }

  it.skipIf(!isInstalled)('tells any name, and what was sent beside what was not', async () => {
    const hostile = join(home, 'a\nb [*]');
    mkdirSync(hostile);
    for (const name of ['metrics.jsonl', 'run-a.wandb', 'run-a.wandb.synced']) {
      writeFileSync(join(hostile, name), '{}');
    }
    const found = await lookThrough('look ~\nlook /none\n');
    expect(found).toMatchObject({
      ...{ sent: [join(hostile, 'run-a.wandb.synced')], isCut: false, unread: null },
    });
    expect(found?.files.map(({ path }) => path).sort()).toEqual(
      ['metrics.jsonl', 'run-a.wandb'].map((name) => join(hostile, name)),
    );
  });

  it.skipIf(!isInstalled)('says that a folder may lie behind one that is closed', async () => {
    const closed = join(home, 'closed');
    mkdirSync(join(closed, 'storage'), { recursive: true });
    chmodSync(closed, 0);
    expect(await lookThrough(`look ${closed}/storage\n`)).toMatchObject({
      unread: expect.stringMatching(/closed/) as string,
    });
    expect(await lookThrough(`look ${home}/none/storage\n`)).toMatchObject({ unread: null });
    chmodSync(closed, 0o700);
  });
});

describe('the bytes that files-outside.sh prints', () => {
  async function read(...pieces: readonly string[]) {
    const { text, isCut } = value(await outsideBytes(Readable.from(pieces.map(Buffer.from))));
    return { isCut, text, look: readOutside(text, 'M', []) };
  }

  it('are read without the ends of small files, wherever they are cut', async () => {
    const told = 'M life b/1\nM files\n\0\x001 2 /a\0\0\x003 4 /b\0\0\nM end\n\nM whole\n';
    const many = '\0'.repeat(2_000_000);
    for (const pieces of [[told], told.split(''), [told.replace('/a\0', `/a\0${many}`)]]) {
      const { isCut, text, look } = await read(...pieces);
      expect(text.length).toBeLessThan(100);
      expect([isCut, look?.isCut, look?.files.map(({ path }) => path)]).toEqual([
        ...[false, false, ['/a', '/b']],
      ]);
    }
  });

  it('are cut where there are too many, and their end is read all the same', async () => {
    const files = Array.from({ length: 100_000 }, (_, no) => `1 2 /f${String(no)}\0`);
    const whole = ['M files\n', ...files, '\nM partly\n', '\nM end\n', '\nM whole\n'];
    const { isCut, text, look } = await read(...(whole.join('').match(/[^]{1,65536}/g) ?? []));
    expect(isCut).toBe(true);
    expect(text.length).toBeLessThan(620_000);
    expect(look).toMatchObject({ unread: expect.stringMatching(/closed/) as string });
    expect(look?.files[0]?.path).toBe('/f0');
  });
});

describe.skipIf(!hasSshd)('a box that puts a terminal around commands', () => {
  it('tells of what lies besides the results, too', async () => {
    const sshd = await startSshd({
      configLines: ['ForceCommand exec script -qec "$SSH_ORIGINAL_COMMAND" /dev/null'],
    });
    const folder = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-outside-'));
    writeFileSync(join(folder, 'metrics.csv'), '');
    const opened = value(
      await openConnection({
        address: { host: '127.0.0.1', port: sshd.port, user: sshd.user },
        credentials: [{ kind: 'key', privateKey: sshd.privateKey }],
        judgeHostKey: () => 'accept',
        signal: new AbortController().signal,
      }),
    );
    try {
      const places = { look: [folder], skip: [] };
      const look = value(await lookOutside(opened, onboxScripts, places));
      expect(look.files.map(({ path }) => path)).toEqual([join(folder, 'metrics.csv')]);
      expect([look.isCut, look.unread]).toEqual([false, null]);
    } finally {
      opened.close();
      await sshd.stop();
      rmSync(folder, { recursive: true });
    }
  });
});

describe('what files-outside.sh prints', () => {
  const wrap = (body: string, end = '\nM end\n\nM whole\n'): string =>
    `motd\nM life b/1\nM files\n${body}${end}`;

  it('is nothing at all unless it is whole', () => {
    expect(readOutside(wrap('1 2 /a\0', ''), 'M', [])).toBeNull();
    expect(readOutside('M whole\n', 'M', [])).toBeNull();
  });

  it('says that it is cut, late or closed, and never takes that for all', () => {
    const read = (body: string) => readOutside(wrap(body), 'M', []);
    expect(read('1 2 /a\0')).toEqual({
      ...{ life: 'b/1', isCut: false, unread: null, sent: [] },
      files: [{ path: '/a', bytes: 1, modifiedAtMs: 2000 }],
    });
    for (const cut of ['1 2 /a\x003 4 /half', '1 2 /a\0', '']) {
      expect(readOutside(wrap(cut, '\nM whole\n'), 'M', [])).toMatchObject({ isCut: true });
    }
    expect(read('1 2 /a\0\nM late\n')).toMatchObject({ isCut: false, unread: /long/ });
    expect(read('\nM partly\n')?.unread).toMatch(/closed/);
    expect(read('\0\0\x001 2 /a\0\0\x003 4 /b\0\0')).toMatchObject({
      ...{ isCut: false, unread: null, files: [{ path: '/a' }, { path: '/b' }] },
    });
    expect(read('? ? /a\0')?.unread).toMatch(/cannot be read/);
  });

  it('leaves out what is told of as a result, and forges no end by a name', () => {
    const found = readOutside(wrap('1 2 /out/a\x001 2 /o/\nM whole\n\x001 2 /z\0'), 'M', ['/out']);
    expect(found?.files.map(({ path }) => path)).toEqual(['/o/\nM whole\n', '/z']);
  });
});
