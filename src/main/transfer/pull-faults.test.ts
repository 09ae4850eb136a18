import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PullReport, PullRetry } from '../../shared/transfer/pull.ts';
import { isThere } from '../runs/programs.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { startTcpProxy } from '../ssh/tcp-proxy.fixture.ts';
import {
  runFixture,
  whyNoFailingDisk,
  whyNoSmallDisk,
  withFailingDisk,
  withSmallDisk,
} from '../storage/disk.fixture.ts';
import type { PullingApp } from './pulling-app.fixture.ts';
import { DEADLY, PullingBox } from './pulling-box.fixture.ts';

const MIB = 1024 * 1024;

// As in the oldest runtime that the app runs in.
Reflect.deleteProperty(AbortSignal, 'any');

let box: PullingBox;
beforeEach(() => {
  box = new PullingBox();
});
afterEach(() => box.close());

const here = (path: string): string => join(box.here, path);
const out = (path: string): string => join(box.home, 'out', path);
const told = ({ files }: PullReport, path: string) => files.find((file) => file.path === path);
const PART = '.leasehold-part';

/** Many small files, of which some lie in folders and have names that a shell or tar could take for something else. */
function writeMany(count: number): void {
  for (let at = 0; at < count; at += 1) {
    box.write(`d${String(at % 7)}/-f ${String(at)}.json`, `{"no":${String(at)}}`);
  }
}

