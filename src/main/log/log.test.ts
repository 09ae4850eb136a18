import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../shared/problem.ts';
import {
  makeReadOnly,
  runAndKill,
  runFixture,
  whyNoReadOnly,
  whyNoSmallDisk,
  withFolder,
  withSmallDisk,
} from '../storage/disk.fixture.ts';
import { createLog, type LogOptions, type RootLog } from './log.ts';

const FIXTURE = new URL('./log.fixture.ts', import.meta.url);
const AT_MS = Date.parse('2025-11-21T03:15:00.000Z');

function open(folder: string, more: Partial<LogOptions> = {}): RootLog {
  return createLog({
    folder,
    level: 'debug',
    now: () => AT_MS,
    onWriteFailure: ({ message }) => {
      throw new Error(message);
    },
    ...more,
  });
}

function linesOf(folder: string, file = 'leasehold.log'): readonly string[] {
  const text = readFileSync(join(folder, file), 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  return text.slice(0, -1).split('\n');
}

describe('createLog', () => {
  it('writes one line per entry, with the names of the parts', () =>
    withFolder((parent) => {
      const folder = join(parent, 'deep', 'logs');
      const log = open(folder);
      log.info('started', { version: '0.1.0' });
      log.child('fleet').child('train-a').warn('link went down', { code: 'link-lost' });
      expect(linesOf(folder)).toEqual([
        '2025-11-21T03:15:00.000Z INFO  app: started {"version":"0.1.0"}',
        '2025-11-21T03:15:00.000Z WARN  app/fleet/train-a: link went down {"code":"link-lost"}',
      ]);
      expect(log.file).toBe(join(folder, 'leasehold.log'));
      if (process.platform !== 'win32') {
        expect(statSync(log.file).mode & 0o777).toBe(0o600);
        expect(statSync(folder).mode & 0o777).toBe(0o700);
      }
    }));

  it('leaves out what is below its level', () =>
    withFolder((folder) => {
      const log = open(folder, { level: 'warn' });
      for (const level of ['debug', 'info', 'warn', 'error', 'fatal'] as const) log[level](level);
      expect(linesOf(folder).map((line) => line.split(': ')[1])).toEqual([
        'warn',
        'error',
        'fatal',
      ]);
    }));

  it('keeps secrets out of message, scope and fields, and registered ones from then on', () =>
    withFolder((folder) => {
      const log = open(folder);
      log.redactor.register('s3cr3t-value');
      log.child('s3cr3t-value').error('got s3cr3t-value and HF_TOKEN=abc', {
        'x s3cr3t-value': 1,
        env: { WANDB_API_KEY: 'abc' },
        cause: new Error('with s3cr3t-value', { cause: 's3cr3t-value' }),
      });
      expect(readFileSync(log.file, 'utf8')).not.toMatch(/s3cr3t|abc/);
      expect(linesOf(folder)).toHaveLength(1);
    }));

  it('lets no box forge a line or move a cursor', () =>
    withFolder((folder) => {
      const forged = 'x\n2025-11-21T03:15:00.000Z INFO  app: all is well\r\u001b[2J\u009b1A\u2028';
      const log = open(folder);
      log.child(forged).info(forged, { [forged]: forged });
      const [line, ...others] = linesOf(folder);
      expect(others).toEqual([]);
      expect(line).not.toMatch(/[\p{Cc}\u2028]/u);
    }));

  it('starts a new file when one is full and keeps a bounded number, the newest entries first', () =>
    withFolder((folder) => {
      const log = open(folder, { maxBytes: 1000, maxFiles: 3 });
      for (let n = 0; n < 200; n += 1) log.info('entry', { n });
      expect(readdirSync(folder).sort()).toEqual([
        'leasehold.1.log',
        'leasehold.2.log',
        'leasehold.log',
      ]);
      const all = ['leasehold.2.log', 'leasehold.1.log', 'leasehold.log'].flatMap((name) => {
        expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(1000);
        return linesOf(folder, name).map((line) => Number(/"n":(\d+)/.exec(line)?.[1]));
      });
      expect(all.at(-1)).toBe(199);
      expect(all).toEqual(Array.from({ length: all.length }, (_none, n) => 200 - all.length + n));
      expect(all.length).toBeGreaterThan(30);
    }));

  it('goes on after the person removed the file or the whole folder', () =>
    withFolder((parent) => {
      const folder = join(parent, 'logs');
      const log = open(folder);
      log.info('one');
      rmSync(folder, { recursive: true });
      log.info('two');
      expect(linesOf(folder)).toEqual(['2025-11-21T03:15:00.000Z INFO  app: two']);
    }));

  it('does not glue its first line to what a full disk cut off last time', () =>
    withFolder((folder) => {
      writeFileSync(join(folder, 'leasehold.log'), '2025-11-20T00:00:00.000Z INFO  app: cut of');
      open(folder).info('new');
      expect(linesOf(folder)).toEqual([
        '2025-11-20T00:00:00.000Z INFO  app: cut of',
        '2025-11-21T03:15:00.000Z INFO  app: new',
      ]);
    }));

  it('shares a file with another writer', () =>
    withFolder((folder) => {
      const [a, b] = [open(folder), open(folder)];
      a.info('from a');
      b.info('from b');
      appendFileSync(a.file, 'by hand\n');
      a.info('from a again');
      expect(linesOf(folder)).toHaveLength(4);
    }));
});

describe('a log that cannot be written', () => {
  it('tells it once, later, and never throws', async () =>
    withFolder(async (folder) => {
      mkdirSync(join(folder, 'leasehold.log'));
      const told: Problem[] = [];
      const log = open(folder, { onWriteFailure: (found) => told.push(found) });
      for (let n = 0; n < 5; n += 1) log.error('lost', { n });
      expect(told).toEqual([]);
      await new Promise((resolve) => setImmediate(resolve));
      expect(told).toHaveLength(1);
      expect(told[0]?.message).toContain(join(folder, 'leasehold.log'));
    }));

  it('says how many entries are missing when it works again', () =>
    withFolder((folder) => {
      mkdirSync(join(folder, 'leasehold.log'));
      const log = open(folder, { onWriteFailure: () => undefined });
      log.info('lost');
      log.info('lost');
      rmSync(join(folder, 'leasehold.log'), { recursive: true });
      log.info('written');
      log.info('and on');
      expect(linesOf(folder).map((line) => line.slice(25))).toEqual([
        'WARN  log: 2 entries before this one could not be written',
        'INFO  app: written',
        'INFO  app: and on',
      ]);
    }));

  it('survives a full disk and leaves whole lines', async ({ skip }) => {
    skip(whyNoSmallDisk !== null, whyNoSmallDisk ?? '');
    await withSmallDisk(128, async ({ folder, fill, free }) => {
      const told: Problem[] = [];
      const log = open(folder, { onWriteFailure: (found) => told.push(found) });
      log.info('before');
      fill(4096);
      for (let n = 0; n < 200; n += 1) log.info('filling', { n, text: 'x'.repeat(50) });
      await new Promise((resolve) => setImmediate(resolve));
      expect(told.map(({ code }) => code)).toEqual(['disk-full']);
      free();
      log.info('after');
      const lines = linesOf(folder);
      expect(lines[0]).toContain('before');
      expect(lines.at(-1)).toContain('after');
      expect(lines.at(-2)).toMatch(/log: \d+ entries before this one could not be written$/);
      const torn = lines.filter(
        (line) => !/^2025-11-21T03:15:00.000Z \w+ +\w+: .*(\}|fore|after|written)$/.test(line),
      );
      expect(torn.length).toBeLessThanOrEqual(1);
    });
  });

  it('survives a read-only folder', ({ skip }) => {
    skip(whyNoReadOnly !== null, whyNoReadOnly ?? '');
    return withFolder(async (folder) => {
      writeFileSync(join(folder, 'leasehold.log'), 'old\n');
      makeReadOnly(folder, ['leasehold.log']);
      const { lines, stderr } = await runFixture(FIXTURE, ['try', folder]);
      expect(JSON.parse(lines[0] ?? stderr)).toMatchObject([{ code: 'folder-read-only' }]);
      expect(readFileSync(join(folder, 'leasehold.log'), 'utf8')).toBe('old\n');
    });
  });
});

