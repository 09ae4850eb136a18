import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunRequest } from '../../shared/runs/launch/run-request.ts';
import { statusWords } from '../../shared/runs/launch/run-words.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import {
  whyNoFailingDisk,
  whyNoSmallDisk,
  withFailingDisk,
  withSmallDisk,
} from '../storage/disk.fixture.ts';
import { Project } from '../transfer/project.fixture.ts';
import { pathWith, whereIs } from './programs.fixture.ts';
import { BOX, RunBox, value } from './run-box.fixture.ts';

// Real disks of a box that take nothing any more, each in a moment of a run: named, and nothing shown as what it is not.

const canRun = hasSshd && process.platform === 'linux';

interface Fault {
  readonly what: string;
  readonly why: string;
  readonly spoil: (disk: Disk) => void;
}
interface Disk {
  readonly folder: string;
  readonly fill: (leaveBytes: number) => void;
  readonly free: () => void;
  readonly takeInodes: () => void;
  readonly close: () => void;
}
const FAULTS: readonly Fault[] = [
  { what: 'is full', why: 'disk-full', spoil: (disk) => disk.fill(0) },
  { what: 'has no inodes left', why: 'no-inodes', spoil: (disk) => disk.takeInodes() },
  { what: 'is read-only', why: 'read-only', spoil: (disk) => disk.close() },
];

describe.skipIf(!canRun || whyNoSmallDisk !== null)('a disk of a box', () => {
  let box: RunBox;
  let project: Project;
  beforeEach(() => {
    box = new RunBox();
    project = new Project();
  });
  afterEach(async () => {
    await box.close();
    project.remove();
  });

  const onDisk = (test: (disk: Disk) => Promise<void>): Promise<void> =>
    withSmallDisk(1024, async (disk) => {
      await test(disk);
      // Nothing of the box works there any more.
      box.killAll();
    });
  /** The folder of all runs, or of the code, lies there. */
  const putOn = (disk: Disk, name: string): void => {
    const place = join(disk.folder, 'there');
    mkdirSync(place);
    mkdirSync(join(box.home, name, '..'), { recursive: true });
    symlinkSync(place, join(box.home, name));
  };
  const said: Readonly<Record<string, RegExp>> = {
    'disk-full': /disk .* is full/,
    'no-inodes': /no inodes left/,
    'read-only': /read-only/,
  };

  it.each(FAULTS)(
    'that $what under the run folder launches nothing, and says so',
    ({ why, spoil }) =>
      onDisk(async (disk) => {
        await box.open();
        putOn(disk, '.local/state/leasehold');
        const plan = value(await box.plan({ command: 'touch began' }));
        spoil(disk);
        const launched = await box.launcher.launch(BOX.id, plan.plan);
        expect(launched).toMatchObject({
          ok: false,
          error: {
            code: 'run-not-launched',
            message: expect.stringMatching(said[why] ?? /^$/) as string,
          },
        });
        expect(launched.ok ? '' : launched.error.nextStep).not.toBe('');
        disk.free();
        expect(value(await box.watch.look(BOX.id)).runs).toEqual([]);
        expect(existsSync(join(box.home, 'work/began'))).toBe(false);
      }),
  );

  it.each(FAULTS)('that $what under the code takes no push, and says so', ({ why, spoil }) =>
    onDisk(async (disk) => {
      await box.open();
      putOn(disk, 'code');
      for (let at = 0; at < 40; at += 1) project.write(`${String(at)}.txt`, Buffer.alloc(4096, at));
      const plan = value(
        await box.plan({ command: 'touch ~/began', folder: '~/code', push: project.push() }),
      );
      spoil(disk);
      const launched = await box.launcher.launch(BOX.id, plan.plan);
      expect(launched).toMatchObject({
        ok: false,
        error: {
          code: 'code-not-sent',
          message: expect.stringMatching(said[why] ?? /^$/) as string,
        },
      });
      disk.free();
      expect(value(await box.watch.look(BOX.id)).runs).toEqual([]);
      expect(
        readdirSync(join(box.home, 'code')).filter((name) => name !== '.leasehold-push'),
      ).toEqual([]);
    }),
  );

  const copying = (disk: Disk): Partial<RunRequest> => ({
    command: `mkdir -p out && head -c 50000 /dev/zero >out/best.pt; while [ ! -e ~/go-on ]; do sleep 0.05; done`,
    results: 'out',
    copy: { to: disk.folder, prune: ['*'] },
  });
  it.each(FAULTS)(
    'that $what under the durable copy fails the run, and says so',
    ({ why, spoil }) =>
      onDisk(async (disk) => {
        await box.open();
        const { id } = await box.launch(copying(disk));
        await box.settled(id, 'job');
        spoil(disk);
        writeFileSync(join(box.home, 'go-on'), '');
        const run = await box.until(id, 'failed');
        expect(run.status).toMatchObject({ exitCode: 0, copy: why });
        expect(statusWords(run, true).title).toMatch(said[why] ?? /^$/);
        expect(readdirSync(join(box.home, 'work/out'))).toEqual(['best.pt']);
      }),
  );

  it('is named also where its owner reads another language', async () => {
    const cp = (real: string): string =>
      `[ "\${LC_ALL:-}" = C ] || { echo 'cp: Auf dem Gerät ist kein Speicherplatz mehr verfügbar' >&2; exit 1; }\nexec ${real} "$@"`;
    await onDisk(async (disk) => {
      await box.open({
        path: pathWith(join(box.home, 'bin'), { cp: cp(whereIs('cp')) }),
        env: { LANG: 'de_DE.UTF-8' },
      });
      disk.fill(8192);
      const { id } = await box.launch({
        command: 'mkdir -p out && head -c 50000 /dev/urandom >out/best.pt',
        results: 'out',
        copy: { to: disk.folder, prune: [] },
      });
      expect((await box.until(id, 'failed')).status).toMatchObject({ copy: 'disk-full' });
    });
  });

  it('with a quota that is used up is named, whoever says it', async () => {
    const cp = `echo 'cp: error writing: Disk quota exceeded' >&2; exit 1`;
    await box.open({ path: pathWith(join(box.home, 'bin'), { cp }) });
    const { id } = await box.launch({
      command: 'mkdir -p out && echo x >out/best.pt',
      results: 'out',
      copy: { to: '~/durable', prune: [] },
    });
    expect((await box.until(id, 'failed')).status).toMatchObject({ copy: 'quota' });
  });

  it.each(FAULTS.filter(({ why }) => why !== 'read-only'))(
    'that $what while a run writes its log takes the end of the run all the same',
    ({ spoil }) =>
      onDisk(async (disk) => {
        await box.open();
        putOn(disk, '.local/state/leasehold');
        const { id } = await box.launch({
          command: 'echo began; while [ ! -e ~/go-on ]; do sleep 0.05; done; exit 3',
        });
        await box.settled(id, 'log');
        spoil(disk);
        writeFileSync(join(box.home, 'go-on'), '');
        expect((await box.until(id, 'failed')).status).toMatchObject({ exitCode: 3 });
      }),
  );

  it('that is full under the run folder while results are copied makes no copy, and says which disk', () =>
    onDisk(async (disk) => {
      await box.open();
      putOn(disk, '.local/state/leasehold');
      const { id } = await box.launch({
        command: `mkdir -p out; i=0; while [ $i -lt 200 ]; do echo x >out/$i; i=$((i + 1)); done; while [ ! -e ~/go-on ]; do sleep 0.05; done`,
        results: 'out',
        copy: { to: '~/durable', prune: ['*'] },
      });
      await box.settled(id, 'job');
      await vi.waitFor(() => expect(existsSync(join(box.home, 'work/out/199'))).toBe(true));
      disk.fill(8192);
      writeFileSync(join(box.home, 'go-on'), '');
      const run = await box.until(id, 'failed');
      expect(run.status).toMatchObject({
        exitCode: 0,
        copy: expect.stringMatching(/^(?:run-disk-full|not-noted)$/) as string,
      });
      expect(statusWords(run, true).title).toContain('the disk of the run folder');
      expect(readdirSync(join(box.home, 'work/out'))).toHaveLength(200);
    }));
});