describe.skipIf(!hasSshd || process.platform === 'win32')('a pull', () => {
  it('of thousands of small files brings each, in streams of many', async () => {
    await box.open();
    writeMany(2050);
    box.write('new\\nline.txt', 'a backslash').write(`${'long/'.repeat(30)}name.txt`, 'deep');
    linkSync(out('d0/-f 0.json'), out('d0/the same.json'));
    const report = await box.pull();
    expect(report.files).toHaveLength(2053);
    expect(report.files.filter(({ mark }) => mark !== 'equal')).toEqual([]);
    expect(readFileSync(here('d1/-f 1.json'), 'utf8')).toBe('{"no":1}');
    expect(readFileSync(here(`${'long/'.repeat(30)}name.txt`), 'utf8')).toBe('deep');
    expect(told(report, 'd2/-f 2.json')).toMatchObject({ level: 'loaded' });
    expect(box.left()).toEqual([]);
    // Once more, all of them are only compared.
    const again = await box.pull();
    expect(again.manifest).toBe(report.manifest);
    expect(again.files.filter(({ mark }) => mark !== 'equal')).toEqual([]);
  });

  it('brings files whose names are as long as a disk takes them, small and large', async () => {
    await box.open();
    const bytes = randomBytes(3 * MIB);
    const [small, large] = [`${'数'.repeat(83)}.json`, 'x'.repeat(255)];
    box.write(small, '{"a":1}').write(`d/${large}`, bytes);
    const report = await box.pull();
    expect(told(report, small)).toMatchObject({ mark: 'equal', level: 'loaded' });
    expect(told(report, `d/${large}`)).toMatchObject({ mark: 'equal', level: 'hashed' });
    expect(readFileSync(here(`d/${large}`)).equals(bytes)).toBe(true);
    expect(box.left()).toEqual([]);
  });

  it('of small files from a box without tar brings each by itself', async () => {
    await box.open({ tar: 'exit 1' });
    writeMany(20);
    const report = await box.pull();
    expect(report.files.filter(({ mark }) => mark !== 'equal')).toEqual([]);
    expect(readFileSync(here('d1/-f 1.json'), 'utf8')).toBe('{"no":1}');
  });

  it('does not follow what became a link on the way, and brings the others', async () => {
    // As a box that is slow with its list: by then one of the files is another thing.
    await box.open();
    writeMany(20);
    writeFileSync(join(box.home, 'secret'), 'not a result');
    let isSwapped = false;
    const report = await box.pull({
      onProgress: ({ stage }) => {
        if (isSwapped || stage !== 'hashing') return;
        isSwapped = true;
        rmSync(out('d0/-f 0.json'));
        symlinkSync(join(box.home, 'secret'), out('d0/-f 0.json'));
      },
    });
    expect(told(report, 'd0/-f 0.json')).toMatchObject({
      mark: 'could-not-read',
      level: 'listed',
    });
    expect(existsSync(here('d0/-f 0.json'))).toBe(false);
    expect(report.files.filter(({ mark }) => mark === 'equal')).toHaveLength(19);
  });

  it('notices that a file was written anew after it was hashed, with its size and its time kept', async () => {
    await box.open();
    box.write('a.json', '{"a":1}').write('b.json', '{"b":1}');
    const { atime, mtime } = statSync(out('a.json'));
    let isWritten = false;
    const report = await box.pull({
      onProgress: ({ stage }) => {
        if (isWritten || stage !== 'looking-again') return;
        isWritten = true;
        box.write('a.json', '{"a":2}');
        utimesSync(out('a.json'), atime, mtime);
      },
    });
    expect(told(report, 'a.json')).toMatchObject({
      mark: 'differs',
      says: 'It was written to on the box after it was hashed.',
    });
    expect(told(report, 'b.json')).toMatchObject({ mark: 'equal', level: 'loaded' });
    expect(report.tellsWrites).toBe(true);
  });

  it.skipIf(!isThere('python3'))(
    'believes no time of a file that a program has mapped to write to it',
    async () => {
      await box.open();
      box.write('vectors.npy', 'a'.repeat(4096));
      const mapped = `import mmap, sys
with open(sys.argv[1], "r+b") as file, mmap.mmap(file.fileno(), 0):
    print("mapped", flush=True)
    sys.stdin.readline()`;
      const python = spawn('python3', ['-c', mapped, out('vectors.npy')]);
      try {
        await once(python.stdout, 'data');
        const report = await box.pull();
        expect(report.tellsWrites).toBe(false);
        // Nor is its hash kept, however long ago it was written.
        expect(existsSync(join(box.home, '.local/state/leasehold/trees'))).toBe(false);
      } finally {
        python.stdin.end();
      }
      await once(python, 'close');
      expect((await box.pull()).tellsWrites).toBe(true);
    },
  );

  it('makes the folder that it brings into, also where that went away since it was chosen (U13)', async () => {
    await box.open();
    box.write('deep/er/a.json', '{}').write('b.bin', 'b');
    const to = here('made/in the same/step');
    mkdirSync(to, { recursive: true });
    let hasBegun = false;
    const report = await box.pull({
      to,
      onProgress: () => {
        if (!hasBegun) rmSync(here('made'), { recursive: true });
        hasBegun = true;
      },
    });
    expect(report.files.map(({ mark }) => mark)).toEqual(['equal', 'equal']);
    expect(readFileSync(join(to, 'deep/er/a.json'), 'utf8')).toBe('{}');
  });

  it('does not make it anew where it goes away in the middle, as with its disk', async () => {
    await box.open();
    box.write('deep/a.json', '{}').write('b.bin', 'b');
    const to = here('made/in the same/step');
    let hasGone = false;
    const done = await box.tryPull({
      to,
      onProgress: ({ stage }) => {
        if (hasGone || stage !== 'pulling') return;
        hasGone = true;
        rmSync(here('made'), { recursive: true });
      },
    });
    const marks = done.ok ? done.value.files.map(({ mark }) => mark) : [];
    expect(marks).not.toContain('equal');
    expect(existsSync(here('made'))).toBe(false);
  });

  it('proves what a file was when it was listed, and tells that it grew meanwhile', async () => {
    await box.open();
    box.write('log.txt', 'one\n').write('still.txt', 'still\n');
    let hasGrown = false;
    const report = await box.pull({
      onProgress: ({ stage }) => {
        if (hasGrown || stage !== 'looking-again') return;
        hasGrown = true;
        appendFileSync(out('log.txt'), 'two\n');
      },
    });
    expect(told(report, 'log.txt')).toMatchObject({ mark: 'differs', bytes: 4 });
    expect(told(report, 'still.txt')).toMatchObject({ mark: 'equal' });
  });

  it('is no earlier and no later where the clock here jumps in the middle', async () => {
    await box.open();
    box.write('a.json', '{}').write('b.bin', randomBytes(3 * MIB));
    const real = Date.now;
    let aheadMs = 0;
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => real() + aheadMs);
    try {
      const report = await box.pull({
        onProgress: ({ doneFiles }) => (aheadMs = doneFiles % 2 === 0 ? 86_400_000 : -86_400_000),
      });
      expect(report.files.map(({ mark }) => mark)).toEqual(['equal', 'equal']);
    } finally {
      clock.mockRestore();
    }
  });

  it('leaves through no link that somebody lays in place of a folder here meanwhile', async () => {
    await box.open();
    box.write('sub/model.bin', randomBytes(3 * MIB)).write('a.json', '{}');
    const elsewhere = join(box.home, 'elsewhere');
    mkdirSync(elsewhere);
    const done = await box.tryPull({
      onProgress: ({ stage }) => {
        if (stage !== 'hashing' || existsSync(here('sub'))) return;
        symlinkSync(elsewhere, here('sub'));
      },
    });
    expect(done).toMatchObject({ error: { message: expect.stringMatching(/sub is in the way/) } });
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it('drops a part of an earlier version of a file, and fetches it as a whole', async () => {
    await box.open();
    const bytes = randomBytes(MIB);
    box.write('model.bin', bytes);
    writeFileSync(here(`model.bin${PART}`), randomBytes(MIB / 2));
    expect(told(await box.pull(), 'model.bin')).toMatchObject({
      mark: 'equal',
      level: 'hashed',
    });
    expect(readFileSync(here('model.bin')).equals(bytes)).toBe(true);
    expect(box.left()).toEqual([]);
  });

  it('goes on after a file that its reader has no memory for', async () => {
    await box.open();
    box.write(DEADLY, '[]').write('fine.json', '{}');
    const report = await box.pull();
    expect(told(report, DEADLY)).toMatchObject({
      mark: 'equal',
      level: 'hashed',
      loaded: {
        kind: 'not-loadable',
        format: 'json',
        because: 'reading it took more memory than Leasehold gives a reader',
      },
    });
    expect(told(report, 'fine.json')).toMatchObject({ level: 'loaded' });
  });

  it('believes a hash that the box has kept, until the file is written to', async () => {
    await box.open();
    box.write('a.json', '{"a":1}').write('b.json', '{"b":1}');
    const kept = join(box.home, '.local/state/leasehold/trees');
    // What was written in the very moment before is not kept.
    await vi.waitFor(async () => {
      rmSync(box.here, { recursive: true });
      mkdirSync(box.here);
      await box.pull();
      const [file = ''] = readdirSync(kept);
      expect(readFileSync(join(kept, file), 'utf8').trimEnd().split('\n')).toHaveLength(2);
    });
    const [file = ''] = readdirSync(kept);
    const lines = readFileSync(join(kept, file), 'utf8');
    // What no box does: so it shows which files were read.
    writeFileSync(join(kept, file), lines.replaceAll(/^[0-9a-f]{64}/gm, '0'.repeat(64)));
    box.write('b.json', '{"b":2}');
    rmSync(box.here, { recursive: true });
    const report = await box.pull();
    expect(told(report, 'a.json')).toMatchObject({ mark: 'differs' });
    expect(told(report, 'b.json')).toMatchObject({ mark: 'equal' });
  });

  it('waits for a lost connection, says so, and goes on where it was, with nothing sent twice (GEN3, U12)', async () => {
    await box.open();
    const bytes = randomBytes(48 * MIB);
    box.write('model.bin', bytes);
    const proxy = await startTcpProxy(box.sshd.port);
    try {
      box.connection.close();
      await box.connect(proxy.port);
      let isCut = false;
      const retries: PullRetry[] = [];
      let resumedAt = 0;
      const report = await box.pull({
        // Nobody waits for an hour: the next try is asked for.
        waitsMs: [3_600_000, 1, 1],
        onWait: (goOn) => goOn(),
        connect: () => box.connect(proxy.port),
        onProgress: ({ stage, doneBytes, retry }) => {
          if (retry !== undefined) retries.push(retry);
          if (stage === 'pulling' && retries.length > 0 && resumedAt === 0) resumedAt = doneBytes;
          if (isCut || doneBytes < 16 * MIB) return;
          isCut = true;
          proxy.cut();
        },
      });
      expect(told(report, 'model.bin')).toMatchObject({ mark: 'equal' });
      expect(readFileSync(here('model.bin')).equals(bytes)).toBe(true);
      expect(retries).toMatchObject([{ tries: 1, ofTries: 3 }]);
      expect(resumedAt).toBeGreaterThanOrEqual(15 * MIB);
    } finally {
      await proxy.stop();
    }
  });

  it('notices a link that is half open, and goes on over another', async () => {
    await box.open();
    const bytes = randomBytes(32 * MIB);
    box.write('model.bin', bytes);
    const proxy = await startTcpProxy(box.sshd.port);
    try {
      box.connection.close();
      await box.connect(proxy.port, 2);
      let isFrozen = false;
      const retries: PullRetry[] = [];
      const report = await box.pull({
        waitsMs: [1],
        // The network of before stays as it is; this is another one.
        connect: () => box.connect(),
        onProgress: ({ doneBytes, retry }) => {
          if (retry !== undefined) retries.push(retry);
          if (isFrozen || doneBytes < 8 * MIB) return;
          isFrozen = true;
          proxy.freeze(true);
        },
      });
      expect(retries).toHaveLength(1);
      expect(told(report, 'model.bin')).toMatchObject({ mark: 'equal' });
      expect(readFileSync(here('model.bin')).equals(bytes)).toBe(true);
    } finally {
      await proxy.stop();
    }
  });

  it('gives up where it gets no further, and leaves what has arrived', async () => {
    await box.open();
    box.write('model.bin', randomBytes(48 * MIB));
    const proxy = await startTcpProxy(box.sshd.port);
    try {
      box.connection.close();
      await box.connect(proxy.port);
      const retries: PullRetry[] = [];
      const done = await box.tryPull({
        waitsMs: [1, 1],
        onProgress: ({ doneBytes, retry }) => {
          if (retry !== undefined) retries.push(retry);
          if (doneBytes > 8 * MIB) proxy.cut();
        },
      });
      expect(done).toMatchObject({ ok: false });
      expect(retries.map(({ tries }) => tries)).toEqual([1, 2]);
      expect(statSync(here(`model.bin${PART}`)).size).toBeGreaterThanOrEqual(7 * MIB);
    } finally {
      await proxy.stop();
    }
  });

  it('is not believed where the box changes a file on the way', async () => {
    // The box hashes while it sends, and sends nothing before the test says so.
    const held =
      'case $* in *count=1048576) : >"$HOME/asked"; while [ ! -e "$HOME/go" ]; do sleep 0.05; done ;; esac';
    await box.open({ dd: `${held}\nPATH=/usr/bin:/bin exec dd "$@"` });
    box.write('model.bin', Buffer.alloc(MIB, 7));
    let hashed = 0;
    const pulling = box.pull({
      onProgress: ({ hashedBytes }) => (hashed = hashedBytes),
    });
    // It has been hashed, found as it was, and is about to be read.
    await vi.waitFor(() => {
      expect(hashed).toBe(MIB);
      expect(existsSync(join(box.home, 'asked'))).toBe(true);
    });
    box.write('model.bin', Buffer.alloc(MIB, 8)).write('late.json', '{}');
    writeFileSync(join(box.home, 'go'), '');
    const report = await pulling;
    expect(told(report, 'model.bin')).toMatchObject({
      mark: 'differs',
      level: 'listed',
    });
    expect(told(report, 'late.json')).toMatchObject({
      mark: 'missing-here',
      level: 'listed',
    });
    expect(readdirSync(box.here)).toEqual([]);
  });

  it('does not read a list without an end', async () => {
    // Asked what it is, it says nothing: only of GNU's is a long script taken.
    await box.open({ head: '[ "$1" = --version ] || { cat; exec cat /dev/zero; }' });
    box.write('model.bin', Buffer.alloc(3 * MIB, 7));
    expect(await box.puller.plan(box.connection, box.run, box.here)).toMatchObject({
      ok: false,
      error: { code: 'output-too-large' },
    });
  });

  it.skipIf(whyNoSmallDisk !== null)('comes whole from a box whose disk is full', () =>
    withSmallDisk(256, async ({ folder, fill }) => {
      await box.open();
      symlinkSync(folder, join(box.home, '.local'));
      box.write('model.bin', randomBytes(3 * MIB));
      writeMany(30);
      fill(0);
      const report = await box.pull();
      expect(report.files.filter(({ mark }) => mark !== 'equal')).toEqual([]);
      expect(report.files).toHaveLength(31);
    }),
  );

  /** What has its name there is whole. */
  const expectNamedIsWhole = (folder: string): void => {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!/^d\d\/.*json$|^model\.bin$/.test(name)) continue;
      expect(readFileSync(join(folder, name)).equals(readFileSync(out(name)))).toBe(true);
    }
  };

  it.skipIf(whyNoSmallDisk !== null)(
    'into a disk that has no room for a further file goes on once it has',
    () =>
      withSmallDisk(64 * 1024, async ({ folder, takeInodes, free }) => {
        await box.open();
        box.write('model.bin', randomBytes(20 * MIB));
        writeMany(60);
        let isFull = false;
        const full = await box.tryPull({
          to: folder,
          onProgress: ({ stage }) => {
            if (isFull || stage !== 'pulling') return;
            isFull = true;
            takeInodes();
          },
        });
        expect(full).toMatchObject({ ok: false, error: { code: 'disk-full' } });
        expectNamedIsWhole(folder);
        free();
        const { files } = await box.pull({ to: folder });
        expect(files.filter(({ mark }) => mark !== 'equal')).toEqual([]);
        expect(files).toHaveLength(61);
        const left = readdirSync(folder, { recursive: true, encoding: 'utf8' });
        expect(left.filter((each) => each.includes('leasehold'))).toEqual([]);
      }),
  );

  it.skipIf(whyNoFailingDisk !== null)('into a disk that fails names nothing more', () =>
    withFailingDisk(async ({ folder, fail }) => {
      await box.open();
      box.write('model.bin', randomBytes(6 * MIB));
      writeMany(60);
      let hasFailed = false;
      const failed = await box.tryPull({
        to: folder,
        onProgress: ({ stage, doneBytes }) => {
          if (hasFailed || stage !== 'pulling' || doneBytes < MIB) return;
          hasFailed = true;
          fail();
        },
      });
      expect(hasFailed).toBe(true);
      expect(failed).toMatchObject({ ok: false, error: { code: 'folder-read-only' } });
      expectNamedIsWhole(folder);
      expect(existsSync(join(folder, 'model.bin'))).toBe(false);
    }),
  );

  it('tells a file of which the box sends less, or other bytes', async () => {
    const isFile = 'PATH=/usr/bin:/bin; case $* in *count=4000000) ;; *) exec dd "$@" ;; esac';
    await box.open({ dd: `${isFile}\ndd "$@" | head -c 1000` });
    box.write('model.bin', Buffer.alloc(4_000_000, 7)).write('fine.json', '{}');
    const report = await box.pull();
    expect(told(report, 'model.bin')).toMatchObject({
      mark: 'could-not-read',
      says: 'Only 1000 of 4000000 bytes came.',
    });
    expect(told(report, 'fine.json')).toMatchObject({ mark: 'equal' });
  });

  it('is refused into a folder that another one is bringing results into, under whatever name', async () => {
    await box.open();
    box.write('model.bin', Buffer.alloc(3 * MIB, 'a'));
    const other = new PullingBox(undefined, box.targets);
    const go = join(other.home, 'go');
    try {
      const isFile = `PATH=/usr/bin:/bin; case $* in *model.bin*) until [ -e '${go}' ]; do sleep 0.02; done ;; esac`;
      await other.open({ dd: `${isFile}\nexec dd "$@"` });
      other.write('model.bin', Buffer.alloc(3 * MIB, 'b'));
      const slow = other.tryPull({ to: box.here });
      await vi.waitFor(() => expect(existsSync(here(`model.bin${PART}`))).toBe(true));
      const link = join(box.home, 'link');
      symlinkSync(box.here, link);
      const taken = { ok: false, error: { code: 'target-taken' } };
      for (const to of [box.here, link]) expect(await box.tryPull({ to })).toMatchObject(taken);
      writeFileSync(go, '');
      expect(await slow).toMatchObject({ ok: true, value: { files: [{ mark: 'equal' }] } });
    } finally {
      writeFileSync(go, '');
      await other.close();
    }
    expect(readFileSync(here('model.bin')).every((byte) => byte === 'b'.charCodeAt(0))).toBe(true);
    const report = await box.pull();
    expect(told(report, 'model.bin')).toMatchObject({ mark: 'differs' });
  });

  it('is refused above and below a folder that another process is bringing results into', async () => {
    await box.open();
    box.write('model.bin', randomBytes(3 * MIB));
    mkdirSync(here('a'));
    const app: PullingApp = {
      ...{
        port: box.sshd.port,
        user: box.sshd.user,
        privateKey: box.sshd.privateKey,
      },
      ...{ results: out(''), to: here('a'), until: 'hashing' },
    };
    const refused: unknown[] = [];
    await runFixture(
      new URL('pulling-app.fixture.ts', import.meta.url),
      [JSON.stringify(app)],
      (_line, _count, child) => {
        const tries = [box.here, here('a/b')].map(async (to) => {
          refused.push(await box.tryPull({ to }));
        });
        void Promise.all(tries).finally(() => child.kill('SIGKILL'));
      },
    );
    const taken = { ok: false, error: { code: 'target-taken' } };
    expect(refused).toMatchObject([taken, taken]);
    expect(readdirSync(box.here)).toEqual(['a']);
    expect(existsSync(here('a/b'))).toBe(false);
    const report = await box.pull();
    expect(told(report, 'model.bin')).toMatchObject({ mark: 'equal' });
  });

  it('takes no more of a file than its size, however much the box sends of it', async () => {
    const isFile = 'PATH=/usr/bin:/bin; case $* in *count=4000000) ;; *) exec dd "$@" ;; esac';
    await box.open({ dd: `${isFile}\ndd "$@"; exec cat /dev/zero` });
    const bytes = randomBytes(4_000_000);
    box.write('model.bin', bytes);
    expect(told(await box.pull(), 'model.bin')).toMatchObject({
      mark: 'equal',
    });
    expect(readFileSync(here('model.bin')).equals(bytes)).toBe(true);
  });

  it.each(['hashing', 'a large file', 'the small ones', 'looking again'] as const)(
    'of an app that is killed while %s has lost nothing',
    async (until) => {
      await box.open();
      const bytes = randomBytes(20 * MIB);
      box.write('model.bin', bytes);
      writeMany(60);
      const app: PullingApp = {
        ...{
          port: box.sshd.port,
          user: box.sshd.user,
          privateKey: box.sshd.privateKey,
        },
        ...{ results: out(''), to: box.here, until },
      };
      const ended = await runFixture(
        new URL('pulling-app.fixture.ts', import.meta.url),
        [JSON.stringify(app)],
        (_line, _count, child) => child.kill('SIGKILL'),
      );
      expect([ended.lines, ended.signal, ended.stderr]).toEqual([[until], 'SIGKILL', '']);
      // What has its name is whole.
      const names = readdirSync(box.here, {
        recursive: true,
        encoding: 'utf8',
      });
      for (const name of names) {
        if (!name.endsWith('.json')) continue;
        expect(readFileSync(here(name), 'utf8')).toBe(readFileSync(out(name), 'utf8'));
      }
      const report = await box.pull();
      expect(report.files.filter(({ mark }) => mark !== 'equal')).toEqual([]);
      expect(report.files).toHaveLength(61);
      expect(readFileSync(here('model.bin')).equals(bytes)).toBe(true);
      expect(box.left()).toEqual([]);
    },
  );
});
