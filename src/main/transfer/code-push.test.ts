import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PushRequest } from '../../shared/runs/launch/run-request.ts';
import { BOX_SHELLS } from '../onbox/onbox-scripts.fixture.ts';
import { programsOf } from '../runs/programs.fixture.ts';
import { BOX, RunBox, value } from '../runs/run-box.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { Project } from './project.fixture.ts';

const isLinux = process.platform === 'linux';

const ODD = ['a b\'c"d', 'é ü 日本', '-rf', 'two\nlines', 'back\\slash', '$(x) `y` *', '.hidden'];

function filesIn(folder: string, prefix = ''): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? filesIn(join(folder, entry.name), `${prefix}${entry.name}/`)
      : [`${prefix}${entry.name}`],
  );
}

let project: Project;
let box: RunBox;
beforeEach(() => {
  project = new Project();
  box = new RunBox();
});
afterEach(async () => {
  await box.close();
  project.remove();
});
const work = (path = ''): string => join(box.home, 'work', path);
const planOf = async (more: Partial<PushRequest> = {}, command = 'cat main.txt') =>
  value(await box.plan({ push: project.push(more), command }));
const launch = async (more: Partial<PushRequest> = {}, command = 'cat main.txt') => {
  const plan = await planOf(more, command);
  return box.in(value(await box.launcher.launch(BOX.id, plan.plan)), plan.runId);
};

describe.skipIf(!hasSshd || !isLinux).each(BOX_SHELLS)(
  'code on a box with $name',
  ({ shell, isInstalled }) => {
    beforeEach(() => box.open({ path: programsOf(shell) }));

    it.skipIf(!isInstalled)(
      'arrives whole, whatever its names; then nothing is sent twice',
      async () => {
        for (const name of ODD) project.write(`dir ${name}/${name}`, name);
        project.write('main.txt', 'main').write('run.sh', '#!/bin/sh\necho hi\n', 0o755);
        project.write('empty', '').write(`${'long'.repeat(50)}/${'name'.repeat(40)}`, 'far');
        project.write('big.bin', Buffer.alloc(3_000_000, 7));
        symlinkSync('main.txt', join(project.folder, 'link'));
        symlinkSync('/etc/passwd', join(project.folder, 'out'));
        const plan = await planOf();
        expect(plan.checks.filter(({ answer }) => answer === 'block')).toEqual([]);
        const count = filesIn(project.folder).length - 1;
        expect(plan.push).toMatchObject({
          files: count,
          send: { count },
          replaced: { count: 0 },
          commit: null,
          leftOut: [{ path: 'out' }],
        });
        expect(existsSync(work('main.txt'))).toBe(false);
        const launched = value(await box.launcher.launch(BOX.id, plan.plan));
        expect(box.in(launched, plan.runId).code).toMatchObject({
          tree: plan.push?.tree,
        });
        for (const path of filesIn(project.folder)) {
          if (path === 'out') continue;
          const isSame = readFileSync(work(path)).equals(readFileSync(join(project.folder, path)));
          expect([path, isSame]).toEqual([path, true]);
        }
        expect(readlinkSync(work('link'))).toBe('main.txt');
        expect(statSync(work('run.sh')).mode & 0o777).toBe(0o755);
        expect(existsSync(work('.leasehold-push'))).toBe(false);
        expect((await planOf()).push).toMatchObject({
          send: { count: 0, bytes: 0 },
        });
        project.write('main.txt', 'other');
        chmodSync(join(project.folder, 'run.sh'), 0o644);
        expect((await planOf()).push).toMatchObject({
          send: { count: 2, first: ['main.txt', 'run.sh'] },
          replaced: { count: 2 },
        });
        await box.until((await launch()).id, 'done');
        expect(readFileSync(work('main.txt'), 'utf8')).toBe('other');
        expect(statSync(work('run.sh')).mode & 0o111).toBe(0);
      },
    );

    it.skipIf(!isInstalled)(
      'what is no longer here is told, and goes only where that is asked for',
      async () => {
        project.write('main.txt', 'm').write('old.txt', 'o').write('mine.txt', 'x');
        await box.until((await launch()).id, 'done');
        writeFileSync(work('result.txt'), 'a result');
        writeFileSync(work('mine.txt'), 'changed on the box');
        rmSync(join(project.folder, 'old.txt'));
        rmSync(join(project.folder, 'mine.txt'));
        const told = {
          gone: { count: 1, first: ['old.txt'] },
          kept: { first: ['mine.txt'] },
        };
        expect((await planOf()).push).toMatchObject({
          ...told,
          isDeleting: false,
        });
        await launch({ delete: true });
        expect(readdirSync(work()).sort()).toEqual(['main.txt', 'mine.txt', 'result.txt']);
      },
    );
  },
);

