import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  armSentinel,
  EMPTY_BOOK,
  takeSentinelLook,
  type SentinelBook,
} from '../../shared/sentinels/sentinel-book.ts';
import { readSentinels } from '../../shared/sentinels/sentinel-look.ts';
import { questionOf } from '../../shared/sentinels/sentinel-question.ts';
import type { Awaited, OverSentinel, Sentinel } from '../../shared/sentinels/sentinel.ts';
import { BOX_SHELLS, runOnboxScript } from '../onbox/onbox-scripts.fixture.ts';

const isLinux = process.platform === 'linux';
const BOOT = '11111111-1111-4111-8111-111111111111';

describe.each(BOX_SHELLS)('sentinel.sh under $name', ({ name: shellName, shell, isInstalled }) => {
  let root: string;
  let work: string;
  let book: SentinelBook;
  let env: Record<string, string>;
  let children: ChildProcess[];
  let asked: number;

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'leasehold-sentinel-')));
    work = join(root, 'work');
    for (const folder of ['bin', 'proc/sys/kernel/random', 'work']) {
      mkdirSync(join(root, folder), { recursive: true });
    }
    symlinkSync(`/proc/${String(process.pid)}`, join(root, 'proc', '1')); // a table without any process is not believed
    boots(BOOT);
    book = EMPTY_BOOK;
    env = {};
    children = [];
    asked = 0;
  });
  afterEach(async () => {
    for (const child of children) {
      if (child.exitCode === null && child.signalCode === null) await end(child);
    }
    rmSync(root, { recursive: true, force: true });
  });

  const boots = (id: string): void =>
    writeFileSync(join(root, 'proc/sys/kernel/random/boot_id'), `${id}\n`);

  async function end(child: ChildProcess): Promise<void> {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  function tool(name: string, script: string): void {
    writeFileSync(join(root, 'bin', name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(root, 'bin', name), 0o755);
  }

  function arm(awaited: Awaited): void {
    asked += 1;
    const id = `00000000-0000-4000-8000-${String(asked).padStart(12, '0')}`;
    const armed = armSentinel(book, { id, awaited, atMs: Date.now(), untilMs: Date.now() + 1e9 });
    if (armed === null) throw new Error('too many');
    book = armed;
  }

  function answer(sentinels: readonly Sentinel[]): Promise<string> {
    return runOnboxScript(shell, 'sentinel.sh', {
      PATH: `${join(root, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`,
      LEASEHOLD_MARK: 'nonce',
      LEASEHOLD_SENTINELS: questionOf(sentinels),
      LEASEHOLD_PROC_ROOT: join(root, 'proc'),
      LEASEHOLD_LIMIT_S: '60',
      ...env,
    });
  }

  /** What a look tells that the looks before did not. */
  async function look(): Promise<readonly OverSentinel[]> {
    const before = new Set(book.over);
    const stdout = await answer(book.armed);
    const clock = { askedAtMs: Date.now(), answeredAtMs: Date.now() };
    const seen = readSentinels(stdout, 'nonce', book.armed.length, clock);
    expect(seen.isWhole).toBe(true);
    book = takeSentinelLook(book, book.armed, seen, (text) => text.replaceAll('hunter2', '***'));
    return book.over.filter((each) => !before.has(each));
  }

  const only = (): Sentinel => {
    const [sentinel, ...others] = book.armed;
    if (sentinel === undefined || others.length > 0) throw new Error('not one');
    return sentinel;
  };

  it.skipIf(!isInstalled || !isLinux)(
    'tells a file that appears or is another one, and no file that was there before',
    async () => {
      const [marker, there, odd] = ['DONE', 'there', ' a\\n b*"$(x) \u202e'].map((name) =>
        join(work, name),
      ) as [string, string, string];
      writeFileSync(there, 'as it was');
      for (const path of [marker, there, odd]) arm({ kind: 'file', path });
      expect(await look()).toEqual([]);
      expect(book.armed.map(({ seen }) => seen?.isThere)).toEqual([false, true, false]);
      expect(await look()).toEqual([]);
      writeFileSync(marker, '');
      writeFileSync(odd, '');
      appendFileSync(there, '!');
      const ends = await look();
      expect(ends.map(({ end }) => end)).toEqual(['happened', 'happened', 'happened']);
      expect(ends.map(({ before }) => before?.isThere)).toEqual([false, true, false]);
      expect(book.armed).toEqual([]);
      expect(await look()).toEqual([]);
    },
  );

  it.skipIf(!isInstalled || !isLinux)(
    'says why it cannot tell, and takes a folder that is closed for no missing file',
    async () => {
      tool('stat', "echo \"stat: can't stat '$4': Permission denied\" >&2; exit 1");
      arm({ kind: 'file', path: join(work, 'No such file or directory') });
      expect(await look()).toEqual([]);
      expect(only()).toMatchObject({
        base: null,
        seen: null,
        unread: { because: 'Permission denied' },
      });
    },
  );

  it.skipIf(!isLinux)(
    'answers in time where a server does not, and asks no more after two such questions',
    async (context) => {
      context.skip(shellName !== 'sh', 'some seconds that do not depend on the shell');
      env['LEASEHOLD_LIMIT_S'] = '3';
      tool('stat', `echo x >>'${join(root, 'asked')}'; exec sleep 600`);
      for (const name of ['a', 'b', 'c', 'd']) arm({ kind: 'file', path: `/far/${name}` });
      expect(await look()).toEqual([]);
      expect(book.armed.map(({ unread }) => unread?.because)).toEqual(
        Array.from({ length: 4 }, () => 'it did not answer in time'),
      );
      expect(statSync(join(root, 'asked')).size).toBe(4); // two questions, two bytes each
    },
  );

  it.skipIf(!isInstalled || !isLinux)(
    'tells a line that is written from now on, once, and none that was there before',
    async () => {
      const log = join(work, 'a log $(x)');
      writeFileSync(log, 'val accuracy 0.9 [best]\nepoch 1\nnonce end s-0 0\n');
      arm({ kind: 'line', path: log, text: 'accuracy 0.9 [best]' });
      expect(await look()).toEqual([]);
      appendFileSync(log, 'epoch 2\rval accuracy 0x9 best\nval accur');
      expect(await look()).toEqual([]);
      // The text stands on both sides of what was read before.
      appendFileSync(log, 'acy 0.9 [best] token=hunter2\u0007\n');
      const [found] = await look();
      expect(found).toMatchObject({ end: 'happened', gap: null });
      expect(found?.line).toBe('val accuracy 0.9 [best] token=***?');
      appendFileSync(log, 'val accuracy 0.9 [best]\n');
      expect(await look()).toEqual([]);
    },
  );

  it.skipIf(!isInstalled || !isLinux)(
    'reads a log that grows by more than a look takes in parts, and misses no line of it',
    async () => {
      env['LEASEHOLD_READ_BYTES'] = '70000';
      const log = join(work, 'log');
      writeFileSync(log, `${'old words '.repeat(3)}\n`);
      arm({ kind: 'line', path: log, text: 'NaN in loss' });
      await look();
      // On both sides of the end of the first part.
      appendFileSync(log, `${'x'.repeat(70_000 - 5)}NaN in loss\n${'y'.repeat(200_000)}`);
      expect(await look()).toEqual([]);
      expect(only().seen?.unreadBytes).toBeGreaterThan(190_000);
      const [found] = await look();
      expect(found?.line).toMatch(/NaN in loss$/);
    },
  );

  it.skipIf(!isInstalled || !isLinux)(
    'follows a log that is moved away, to its end, and then the new one',
    async () => {
      const log = join(work, 'log');
      writeFileSync(log, 'one\n');
      arm({ kind: 'line', path: log, text: 'early stop' });
      arm({ kind: 'line', path: log, text: 'all done' });
      await look();
      appendFileSync(log, 'early stop\n');
      renameSync(log, `${log}.1`);
      expect(await look()).toMatchObject([{ line: 'early stop' }]);
      writeFileSync(log, 'all done\n');
      expect(await look()).toEqual([]);
      expect(only().seen?.unreadBytes).toBe(9);
      expect(await look()).toMatchObject([{ line: 'all done', gap: null }]);
    },
  );

  it.skipIf(!isInstalled || !isLinux)(
    'reads a log on a file system that gives it another number at each look',
    async () => {
      const stat = spawnSync('sh', ['-c', 'command -v stat'], { encoding: 'utf8' }).stdout.trim();
      tool(
        'stat',
        `echo . >>'${root}/n'; ${stat} "$@" | sed "s/ [0-9]* reg/ 1844674407370955$(wc -l <'${root}/n') reg/"`,
      );
      const log = join(work, 'log');
      writeFileSync(log, '');
      arm({ kind: 'line', path: log, text: 'found' });
      await look();
      await look();
      expect(only().gap).toBeNull();
      appendFileSync(log, 'lost\n');
      await look();
      appendFileSync(log, 'found\n');
      expect(await look()).toMatchObject([{ line: 'found' }]);
    },
  );

  it.skipIf(!isInstalled || !isLinux)(
    'says what it cannot rule out where a log was emptied or replaced, and reads the new one from its beginning',
    async () => {
      const log = join(work, 'log');
      writeFileSync(log, 'the line\nmore\n');
      arm({ kind: 'line', path: log, text: 'the line' });
      await look();
      // Emptied and longer than before by the next look: only what stands before the offset tells.
      truncateSync(log, 0);
      appendFileSync(log, 'something else altogether\n');
      expect(await look()).toEqual([]);
      expect(only().gap).toMatchObject({ fromMs: expect.any(Number) as number });
      appendFileSync(log, 'the line\n');
      expect(await look()).toMatchObject([
        { line: 'the line', gap: { toMs: expect.any(Number) as number } },
      ]);

      arm({ kind: 'line', path: log, text: 'again' });
      await look();
      rmSync(log);
      expect(await look()).toEqual([]);
      expect(only()).toMatchObject({ gap: null, seen: { isThere: false } });
      writeFileSync(log, 'again\n');
      await look();
      await look();
      expect(book.over[0]).toMatchObject({ line: 'again', end: 'happened' });
      expect(book.over[0]?.gap).not.toBeNull();
    },
  );

  it.skipIf(!isInstalled || !isLinux)(
    'never takes what could not be read for what is not there',
    async () => {
      const log = join(work, 'log');
      writeFileSync(log, 'secret of before\n');
      arm({ kind: 'line', path: log, text: 'secret of before' });
      await look();
      appendFileSync(log, 'new\n');
      const { base } = only();
      for (const [name, because] of [
        ['dd', 'it could not be read'],
        ['awk', 'it could not be read to its end'],
      ] as const) {
        tool(name, 'exit 1');
        expect(await look()).toEqual([]);
        expect(only()).toMatchObject({ gap: null, base, unread: { because } });
        rmSync(join(root, 'bin', name));
      }
      expect(await look()).toEqual([]);
      expect(only()).toMatchObject({ gap: null, unread: null, seen: { unreadBytes: 0 } });
    },
  );

  it.skipIf(!isInstalled || !isLinux)(
    'tells a process that is gone or not collected, and not another one with its number',
    async () => {
      const child = spawn('sleep', ['600'], { stdio: 'ignore' });
      children.push(child);
      const pid = Number(child.pid);
      symlinkSync(`/proc/${String(pid)}`, join(root, 'proc', String(pid)));
      arm({ kind: 'process', bootId: null, pid, startTicks: null, name: '' });
      arm({ kind: 'process', bootId: null, pid, startTicks: 12, name: 'an earlier one' });
      arm({ kind: 'process', bootId: null, pid: 2_000_000_000, startTicks: null, name: '' });
      const first = await look();
      expect(first.map(({ end, because }) => [end, because])).toEqual([
        ['already', 'There is no process with this number.'],
        ['happened', 'Its number belongs to another process now.'],
      ]);
      expect(only().awaited).toMatchObject({ name: 'sleep 600' });
      await end(child);
      expect(await look()).toMatchObject([{ end: 'happened', because: '' }]);

      arm({ kind: 'process', bootId: null, pid, startTicks: 5, name: 'x' });
      rmSync(join(root, 'proc', '1'));
      rmSync(join(root, 'proc', String(pid)), { force: true });
      expect(await look()).toEqual([]);
      expect(only().unread?.because).toBe('the box does not tell of this process');
      symlinkSync(`/proc/${String(process.pid)}`, join(root, 'proc', '1'));
      mkdirSync(join(root, 'proc', String(pid)));
      const rest = Array.from({ length: 17 }, () => '0').join(' ');
      writeFileSync(
        join(root, 'proc', String(pid), 'stat'),
        `${String(pid)} (a) b) Z 1 ${rest} 5 0 0\n`,
      );
      expect(await look()).toMatchObject([
        { end: 'happened', because: 'Its parent has not asked yet how it ended.' },
      ]);
    },
  );

  it.skipIf(!isInstalled || !isLinux)(
    'takes no process for a run that was seen in an earlier life of the machine, though number and start are the same',
    async () => {
      const child = spawn('sleep', ['600'], { stdio: 'ignore' });
      children.push(child);
      const pid = Number(child.pid);
      symlinkSync(`/proc/${String(pid)}`, join(root, 'proc', String(pid)));
      arm({ kind: 'process', bootId: null, pid, startTicks: null, name: '' });
      await look();
      const { base } = only();
      const startTicks = base?.kind === 'process' ? base.startTicks : Number.NaN;
      book = EMPTY_BOOK;
      arm({ kind: 'process', bootId: BOOT, pid, startTicks, name: 'run' });
      arm({ kind: 'process', bootId: null, pid, startTicks, name: 'the same' });
      expect(only().awaited).toMatchObject({ name: 'the same' });
      arm({ kind: 'process', bootId: BOOT.replaceAll('1', '2'), pid, startTicks, name: 'run' });
      arm({ kind: 'process', bootId: BOOT, pid, startTicks, name: 'run' });
      expect(await look()).toMatchObject([
        { end: 'happened', because: 'Its number belongs to another process now.' },
      ]);
      expect(only().awaited).toMatchObject({ bootId: BOOT });
    },
  );

  it.skipIf(!isInstalled || !isLinux)(
    'counts files by the end of their names, and tells a newer one',
    async () => {
      const out = join(work, 'out put');
      mkdirSync(join(out, 'deep'), { recursive: true });
      mkdirSync(join(out, 'x\n9999 1 1 '));
      const put = (name: string, atS: number): void => {
        writeFileSync(join(out, name), '');
        utimesSync(join(out, name), atS, atS);
      };
      put('a[1].pt', 1000);
      put('b.txt', 9000);
      put('x\n9999 1 1 /forged.pt', 900); // as a line of its own: the newest file
      arm({ kind: 'count', folder: out, ending: '[1].pt', atLeast: 2 });
      arm({ kind: 'count', folder: out, ending: '', atLeast: 2 });
      arm({ kind: 'newest', folder: out, ending: '.pt' });
      arm({ kind: 'newest', folder: join(work, 'later'), ending: '.pt' });
      expect(await look()).toMatchObject([{ end: 'already', seen: { files: 3 } }]);
      expect(await look()).toEqual([]);
      put('deep/b[1].pt', 2000);
      mkdirSync(join(work, 'later'));
      writeFileSync(join(work, 'later', 'first.pt'), '');
      const ends = await look();
      expect(ends.map(({ end, seen }) => [end, seen?.files, seen?.path])).toEqual([
        ['happened', 1, join(work, 'later', 'first.pt')],
        ['happened', 2, join(out, 'deep/b[1].pt')],
        ['happened', 2, null],
      ]);
    },
  );

  it.skipIf(!isInstalled || !isLinux)(
    'tells a reboot: of a run that it ended, of the others that they still wait',
    async () => {
      arm({ kind: 'process', bootId: null, pid: 1, startTicks: null, name: 'run' });
      arm({ kind: 'file', path: join(work, 'DONE') });
      await look();
      expect(book.untold).toEqual([]);
      boots(BOOT.replaceAll('1', '2'));
      expect(await look()).toMatchObject([
        { end: 'happened', because: 'The box was rebooted meanwhile.' },
      ]);
      expect(only().restarted).toMatchObject({ how: 'reboot' });
      expect(book.untold).toHaveLength(2);
      book = { ...book, untold: [] };
      expect(await look()).toEqual([]);
      expect(book.untold).toEqual([]);
    },
  );

  it.skipIf(!isInstalled || !isLinux)('writes nothing and leaves nothing behind', async () => {
    const log = join(work, 'log');
    writeFileSync(log, 'line\n');
    const home = join(root, 'home');
    mkdirSync(home);
    env = { HOME: home, TMPDIR: home };
    arm({ kind: 'line', path: log, text: 'never' });
    arm({ kind: 'newest', folder: work, ending: '' });
    arm({ kind: 'file', path: join(work, 'never') });
    const inUse = (): readonly string[] =>
      [work, env['HOME'] ?? ''].flatMap((each) => readdirSync(each));
    const before = inUse();
    const stamp = statSync(work).mtimeMs;
    await look();
    await look();
    expect(inUse()).toEqual(before);
    expect(statSync(work).mtimeMs).toBe(stamp);
  });
});
