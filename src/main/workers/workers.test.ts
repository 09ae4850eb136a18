import { createHash, randomBytes } from 'node:crypto';
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { problem } from '../../shared/problem.ts';
import type { SweepRoster } from '../../shared/runs/sweep/sweep-roster.ts';
import { checkSweepIn } from '../runs/sweep/read-sweep.ts';
import { digestOf } from '../runs/sweep/roster-digest.ts';
import { sourceWorker } from './source-worker.fixture.ts';
import { Workers, type WorkerHost } from './workers.ts';

const MIB = 1024 * 1024;

let folder: string;
let hosts: { readonly host: WorkerHost; isGone: boolean }[];
let workers: Workers;
beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-workers-'));
  hosts = [];
  workers = new Workers(() => {
    const host = sourceWorker();
    const made = { host, isGone: false };
    host.onExit(() => (made.isGone = true));
    hosts.push(made);
    return host;
  });
});
afterEach(async () => {
  workers.close();
  await vi.waitFor(() => expect(hosts.every(({ isGone }) => isGone)).toBe(true));
  rmSync(folder, { recursive: true, force: true });
});

function file(name: string, bytes: Buffer): { readonly path: string; readonly sha256: string } {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return { path, sha256: createHash('sha256').update(bytes).digest('hex') };
}
const endless = { path: '/dev/zero', name: null };

it('follows files that grow, and meanwhile does as much else as before', async () => {
  const bytes = randomBytes(3 * MIB);
  const text = Buffer.from(JSON.stringify({ lr: bytes.toString('hex') }));
  const grown = file('grown.json', text.subarray(0, 1000));
  const followed = { path: grown.path, name: 'grown.json', bytes: text.length };
  const stopper = new AbortController();
  const running = workers.run('prove-growing', followed);
  const other = workers.run('prove-growing', followed, { signal: stopper.signal });
  // A third would want a worker for as long as a network takes.
  expect(await workers.run('prove-growing', followed)).toMatchObject({
    error: { code: 'worker-busy' },
  });
  const whole = file('whole', bytes);
  const asked = { path: whole.path, name: null };
  const [first, second] = await Promise.all([
    workers.run('prove-file', asked),
    workers.run('prove-file', asked),
  ]);
  for (const answer of [first, second])
    expect(answer).toMatchObject({ ok: true, value: { sha256: whole.sha256 } });
  stopper.abort();
  expect(await other).toMatchObject({ error: { code: 'aborted' } });
  for (let at = 1000; at < text.length; at += MIB)
    appendFileSync(grown.path, text.subarray(at, at + MIB));
  expect(await running).toMatchObject({
    ok: true,
    value: {
      sha256: createHash('sha256').update(text).digest('hex'),
      sizeBytes: text.length,
      loaded: { kind: 'loaded', format: 'json' },
    },
  });
});

it('does not vouch for a file that grew past what was to come', async () => {
  const { path } = file('too-long', randomBytes(MIB + 1));
  const answer = await workers.run('prove-growing', { path, name: 'too-long', bytes: MIB });
  expect(answer).toMatchObject({ ok: false, error: { code: 'job-failed' } });
});

it('hashes files, with progress, in at most two workers that are used again', async () => {
  const files = Array.from({ length: 6 }, (_, i) => file(String(i), randomBytes(i * MIB + i)));
  const answers = await Promise.all(
    files.map(({ path }) => workers.run('prove-file', { path, name: null })),
  );
  expect(answers).toEqual(
    files.map(({ path, sha256 }, i) => ({
      ok: true,
      value: {
        ...{ sha256, sizeBytes: i * MIB + i, loaded: null },
        writtenNs: String(statSync(path, { bigint: true }).mtimeNs),
      },
    })),
  );
  expect(hosts).toHaveLength(2);
  const progress: number[] = [];
  const { path } = file('large', Buffer.alloc(33 * MIB));
  await workers.run(
    'prove-file',
    { path, name: null },
    { onProgress: (bytes) => progress.push(bytes) },
  );
  expect(progress).toEqual([16 * MIB, 32 * MIB]);
  expect(hosts).toHaveLength(2);
});

it('names a file that cannot be read, and goes on', async () => {
  const path = join(folder, 'none');
  expect(await workers.run('prove-file', { path, name: null })).toMatchObject({
    error: { code: 'job-failed', detail: expect.stringContaining('ENOENT') as string },
  });
  const { path: there, sha256 } = file('f', Buffer.from('x'));
  expect(await workers.run('prove-file', { path: there, name: null })).toMatchObject({
    value: { sha256 },
  });
});