describe.skipIf(!hasSshd || !isLinux)('a push', () => {
  beforeEach(() => box.open());

  it('sends what git does not ignore, and keeps commit and dirty tree with the run (U42)', async () => {
    project.write('main.txt', 'm').write('.gitignore', '*.bin\n').write('data.bin', 'x');
    project.write('sub/notes.md', 'n').write('gone.txt', 'g');
    project.git('init', '-q').git('add', '.').git('commit', '-qm', 'one');
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: project.folder,
      encoding: 'utf8',
    }).trim();
    expect((await planOf()).push).toMatchObject({ commit, isDirty: false });
    project.write('new.txt', 'untracked');
    rmSync(join(project.folder, 'gone.txt'));
    const run = await launch({ ignore: ['sub/'] });
    expect(readdirSync(work()).sort()).toEqual(['.gitignore', 'main.txt', 'new.txt']);
    expect(run.code).toMatchObject({ commit, isDirty: true });
    expect(JSON.parse(box.read(run.id, 'about'))).toMatchObject({
      code: run.code,
    });
  });

  it('starts no program that a foreign project names for git', async () => {
    project.write('main.txt', 'm').write('.gitattributes', '* filter=mine\n');
    project.git('init', '-q').git('add', '.').git('commit', '-qm', 'one');
    const started = `${project.folder}-started`;
    project.git('config', 'filter.mine.clean', `touch ${started}; cat`);
    // As long as before, and of another time: git has to read the file to tell whether it changed.
    project.write('main.txt', 'n');
    utimesSync(join(project.folder, 'main.txt'), 1, 1);
    expect((await planOf()).push).toMatchObject({ isDirty: true });
    expect(existsSync(started)).toBe(false);
    project.git('status');
    expect(existsSync(started)).toBe(true);
    rmSync(started);
  });

  it('refuses scripts with Windows line ends by name, or changes them where that is asked for (U26)', async () => {
    project.write('main.txt', 'keep\r\nthese\r\n').write('a/run.sh', 'echo a\r\necho b\r\n');
    const plan = await planOf({}, 'sh a/run.sh');
    expect(plan.checks.find(({ id }) => id === 'line-ends')).toMatchObject({
      answer: 'block',
      gotcha: 'U26',
      says: expect.stringContaining('a/run.sh has Windows line endings') as string,
    });
    expect(await box.launcher.launch(BOX.id, plan.plan)).toMatchObject({
      ok: false,
      error: { code: 'run-blocked' },
    });
    expect(readdirSync(work())).toEqual([]);
    expect((await planOf({ fixLineEnds: true }, 'sh a/run.sh')).push?.fixed.first).toEqual([
      'a/run.sh',
    ]);
    const run = await launch({ fixLineEnds: true }, 'sh a/run.sh');
    await box.until(run.id, 'done');
    expect(box.read(run.id, 'log')).toBe('a\nb\n');
    expect(readFileSync(work('main.txt'), 'utf8')).toBe('keep\r\nthese\r\n');
  });

  it('sends nothing else than what was planned', async () => {
    project.write('main.txt', 'planned');
    const plan = await planOf();
    project.write('main.txt', 'changed');
    expect(await box.launcher.launch(BOX.id, plan.plan)).toMatchObject({
      ok: false,
      error: {
        code: 'code-not-sent',
        message: 'main.txt changed after the plan. Nothing was started.',
      },
    });
    expect(existsSync(work('main.txt'))).toBe(false);
    expect(existsSync(box.place(plan.runId))).toBe(false);
  });

  it('starts nothing where the box has other code than was pushed (FZ2)', async () => {
    project.write('main.txt', 'm').write('same.txt', 's');
    await box.until((await launch()).id, 'done');
    project.write('main.txt', 'n');
    const plan = await planOf();
    writeFileSync(work('same.txt'), 'changed on the box');
    expect(await box.launcher.launch(BOX.id, plan.plan)).toMatchObject({
      ok: false,
      error: {
        message: expect.stringContaining('is not what was pushed: same.txt') as string,
      },
    });
    expect(existsSync(box.place(plan.runId))).toBe(false);
  });

  it('overwrites and deletes only what is as the plan has seen it', async () => {
    project.write('main.txt', 'm').write('notes.json', 'pushed');
    await box.until((await launch()).id, 'done');
    project.write('main.txt', 'n').write('new.txt', 'pushed');
    rmSync(join(project.folder, 'notes.json'));
    const refused = async (path: string, was: string | null): Promise<void> => {
      const plan = await planOf({ delete: true });
      expect(plan.push).toMatchObject({ gone: { first: ['notes.json'] } });
      writeFileSync(work(path), 'written by a run');
      expect(await box.launcher.launch(BOX.id, plan.plan)).toMatchObject({
        ok: false,
        error: {
          code: 'code-not-sent',
          message: `${path} was changed on the box after the plan. Nothing was started.`,
        },
      });
      expect(readFileSync(work(path), 'utf8')).toBe('written by a run');
      expect(existsSync(box.place(plan.runId))).toBe(false);
      expect(readFileSync(work('notes.json'), 'utf8')).toMatch(/^(?:pushed|written by a run)$/);
      if (was === null) rmSync(work(path));
      else writeFileSync(work(path), was);
    };
    await refused('main.txt', 'm');
    await refused('new.txt', null);
    await refused('notes.json', 'pushed');
    writeFileSync(work('notes.json'), 'written by a run');
    expect((await planOf({ delete: true })).push).toMatchObject({
      gone: { count: 0 },
      kept: { first: ['notes.json'] },
    });
  });

  it('says where a folder is in the way of a file', async () => {
    project.write('main.txt', 'm');
    mkdirSync(work('main.txt'));
    const { checks } = await planOf();
    expect(checks.find(({ id }) => id === 'in-the-way')).toMatchObject({
      answer: 'block',
    });
  });

  it('makes the folder where there is none', async () => {
    project.write('main.txt', 'm');
    const plan = value(
      await box.plan({
        push: project.push(),
        command: 'cat main.txt',
        folder: '~/new/place',
      }),
    );
    expect(plan.checks.find(({ id }) => id === 'folder')).toMatchObject({
      answer: 'pass',
    });
    value(await box.launcher.launch(BOX.id, plan.plan));
    await box.until(plan.runId, 'done');
    expect(box.read(plan.runId, 'log')).toBe('m');
  });

  describe('of much', () => {
    const pushing = () =>
      value(box.hub.open(1, 'pushes', '')).state as {
        boxes: Record<string, { doneBytes: number; isResumed: boolean; stage: string }>;
      };
    beforeEach(() => {
      for (let at = 0; at < 40; at += 1) {
        project.write(`data/${String(at)}.bin`, Buffer.alloc(1024 * 1024, at));
      }
      project.write('main.txt', 'm');
    });
    const halfWay = () =>
      vi.waitFor(
        () => {
          const { doneBytes } = pushing().boxes[BOX.id] ?? { doneBytes: 0 };
          expect(doneBytes).toBeGreaterThan(8 * 1024 * 1024);
        },
        { interval: 2 },
      );

    it('is measured, so that the next plan says how long it will take to send', async () => {
      expect((await planOf()).outlook.sending).toBeNull();
      const first = await launch();
      await box.until(first.id, 'done');
      expect((await planOf()).outlook).not.toHaveProperty('sending');
      project.write('data/0.bin', Buffer.alloc(1024 * 1024, 99));
      const { outlook } = await planOf();
      expect(outlook.sending).toMatchObject({ pushes: 1 });
      if (outlook.sending === 'unread') throw new Error('what was measured could not be read');
      const [slowest, fastest] = outlook.sending?.bytesPerS ?? [];
      expect(slowest).toBeGreaterThan(0);
      expect(outlook.sending?.ms[0]).toBeCloseTo(((1024 * 1024) / (fastest ?? 1)) * 1000, 3);
    });

    it('goes on over a new connection where the link is cut, with what has not arrived', async () => {
      const plan = await planOf();
      box.proxy.delay(5);
      const launching = box.launcher.launch(BOX.id, plan.plan);
      await halfWay();
      box.proxy.cut();
      await vi.waitFor(() => expect(pushing().boxes[BOX.id]).toMatchObject({ isResumed: true }), {
        interval: 2,
      });
      await vi.waitFor(() => expect(pushing().boxes[BOX.id]).toMatchObject({ stage: 'sending' }), {
        interval: 2,
      });
      expect(pushing().boxes[BOX.id]?.doneBytes).toBeGreaterThan(1024 * 1024);
      await launching;
      await box.connect();
      const run = await box.until(plan.runId, 'done');
      expect(run.code?.tree).toBe(plan.push?.tree);
      expect(pushing().boxes).toEqual({});
    });

    it('starts nothing where it is cancelled, and goes on from there', async () => {
      const plan = await planOf();
      box.proxy.delay(5);
      const launching = box.launcher.launch(BOX.id, plan.plan);
      await halfWay();
      box.pushes.stop(BOX.id);
      expect(await launching).toMatchObject({
        ok: false,
        error: { message: 'The push was cancelled. Nothing was started.' },
      });
      expect(existsSync(box.place(plan.runId))).toBe(false);
      expect(existsSync(work('main.txt'))).toBe(false);
      box.proxy.delay(0);
      const again = await planOf();
      const told: {
        readonly value: {
          readonly stage: string;
          readonly doneBytes: number;
        } | null;
      }[] = [];
      box.hub.addClient(2, ({ deltas }) => told.push(...(deltas as typeof told)));
      value(box.hub.open(2, 'pushes', ''));
      value(await box.launcher.launch(BOX.id, again.plan));
      await vi.waitFor(() => expect(told.at(-1)?.value).toBeNull());
      const begun = told.find((each) => each.value?.stage === 'sending');
      expect(begun?.value?.doneBytes).toBeGreaterThan(1024 * 1024);
      await box.until(again.runId, 'done');
    });
  });
});
