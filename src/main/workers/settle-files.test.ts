import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, linkSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { settleFiles } from './settle-files.ts';

/** How many files were asked for by themselves, and which of them tells of a failure. No disk here fails when it is told to. */
const flushed = vi.hoisted((): { files: number; failing: number | null } => ({
  ...{ files: 0, failing: null },
}));
vi.mock(import('node:fs'), async (original) => {
  const real = await original();
  const fsync = (fd: number, done: (failed: NodeJS.ErrnoException | null) => void): void => {
    const isFile = real.fstatSync(fd).isFile();
    if (isFile) flushed.files += 1;
    if (!isFile || flushed.files - 1 !== flushed.failing) real.fsync(fd, done);
    else done(Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' }));
  };
  return { ...real, fsync: fsync as typeof real.fsync };
});

/** More than any stream here is. */
const MOST = 10_000_000;
const FILES = 200; // more than are flushed at once where each is asked for

let folder: string;
let stream: string;
let to: string;
const files: { path: string; bytes: number; sha256: string }[] = [];

beforeEach(async () => {
  [flushed.files, flushed.failing] = [0, null];
  folder = await mkdtemp(join(tmpdir(), 'leasehold-settle-'));
  const box = join(folder, 'box');
  to = join(folder, 'here');
  stream = join(folder, 'stream');
  files.length = 0;
  await mkdir(join(box, 'logs'), { recursive: true });
  await mkdir(to);
  for (let at = 0; at < FILES; at += 1) {
    const path = at % 2 === 0 ? `part_${String(at)}.jsonl` : `logs/part_${String(at)}.jsonl`;
    const text = `{"step":${String(at)}}\n`.repeat(at);
    writeFileSync(join(box, path), text);
    const sha256 = createHash('sha256').update(text).digest('hex');
    files.push({ path, bytes: text.length, sha256 });
  }
  execFileSync('tar', ['-cf', stream, '-C', box, '.']);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A `sync` that notes what it was asked and what had its name by then, and ends as it is told. */
function standInForSync(end: string): () => readonly string[] {
  const programs = join(folder, 'programs');
  const told = join(folder, 'told');
  execFileSync('mkdir', [programs]);
  const named = `find '${to}' -name '*.jsonl' | wc -l`;
  writeFileSync(
    join(programs, 'sync'),
    [
      '#!/bin/sh',
      `left=$([ ! -e '${stream}' ] || echo ', the stream is there')`,
      `printf '%s, named %s%s\\n' "$*" "$(${named} | tr -d ' ')" "$left" >>'${told}'`,
      `${end}\n`,
    ].join('\n'),
  );
  chmodSync(join(programs, 'sync'), 0o755);
  vi.stubEnv('PATH', [programs, process.env['PATH']].join(delimiter));
  return () => (existsSync(told) ? readFileSync(told, 'utf8').trimEnd().split('\n') : []);
}
afterEach(() => vi.unstubAllEnvs());

function expectAllHere(): void {
  for (const { path, sha256 } of files) {
    expect(
      createHash('sha256')
        .update(readFileSync(join(to, path)))
        .digest('hex'),
    ).toBe(sha256);
  }
  expect(readdirSync(to, { recursive: true })).toHaveLength(FILES + 1);
}

describe('many files that came in one stream', () => {
  it.runIf(process.platform === 'linux')(
    'are on the disk before the first has its name, without the stream: one question for all, and one for each',
    async () => {
      const told = standInForSync('exit 0');
      const settled = await settleFiles({ stream, mostBytes: MOST, to, files });
      expect(new Set(settled.map(({ kind }) => kind))).toEqual(new Set(['proven']));
      expect(told()).toEqual([`-f -- ${to}, named 0`]);
      expect(flushed.files).toBe(FILES);
      expectAllHere();
    },
  );

  it('have no name where one of them tells that its writing failed, whatever the disk has answered', async () => {
    standInForSync('exit 0');
    flushed.failing = FILES - 1;
    await expect(settleFiles({ stream, mostBytes: MOST, to, files })).rejects.toThrow('EIO');
    const there = readdirSync(to, { recursive: true, encoding: 'utf8' });
    expect(there.filter((name) => name.endsWith('.jsonl'))).toEqual([]);
  });

  it('are flushed one by one where the disk cannot be asked for all', async () => {
    standInForSync('exit 1');
    const settled = await settleFiles({ stream, mostBytes: MOST, to, files });
    expect(settled).toHaveLength(FILES);
    expectAllHere();
  });

  it('have no name where their bytes are others, and what stands here stays', async () => {
    const [wrong, taken] = [files[3], files[4]];
    if (wrong === undefined || taken === undefined) throw new Error('too few files');
    files[3] = { ...wrong, sha256: '0'.repeat(64) };
    writeFileSync(join(to, taken.path), 'mine');
    const settled = await settleFiles({ stream, mostBytes: MOST, to, files });
    const others = settled.map(({ kind }, no) => ({ no, kind }));
    expect(others.filter(({ kind }) => kind !== 'proven')).toEqual([
      { no: 3, kind: 'not-settled' },
      { no: 4, kind: 'not-settled' },
    ]);
    expect(existsSync(join(to, wrong.path))).toBe(false);
    expect(readFileSync(join(to, taken.path), 'utf8')).toBe('mine');
  });

  it('have the copy whose hash fits, and only it, where the box sends one twice', async () => {
    const twice = files.slice(2, 4);
    const others = join(folder, 'others');
    await mkdir(join(others, 'logs'), { recursive: true });
    for (const { path, bytes } of twice) writeFileSync(join(others, path), 'x'.repeat(bytes));
    const sent = (names: readonly string[], ...from: readonly string[]): void => {
      const parts = from.flatMap((each) => ['-C', join(folder, each), ...names]);
      execFileSync('tar', ['-cf', stream, ...parts]);
    };
    const names = twice.map(({ path }) => `./${path}`);
    for (const order of [
      ['others', 'box'],
      ['box', 'others'],
      ['others', 'box', 'others'],
    ]) {
      await rm(to, { recursive: true });
      await mkdir(to);
      sent(names, ...order);
      const settled = await settleFiles({ stream, mostBytes: MOST, to, files: twice });
      expect(settled.map(({ kind }) => kind)).toEqual(['proven', 'proven']);
      for (const { path } of twice) {
        expect(readFileSync(join(to, path))).toEqual(readFileSync(join(folder, 'box', path)));
      }
      expect(readdirSync(to, { recursive: true }).sort()).toEqual(
        ['logs', ...twice.map(({ path }) => path)].sort(),
      );
    }
    await rm(to, { recursive: true });
    await mkdir(to);
    sent(names, 'others', 'others');
    const none = await settleFiles({ stream, mostBytes: MOST, to, files: twice });
    expect(none.map(({ kind }) => kind)).toEqual(['not-settled', 'not-settled']);
    expect(readdirSync(to, { recursive: true })).toEqual(['logs']);
  });

  it('are the same where the stream is compressed, and none of them where it would be more than was asked for', async () => {
    execFileSync('gzip', ['-1', stream]);
    const packed = readFileSync(`${stream}.gz`);
    writeFileSync(stream, packed);
    const none = await settleFiles({ stream, mostBytes: 100_000, to, files });
    expect(new Set(none.map(({ kind }) => kind))).toEqual(new Set(['not-settled']));
    for (const broken of [packed.subarray(0, -20), Buffer.from([0x1f, 0x8b])]) {
      writeFileSync(stream, broken);
      const cut = await settleFiles({ stream, mostBytes: MOST, to, files });
      expect(new Set(cut.map(({ kind }) => kind))).toEqual(new Set(['not-settled']));
    }
    writeFileSync(stream, packed);
    const settled = await settleFiles({ stream, mostBytes: MOST, to, files });
    expect(new Set(settled.map(({ kind }) => kind))).toEqual(new Set(['proven']));
    expectAllHere();
  });

  it('are not written into what their parts are called, too, and leave no such name', async () => {
    const [moved, named] = [files[3], files[5]];
    if (moved === undefined || named === undefined) throw new Error('too few files');
    await mkdir(join(to, 'logs'));
    // Killed after it had its name and before the other one was gone; one of them was moved since.
    writeFileSync(join(folder, 'moved'), 'mine');
    linkSync(join(folder, 'moved'), `${join(to, moved.path)}.leasehold-part`);
    const text = `{"step":5}\n`.repeat(5);
    writeFileSync(join(to, named.path), text);
    linkSync(join(to, named.path), `${join(to, named.path)}.leasehold-part`);
    const settled = await settleFiles({ stream, mostBytes: MOST, to, files: [moved] });
    const again = await settleFiles({ stream: null, mostBytes: MOST, to, files: [named] });
    expect([...settled, ...again].map(({ kind }) => kind)).toEqual(['proven', 'proven']);
    expect(readFileSync(join(folder, 'moved'), 'utf8')).toBe('mine');
    expect(readFileSync(join(to, named.path), 'utf8')).toBe(text);
    expect(readdirSync(join(to, 'logs')).sort()).toEqual(['part_3.jsonl', 'part_5.jsonl']);
  });
});
