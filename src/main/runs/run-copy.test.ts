import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endPass } from '../../shared/teardown/change-pass.fixture.ts';
import type { LaunchedRun } from '../../shared/runs/launch/launched-run.ts';
import type { RunRequest } from '../../shared/runs/launch/run-request.ts';
import { BOX_SHELLS } from '../onbox/onbox-scripts.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { whyNoSmallDisk, withSmallDisk } from '../storage/disk.fixture.ts';
import { ownFirst, pathWith, programsOf, whereIs } from './programs.fixture.ts';
import { BOX, RunBox, value } from './run-box.fixture.ts';

const isLinux = process.platform === 'linux';

const ODD = ["it's", 'a b', '-rf', 'back\\slash', 'é 日本', '$(x) *', 'two\nlines'];

let box: RunBox;
beforeEach(() => (box = new RunBox()));
afterEach(() => box.close());

const durable = (): string => join(box.home, 'durable');
const asked = (more: Partial<RunRequest> = {}): Partial<RunRequest> => ({
  command: 'mkdir -p out/deep && echo best >out/best.pt && echo old >out/deep/old.pt',
  results: 'out',
  copy: { to: '~/durable', prune: [] },
  ...more,
});
const copyOf = (run: LaunchedRun, path = ''): string => join(durable(), run.id, path);

/** A box on which this program is a script of ours; `real` is the one that it has. */
async function openWith(name: string, script: (real: string) => string): Promise<void> {
  await box.open({ path: pathWith(join(box.home, 'bin'), { [name]: script(whereIs(name)) }) });
}
/** It copies once this file is there. */
const openWithSlowCopy = (): Promise<void> =>
  openWith('cp', (real) => `while [ ! -e "${box.home}/go-on" ]; do sleep 0.1; done\n${real} "$@"`);
const letCopy = (): void => writeFileSync(join(box.home, 'go-on'), '');
async function launchUntilCopying(): Promise<LaunchedRun> {
  const { id } = await box.launch(asked());
  await box.settled(id, 'copier');
  await vi.waitFor(() => expect(readdirSync(durable())).toEqual([`${id}.partial`]));
  const run = await box.look(id);
  expect(run.status).toMatchObject({ kind: 'running', isCopying: true });
  return run;
}
const copierOf = ({ id }: LaunchedRun): number => Number(box.read(id, 'copier').split(' ')[1]);

