import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { PullReport } from '../../shared/transfer/pull.ts';
import type { PullWay } from '../../shared/transfer/pull-way.ts';
import { hasSshd, type SshdOptions } from '../ssh/sshd.fixture.ts';
import { whyNoSmallDisk, withSmallDisk } from '../storage/disk.fixture.ts';
import { useOwnTmp } from '../storage/own-tmp.fixture.ts';
import type { CarrierBounds } from './pull-carrier.ts';
import { PullingBox, type PullWays } from './pulling-box.fixture.ts';

useOwnTmp();
const MIB = 1024 * 1024;
/** However little there is, and however late this machine answers. */
const ALWAYS = { worthBytes: 1, worthFarBytes: 1, farMs: Infinity, slowBytesPerS: 0 };
const FAR = { ...ALWAYS, farMs: 0 };
const FAST: PullWay = { over: 'openssh', because: 'fast' };
const NOT_POSSIBLE: PullWay = { over: 'own', because: 'not-possible' };

let box: PullingBox;
afterEach(async () => {
  await box.close();
  // Neither a control socket, a known-hosts file nor an agent's socket is left, and no ssh that had been given any.
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('leasehold-lane-'))).toEqual([]);
  expect(lanes()).toEqual([]);
});

function open(
  programs: Readonly<Record<string, string>> = {},
  server: SshdOptions = {},
  bounds: CarrierBounds = ALWAYS,
): Promise<void> {
  box = new PullingBox(bounds);
  return box.open(programs, server);
}

/** What this test's app has started for OpenSSH, and what of it `is`: each names the folder of its control socket. */
function lanes(is = /./): readonly number[] {
  const all = execFileSync('ps', ['-e', '-o', 'pid=,args='], {
    encoding: 'utf8',
  });
  const ours = all.split('\n').filter((line) => line.includes(join(tmpdir(), 'leasehold-lane-')));
  return ours.filter((line) => is.test(line)).map((line) => Number.parseInt(line, 10));
}
/** The one that holds the connection, and not those that only ask for a command over it. */
const LOGGED_IN = /^ *\d+ ssh -F none -N/;

const fromBox = (path: string): Buffer => readFileSync(join(box.home, 'out', path));
const here = (path: string): Buffer => readFileSync(join(box.here, path));

async function pull(more: PullWays = {}): Promise<{
  readonly report: PullReport;
  readonly ways: readonly PullWay[];
}> {
  const ways: PullWay[] = [];
  const report = await box.pull({
    ...more,
    onProgress: (progress) => {
      if (progress.way !== undefined && progress.way !== ways.at(-1)) ways.push(progress.way);
      more.onProgress?.(progress);
    },
  });
  return { report, ways };
}

function expectAllHome({ files }: PullReport): void {
  expect(files.filter(({ mark }) => mark !== 'equal')).toEqual([]);
  for (const { path } of files) expect(here(path).equals(fromBox(path))).toBe(true);
}

/** Large ones, which come by themselves, and small ones, which come together. */
function writeSome(): void {
  box
    .write('model.bin', randomBytes(5 * MIB + 7))
    .write('it\'s a "$(name)".bin', randomBytes(MIB * 2));
  for (let at = 0; at < 40; at += 1) box.write(`d/${String(at)}.json`, `{"no":${String(at)}}`);
}

/** For a box that sends eight MiB of a file, and the rest when somebody asks again. */
const SENDS_EIGHT = [
  'PATH=/usr/bin:/bin',
  'case $1 in if=/dev/null) exec dd "$@" ;; esac',
  'if [ -e "$HOME/go" ]; then exec dd "$@"; fi',
  `dd "$@" | head -c ${String(8 * MIB)}`,
  'while [ ! -e "$HOME/go" ]; do sleep 0.05; done',
].join('\n');

/** For a box that sends all pieces of a file but the sixth, and that when somebody asks again. */
const SENDS_ALL_BUT_ONE = [
  'PATH=/usr/bin:/bin',
  'if [ ! -e "$HOME/go" ]; then',
  `case "$* " in *"skip=${String(20 * MIB)} "*) while [ ! -e "$HOME/go" ]; do sleep 0.05; done; exit 1 ;; esac`,
  'fi',
  'exec dd "$@"',
].join('\n');