describe('a process that ends', () => {
  it.each([1, 40, 500])('by kill -9 after %d entries loses none that was told', (after) =>
    withFolder(async (folder) => {
      const told = await runAndKill(FIXTURE, ['write', folder], after);
      // The newest file may be empty: killed right after the older ones had moved on.
      const oldestFirst = [4, 3, 2, 1, 0].map((n) =>
        join(folder, n === 0 ? 'leasehold.log' : `leasehold.${n}.log`),
      );
      const text = oldestFirst.map((file) => (existsSync(file) ? readFileSync(file, 'utf8') : ''));
      const lines = text.join('').trimEnd().split('\n');
      expect(text.join('')).toContain(`{"n":${told.at(-1)}}\n`);
      expect(lines.filter((line) => !/ app: entry of kind \d+ \{"n":\d+\}$/.test(line))).toEqual(
        [],
      );
    }),
  );

  it('right after a fatal entry leaves it in the file', () =>
    withFolder(async (folder) => {
      const { signal } = await runFixture(FIXTURE, ['fatal', folder]);
      expect(signal).toBe('SIGKILL');
      expect(linesOf(folder)).toHaveLength(1);
      expect(linesOf(folder)[0]).toMatch(/FATAL app: the end .*"message":"why"/);
    }));
});