describe.skipIf(!canRun || whyNoFailingDisk !== null)(
  'a disk that fails while a run writes',
  () => {
    let box: RunBox;
    beforeEach(() => (box = new RunBox()));
    afterEach(() => box.close());

    it('shows it as ending and never as done, and as over without an exit code once nobody waits', () =>
      withFailingDisk(async (disk) => {
        await box.open();
        const state = join(box.home, '.local/state/leasehold');
        mkdirSync(join(state, '..'), { recursive: true });
        symlinkSync(disk.folder, state);
        try {
          const { id } = await box.launch({
            command: 'while [ ! -e ~/go-on ]; do echo x; sleep 0.05; done',
          });
          await box.settled(id, 'log');
          disk.fail();
          writeFileSync(join(box.home, 'go-on'), '');
          await vi.waitFor(async () =>
            expect((await box.look(id)).status).toEqual({ kind: 'running', isEnding: true }),
          );
          expect(statusWords(await box.look(id), true)).toMatchObject({ words: 'Ending' });
          process.kill(box.numberIn(id, 'go'), 'SIGKILL');
          const { title } = statusWords(await box.until(id, 'lost'), true);
          expect(title).toContain('could not be written');
          // Whether it takes anything shows only in writing, which a plan does not.
          const next = value(await box.plan());
          expect(await box.launcher.launch(BOX.id, next.plan)).toMatchObject({
            error: { message: expect.stringContaining('read-only') as string },
          });
        } finally {
          box.killAll();
          rmSync(state);
        }
      }));
  },
);