describe.skipIf(!hasSshd || process.platform === 'win32')('a pull over OpenSSH', () => {
  it('brings large and small files, says so, and ends what it started', async () => {
    await open();
    writeSome();
    const { report, ways } = await pull();
    expect(ways).toEqual([FAST]);
    expectAllHome(report);
    expect(box.left()).toEqual([]);
    // The link alone.
    await vi.waitFor(() => expect(box.sshd.connections()).toBe(1));
  });

  it.skipIf(whyNoSmallDisk !== null).each([
    ['one stream', ALWAYS],
    ['pieces', FAR],
  ])(
    'ends where the disk here is full, in %s, says how much is missing, and goes on once there is room',
    (_in, bounds) =>
      withSmallDisk(64 * 1024, async ({ folder, fill, free }) => {
        await open({}, {}, bounds);
        const bytes = randomBytes(12 * MIB);
        box.write('model.bin', bytes);
        for (let at = 0; at < 40; at += 1)
          box.write(`d/${String(at)}.json`, `{"no":${String(at)}}`);
        fill(3 * MIB);
        const full = await box.tryPull({ to: folder });
        const message = expect.stringMatching(/is full: \d+\.\d MB are missing, with /) as string;
        expect(full).toMatchObject({ ok: false, error: { code: 'disk-full', message } });
        expect(existsSync(join(folder, 'model.bin'))).toBe(false);
        free();
        const { files } = await box.pull({ to: folder });
        expect(files.filter(({ mark }) => mark !== 'equal')).toEqual([]);
        expect(readFileSync(join(folder, 'model.bin')).equals(bytes)).toBe(true);
        expect(readdirSync(folder).sort()).toEqual(['d', 'model.bin']);
        expect(readdirSync(join(folder, 'd'))).toHaveLength(40);
      }),
  );

  it('brings a large file in pieces where the box is far, in their order', async () => {
    await open({}, {}, FAR);
    const bytes = randomBytes(38 * MIB + 5);
    box.write('model.bin', bytes);
    writeFileSync(join(box.here, 'model.bin.leasehold-part'), bytes.subarray(0, MIB + 3));
    // Of an app that was killed: how far it was is not known.
    writeFileSync(join(box.here, 'model.bin.leasehold-part-7.leasehold-part'), 'x');
    let done = 0;
    const { report, ways } = await pull({ onProgress: ({ doneBytes }) => (done = doneBytes) });
    expect(ways).toEqual([{ over: 'openssh', because: 'far' }]);
    expectAllHome(report);
    expect(done).toBe(bytes.length);
    expect(box.left()).toEqual([]);
  });

  it('goes on behind the pieces that are in their place where ssh is killed', async () => {
    await open({ dd: SENDS_ALL_BUT_ONE }, {}, FAR);
    const bytes = randomBytes(32 * MIB);
    box.write('model.bin', bytes);
    const part = join(box.here, 'model.bin.leasehold-part');
    let resumedFrom = -1;
    const { report, ways } = await pull({
      onProgress: ({ way, doneBytes }) => {
        if (way?.because === 'ended')
          resumedFrom = resumedFrom < 0 ? statSync(part).size : resumedFrom;
        if (way?.over !== 'openssh' || doneBytes < 28 * MIB) return;
        for (const pid of lanes(LOGGED_IN)) process.kill(pid, 'SIGKILL');
        writeFileSync(join(box.home, 'go'), '');
      },
    });
    expect(ways).toEqual([
      { over: 'openssh', because: 'far' },
      { over: 'own', because: 'ended' },
    ]);
    expectAllHome(report);
    // Five of eight; those behind the one that had not come are not at their place.
    expect(resumedFrom).toBeLessThanOrEqual(20 * MIB);
    expect(box.left()).toEqual([]);
  });

  it('goes on behind the part of an earlier time', async () => {
    await open();
    const bytes = randomBytes(4 * MIB);
    box.write('model.bin', bytes);
    writeFileSync(join(box.here, 'model.bin.leasehold-part'), bytes.subarray(0, 3 * MIB));
    let first = 0;
    const { report } = await pull({
      onProgress: ({ doneBytes }) => (first = first === 0 ? doneBytes : first),
    });
    expectAllHome(report);
    expect(first).toBe(3 * MIB);
  });

  it('goes on over the own connection where ssh is killed, behind what it had brought', async () => {
    await open({ dd: SENDS_EIGHT });
    const bytes = randomBytes(12 * MIB);
    box.write('model.bin', bytes);
    let fewest = Infinity;
    const { report, ways } = await pull({
      onProgress: ({ doneBytes, way }) => {
        if (way?.because === 'ended') fewest = Math.min(fewest, doneBytes);
        if (way?.over !== 'openssh' || doneBytes < 8 * MIB) return;
        for (const pid of lanes(LOGGED_IN)) process.kill(pid, 'SIGKILL');
        writeFileSync(join(box.home, 'go'), '');
      },
    });
    expect(ways).toEqual([FAST, { over: 'own', because: 'ended' }]);
    expectAllHome(report);
    expect(fewest).toBeGreaterThanOrEqual(8 * MIB);
  });

  it('takes no more of a file than its size, however much the box sends of it', async () => {
    const dd = 'PATH=/usr/bin:/bin; case $1 in if=/dev/null) exec dd "$@" ;; esac';
    await open({ dd: `${dd}\ndd "$@"; exec cat /dev/zero` });
    box.write('model.bin', randomBytes(2 * MIB));
    const { report, ways } = await pull();
    expect(ways).toEqual([FAST, { over: 'own', because: 'ended' }]);
    expectAllHome(report);
  });

  it('stops when it is told to, and leaves nothing running', async () => {
    const dd = 'PATH=/usr/bin:/bin; case $1 in if=/dev/null) exec dd "$@" ;; esac';
    await open({ dd: `${dd}\ndd "$@" | head -c ${String(MIB)}; cat` });
    box.write('model.bin', randomBytes(2 * MIB));
    const stopper = new AbortController();
    const done = await box.tryPull({
      signal: stopper.signal,
      onProgress: ({ doneBytes }) => {
        if (doneBytes >= MIB) stopper.abort();
      },
    });
    expect(done).toMatchObject({ ok: false });
    expect(lanes()).toEqual([]);
  });

  it('is not made of a box that prints something around its commands', async () => {
    const ForceCommand = 'echo Welcome to this box; eval "$SSH_ORIGINAL_COMMAND"';
    await open({}, { configLines: [`ForceCommand ${ForceCommand}`] });
    writeSome();
    const { report, ways } = await pull();
    expect(ways).toEqual([NOT_POSSIBLE]);
    expectAllHome(report);
  });

  it('is not made where the box does not let ssh in a second time', async () => {
    await open();
    writeSome();
    writeFileSync(`${box.sshd.keyFile}.pub`, '');
    const { report, ways } = await pull();
    expect(ways).toEqual([NOT_POSSIBLE]);
    expectAllHome(report);
  });

  it('is not made on a computer without ssh', async () => {
    await open();
    writeSome();
    const bin = join(box.home, 'no-ssh');
    mkdirSync(bin);
    for (const name of ['sh', 'cat', 'rm', 'ps']) symlinkSync(join('/bin', name), join(bin, name));
    const path = process.env['PATH'];
    process.env['PATH'] = bin;
    try {
      const { report, ways } = await pull();
      expect(ways).toEqual([NOT_POSSIBLE]);
      expectAllHome(report);
    } finally {
      process.env['PATH'] = path;
    }
  });
});

describe.skipIf(!hasSshd || process.platform === 'win32')('a pull over its own connection', () => {
  it.each([
    ['of little from far away', { ...FAR, worthFarBytes: Infinity }, 'little'],
    ['of little', { ...ALWAYS, worthBytes: Infinity }, 'little'],
  ] as const)('%s brings the same', async (_what, bounds, because) => {
    await open({}, {}, bounds);
    writeSome();
    const { report, ways } = await pull();
    expect(ways).toEqual([{ over: 'own', because }]);
    expectAllHome(report);
  });
});