it('stops what is under way and what waits, and takes no place for it any more', async () => {
  const stopper = new AbortController();
  const begun = new Promise<void>((resolve) => {
    const running = workers.run('prove-file', endless, {
      signal: stopper.signal,
      onProgress: () => resolve(),
    });
    void running.then((result) => stopped.push(result.ok ? 'done' : result.error.code));
  });
  const stopped: string[] = [];
  const others = [1, 2].map(() => workers.run('prove-file', endless, { signal: stopper.signal }));
  await begun;
  stopper.abort();
  for (const each of await Promise.all(others)) {
    expect(each).toMatchObject({ error: { code: 'aborted' } });
  }
  expect(stopped).toEqual(['aborted']);
  const { path, sha256 } = file('f', Buffer.from('x'));
  expect(await workers.run('prove-file', { path, name: null })).toMatchObject({
    value: { sha256 },
  });
  expect(
    await workers.run('prove-file', { path, name: null }, { signal: stopper.signal }),
  ).toMatchObject({
    error: { code: 'aborted' },
  });
});

it('a worker that dies is a fault of its own job and no other', async () => {
  const { path, sha256 } = file('f', randomBytes(24 * MIB));
  let died: () => void = () => undefined;
  const hasBegun = new Promise<void>((resolve) => (died = resolve));
  const dying = workers.run('prove-file', endless, { onProgress: () => died() });
  await hasBegun;
  const other = workers.run('prove-file', { path, name: null });
  hosts[0]?.host.kill();
  expect(await dying).toMatchObject({ error: { code: 'worker-ended' } });
  expect(await other).toMatchObject({ value: { sha256 } });
  expect(await workers.run('prove-file', { path, name: null })).toMatchObject({
    value: { sha256 },
  });
});

it('takes no more than it can hold, and answers everybody when it is closed', async () => {
  const running = Array.from({ length: 67 }, () => workers.run('prove-file', endless));
  expect(await running[66]).toMatchObject({ error: { code: 'worker-busy' } });
  workers.close();
  for (const each of await Promise.all(running.slice(0, 66))) {
    expect(each).toMatchObject({ error: { code: 'aborted' } });
  }
  expect(await workers.run('prove-file', endless)).toMatchObject({ error: { code: 'aborted' } });
});

it('checks what a box says of a sweep, and believes nothing that is not whole', async () => {
  const cells = Array.from({ length: 10_000 }, (_, at) => ({
    name: `lr=${String(at)}`,
    command: `train --lr ${String(at)}`,
    results: `results/lr=${String(at)}`,
  }));
  const roster: SweepRoster = {
    ...{ id: 's-20260101-000000-00000000', name: 'large' },
    base: { folder: '~/work', activate: null, env: {} },
    cells,
  };
  const file = { version: 1, roster, shares: [] };
  const check = checkSweepIn(workers);
  const ref = { id: roster.id, digest: digestOf(roster) };
  expect(await check(JSON.stringify(file), ref)).toEqual({ ok: true, value: file });
  const moved = { ...file, roster: { ...roster, name: 'other' } };
  for (const [text, because] of [
    [JSON.stringify(moved), 'was changed since its launch'],
    ['{"version":1', 'is not one that a launch writes'],
    ['['.repeat(4_000_000), 'is not one that a launch writes'],
  ] as const) {
    expect(await check(text, ref)).toMatchObject({
      error: { code: 'sweep-not-read', message: expect.stringContaining(because) as string },
    });
  }
  const dead = checkSweepIn({
    run: () => Promise.resolve({ ok: false, error: problem('worker-ended', 'It ended.') }),
  });
  expect(await dead('', ref)).toMatchObject({ error: { code: 'sweep-not-read' } });
});

it.skipIf(process.platform !== 'linux')(
  'holds no file open after it was ended amid many',
  async () => {
    const { path, sha256 } = file('copy', randomBytes(MIB + 1));
    const files = Array.from({ length: 5000 }, () => ({ path: 'copy', sha256 }));
    for (let round = 0; round < 10; round += 1) {
      const stopper = new AbortController();
      const ways = { signal: stopper.signal, onProgress: () => stopper.abort() };
      const running = [1, 2].map(() => workers.run('check-copies', { to: folder, files }, ways));
      for (const each of await Promise.all(running)) {
        expect(each).toMatchObject({ error: { code: 'aborted' } });
      }
    }
    await vi.waitFor(() => expect(hosts.every(({ isGone }) => isGone)).toBe(true));
    const open = readdirSync('/proc/self/fd').map(leadsTo);
    expect(open.filter((each) => each === path)).toEqual([]);
  },
);

/** Where this file descriptor leads; null: it was closed meanwhile, as the one is that lists them. */
function leadsTo(fd: string): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return null;
  }
}