describe.skipIf(!hasSshd || !isLinux).each(BOX_SHELLS)(
  'the results of a run on a box with $name',
  ({ shell, isInstalled }) => {
    beforeEach(async () => {
      const own = join(box.home, 'own');
      const path = programsOf(shell);
      await box.open({ path: ownFirst(own, path) });
      // Somebody writes to a result between its copy and its removal, on a disk whose clock is behind.
      const late = `${box.home}/work/out/deep/late.pt`;
      writeFileSync(
        join(own, 'cmp'),
        `#!/bin/sh\nif [ -e "${late}" ]; then echo newer >"${late}"; touch -d '2020-01-01 00:00' "${late}"; fi\nexec ${path}/cmp "$@"\n`,
        { mode: 0o755 },
      );
      // And to another one right after it was read once more.
      const after = `${box.home}/work/out/deep/after.pt`;
      const isPruning = `[ -e "${after}" ] && ls "${box.place('')}"/*/pruning >/dev/null 2>&1`;
      for (const name of ['openssl', 'sha256sum']) {
        if (!existsSync(join(path, name))) continue;
        writeFileSync(
          join(own, name),
          `#!/bin/sh\n${path}/${name} "$@" || exit\nif ${isPruning}; then echo new >"${after}"; touch -d '2020-01-01 00:00' "${after}"; fi\n`,
          { mode: 0o755 },
        );
      }
    });

    it.skipIf(!isInstalled)(
      'are copied and read back before it is done, and only what is in the copy is removed',
      async () => {
        const out = join(box.home, 'work/out');
        mkdirSync(out, { recursive: true });
        for (const name of ODD) writeFileSync(join(out, name), name);
        const run = await box.launch(
          asked({
            command: 'mkdir out/deep && echo a >out/deep/a.pt && ln -s deep/a.pt out/link',
            copy: { to: '~/durable', prune: ['deep/*.pt', 'nothing*'] },
          }),
        );
        expect(run.copyTo).toBe(copyOf(run));
        const done = await box.until(run.id, 'done');
        expect(done.status).toMatchObject({ exitCode: 0, copy: 'copied' });
        for (const name of ODD) expect(readFileSync(copyOf(run, name), 'utf8')).toBe(name);
        expect(readFileSync(copyOf(run, 'deep/a.pt'), 'utf8')).toBe('a\n');
        expect(readlinkSync(copyOf(run, 'link'))).toBe('deep/a.pt');
        expect(readdirSync(durable())).toEqual([run.id]);
        expect(readdirSync(join(out, 'deep'))).toEqual([]);
        expect(readdirSync(out).sort()).toEqual([...ODD, 'deep', 'link'].sort());
        const log = box.read(run.id, 'log');
        expect(log).toContain(`copied ${String(ODD.length + 1)} files to ${copyOf(run)}`);
        expect(log).toContain('removed 1 copied files');
      },
    );

    it.skipIf(!isInstalled)(
      'are removed by what they hold, whatever the clock says, and by no line of another name',
      async () => {
        const out = join(box.home, 'work/out');
        // In a list of names it has a line of its own that no pattern allows.
        mkdirSync(join(out, 'deep/a\n.'), { recursive: true });
        writeFileSync(join(out, 'deep/a\n./kept'), 'one');
        writeFileSync(join(out, 'kept'), 'another');
        const run = await box.launch(
          asked({
            command: 'for each in gone late after; do echo old >out/deep/$each.pt; done',
            copy: { to: '~/durable', prune: ['deep/*'] },
          }),
        );
        const done = await box.until(run.id, 'done');
        expect(done.status).toMatchObject({ copy: 'copied' });
        expect(readFileSync(join(out, 'kept'), 'utf8')).toBe('another');
        expect(readFileSync(join(out, 'deep/late.pt'), 'utf8')).toBe('newer\n');
        expect(readFileSync(join(out, 'deep/after.pt'), 'utf8')).toBe('new\n');
        expect(existsSync(join(out, 'deep/gone.pt'))).toBe(false);
        expect(box.read(run.id, 'log')).toContain('removed 1 copied files');
        expect(readdirSync(box.place(run.id)).filter((name) => name.startsWith('prune'))).toEqual(
          [],
        );
        expect(readFileSync(copyOf(run, 'deep/late.pt'), 'utf8')).toBe('old\n');
      },
    );

    it.skipIf(!isInstalled)('are not copied where it has failed', async () => {
      const { id } = await box.launch(asked({ command: 'mkdir out; echo x >out/x; exit 3' }));
      const run = await box.until(id, 'failed');
      expect(run.status).toMatchObject({ exitCode: 3 });
      expect(run.status).not.toHaveProperty('copy');
      expect(existsSync(durable())).toBe(false);
    });

    it.skipIf(!isInstalled)('make it fail where there are none', async () => {
      const { id } = await box.launch(asked({ command: 'mkdir out' }));
      const run = await box.until(id, 'failed');
      expect(run.status).toMatchObject({ exitCode: 0, copy: 'no-results' });
      expect(box.read(id, 'log')).toContain('SYNC FAILED');
    });
  },
);

describe.skipIf(!hasSshd || !isLinux)('a copy of results', () => {
  it.skipIf(whyNoSmallDisk !== null)('fails the run where its disk is full', async () => {
    await withSmallDisk(256, async (disk) => {
      await box.open();
      disk.fill(16 * 1024);
      const { id } = await box.launch(
        asked({
          command: 'mkdir out && head -c 100000 /dev/urandom >out/best.pt',
          copy: { to: disk.folder, prune: ['*.pt'] },
        }),
      );
      const run = await box.until(id, 'failed');
      expect(run.status).toMatchObject({ exitCode: 0, copy: 'disk-full' });
      expect(readdirSync(disk.folder)).toEqual(['ballast']);
      expect(readdirSync(join(box.home, 'work/out'))).toEqual(['best.pt']);
    });
  });

  it('fails the run where it is not what the results are', async () => {
    await openWith(
      'cp',
      (real) => `${real} "$@" && for to; do :; done && echo more >>"$to/best.pt"`,
    );
    const { id } = await box.launch(asked({ copy: { to: '~/durable', prune: ['*'] } }));
    const run = await box.until(id, 'failed');
    expect(run.status).toMatchObject({ exitCode: 0, copy: 'differs' });
    expect(readdirSync(durable())).toEqual([]);
    expect(readFileSync(join(box.home, 'work/out/best.pt'), 'utf8')).toBe('best\n');
  });

  it('that is killed with all that kept it is no copy, and the run has failed', async () => {
    await openWithSlowCopy();
    const run = await launchUntilCopying();
    process.kill(box.numberIn(run.id, 'go'), 'SIGKILL');
    process.kill(-copierOf(run), 'SIGKILL');
    const failed = await box.until(run.id, 'failed');
    expect(failed.status).toMatchObject({ exitCode: 0, copy: 'cut-off' });
    expect(existsSync(copyOf(run))).toBe(false);
  });

  it('goes on where its keeper is killed, and tells by itself that it is there', async () => {
    await openWithSlowCopy();
    const run = await launchUntilCopying();
    process.kill(box.numberIn(run.id, 'go'), 'SIGKILL');
    await vi.waitFor(async () =>
      expect((await box.look(run.id)).status).toMatchObject({
        kind: 'running',
        lacksKeeper: true,
        isCopying: true,
      }),
    );
    letCopy();
    expect((await box.until(run.id, 'done')).status).toMatchObject({ copy: 'copied' });
    expect(readFileSync(copyOf(run, 'best.pt'), 'utf8')).toBe('best\n');
  });

  it('goes on where the box asks to end, for as long as it lets it', async () => {
    await openWithSlowCopy();
    const run = await launchUntilCopying();
    process.kill(box.numberIn(run.id, 'go'), 'SIGTERM');
    letCopy();
    expect((await box.until(run.id, 'done')).status).toMatchObject({ copy: 'copied' });
  });

  it('is not begun, and nothing is pruned, where the box asks to end and the command saves and exits with 0', async () => {
    await box.open();
    const saves = (says: string): string =>
      `mkdir -p out && echo half >out/last.pt && exec sh -c 'trap "echo ${says}; exit 0" TERM; echo up; while :; do sleep 0.05; done'`;
    const more = { copy: { to: '~/durable', prune: ['*.pt'] } };
    const cut = await box.launch(asked({ ...more, command: saves('saved') }));
    await box.settled(cut.id, 'log');
    process.kill(box.numberIn(cut.id, 'go'), 'SIGTERM');
    expect((await box.until(cut.id, 'cut-off')).status).toMatchObject({ exitCode: 0 });
    expect(existsSync(durable())).toBe(false);
    expect(readFileSync(join(box.home, 'work/out/last.pt'), 'utf8')).toBe('half\n');
    // Where the text of a success says that it was done all the same, it was.
    const done = await box.launch(
      asked({ ...more, command: saves('all done'), successLine: 'all done' }),
    );
    await box.settled(done.id, 'log');
    process.kill(box.numberIn(done.id, 'go'), 'SIGTERM');
    expect((await box.until(done.id, 'done')).status).toMatchObject({ copy: 'copied' });
  });

  it('ends where the person ends the run, and nothing of it is left', async () => {
    await openWithSlowCopy();
    const run = await launchUntilCopying();
    value(await box.launcher.end(BOX.id, run.id, endPass(run.id)));
    expect((await box.look(run.id)).status).toMatchObject({ kind: 'ended' });
    await vi.waitFor(() => expect(box.pids()).toEqual([]));
    expect(existsSync(copyOf(run))).toBe(false);
  });

  it('is shown in the plan to the letter, with why it could not be made', async () => {
    await box.open();
    const plan = value(await box.plan(asked({ copy: { to: '~/durable', prune: ['*.tmp'] } })));
    const text = (name: string) => plan.files.find((file) => file.name === name)?.text;
    expect(text('copy-plan')).toBe(`${box.home}/work/out\n${durable()}/${plan.runId}\n*.tmp\n`);
    expect(text('copy.sh')).toContain('SYNC FAILED');
    value(await box.launcher.launch(BOX.id, plan.plan));
    await box.settled(plan.runId, 'end');
    for (const name of ['copy-plan', 'copy.sh']) {
      expect(readFileSync(box.place(plan.runId, name), 'utf8')).toBe(text(name));
    }
    const checkOf = async (more: Partial<RunRequest>) =>
      value(await box.plan(asked(more))).checks.find(({ id }) => id === 'copy');
    expect(await checkOf({ copy: { to: '~/work/out/copy', prune: [] } })).toMatchObject({
      answer: 'block',
      anyway: null,
    });
    expect(await checkOf({ results: null })).toMatchObject({ answer: 'block', anyway: null });
    expect(await checkOf({ copy: { to: 'durable', prune: [] } })).toMatchObject({
      answer: 'block',
    });
    const closed = join(box.home, 'closed');
    writeFileSync(closed, '');
    chmodSync(closed, 0o000);
    expect(await checkOf({ copy: { to: '~/closed/x', prune: [] } })).toMatchObject({
      answer: 'block',
      gotcha: 'U33',
    });
    rmSync(closed);
  });
});
