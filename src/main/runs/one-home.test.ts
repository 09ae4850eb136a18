// Machines that have one home, as the nodes of a cluster do: each shows the runs of all, and the processes of none but its own.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endPass } from '../../shared/teardown/change-pass.fixture.ts';
import { runNews } from '../../shared/news/kinds/run-news.ts';
import type { LaunchPlan, PreflightCheck } from '../../shared/runs/launch/launch-plan.ts';
import { selectOffered } from '../../shared/runs/resume/resume-offer.ts';
import { BOX_SHELLS, onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { ownFirst, programsOf, sharedStat, whereIs } from './programs.fixture.ts';
import { cell, queue } from './queue/queue-box.fixture.ts';
import { BOX, request, RunBox, value } from './run-box.fixture.ts';
import { SteppedScripts } from './stepped-scripts.fixture.ts';

const WAITS = { name: 'the first', command: 'echo began >>../began; cat ../gate', results: 'out' };
const saversIn = ({ checks }: LaunchPlan): PreflightCheck | undefined =>
  checks.find(({ id }) => id === 'savers');

describe.skipIf(!hasSshd || process.platform !== 'linux').each(BOX_SHELLS)(
  'a run of another machine with this home, with $name',
  ({ shell, isInstalled }) => {
    let box: RunBox;
    let mate: RunBox;
    let real: string;
    const stat = (words: string): void => {
      // At once: somebody may be running the one that stands there.
      const made = join(box.home, 'made-stat');
      writeFileSync(made, `#!/bin/sh\n${words}\n`, { mode: 0o755 });
      renameSync(made, join(box.home, 'own/stat'));
    };
    beforeEach(async () => {
      box = new RunBox();
      // Until a test says otherwise the home lies on a disk of both.
      const own = join(box.home, 'own');
      mkdirSync(own);
      real = shell[0] === 'busybox' ? `${whereIs('busybox')} stat` : whereIs('stat');
      stat(sharedStat(real));
      const path = `${own}:${programsOf(shell)}`;
      await box.open({ path });
      const proc = join(box.home, 'proc');
      mkdirSync(join(proc, 'sys/kernel/random'), { recursive: true });
      writeFileSync(
        join(proc, 'sys/kernel/random/boot_id'),
        '0badcafe-0000-4000-8000-000000000000\n',
      );
      writeFileSync(join(proc, 'sys/kernel/hostname'), 'another-node\n');
      mate = new RunBox(box.home);
      await mate.open({
        path,
        env: { LEASEHOLD_PROC_ROOT: proc, LEASEHOLD_RUN_PROC_ROOT: '/proc' },
      });
      execFileSync('mkfifo', [join(box.home, 'gate')]);
    });
    afterEach(async () => {
      await mate.quit();
      await mate.proxy.stop();
      await mate.sshd.stop();
      await box.close();
    });
    const began = (): string => readFileSync(join(box.home, 'began'), 'utf8');

    it.skipIf(!isInstalled)(
      'is neither lost nor over there, and nothing goes on after it or beside it unless a person says so',
      async () => {
        const run = await box.launch(WAITS);
        await box.settled(run.id, 'job');
        const seen = await mate.look(run.id);
        expect(seen.status).toEqual({ kind: 'elsewhere', machine: hostname() });
        for (const planned of [
          () => mate.launcher.planResume(BOX.id, run.id),
          () => mate.plan({ ...WAITS, name: 'the second' }),
        ]) {
          const plan = value(await planned());
          expect(saversIn(plan)).toMatchObject({
            answer: 'block',
            says: expect.stringContaining('“the first” was launched on another machine') as string,
          });
          expect(await mate.launcher.launch(BOX.id, plan.plan)).toMatchObject({
            error: { code: 'run-blocked' },
          });
        }
        expect(readdirSync(box.place(''))).toEqual([run.id]);
        // Its log is no more over than itself.
        const log = mate.openLog(run.id);
        await vi.waitFor(() => expect(log().state).toBe('following'));
        appendFileSync(box.place(run.id, 'log'), 'one more line\n');
        await vi.waitFor(() => expect(log().text).toContain('one more line'));
        // Who ends it there ends nothing.
        expect((await mate.launcher.end(BOX.id, run.id, endPass(run.id))).ok).toBe(false);
        expect((await box.look(run.id)).status).toEqual({ kind: 'running' });
        writeFileSync(join(box.home, 'gate'), 'go\n');
        await box.until(run.id, 'done');
        expect((await mate.look(run.id)).status).toMatchObject({ kind: 'done' });
        // No machine tells the end of what it has not run.
        expect([box.news.length, mate.news.length]).toEqual([1, 0]);
        expect(began()).toBe('began\n');
      },
    );

    it.skipIf(!isInstalled)(
      'is followed where its machine was denied to be gone, without a look at every log each time',
      async () => {
        const run = await box.launch(WAITS);
        await box.settled(run.id, 'job');
        box.quieten(run.id);
        await mate.look(run.id);
        value(await mate.launcher.machineGone(BOX.id, run.id, hostname()));
        const log = box.place(run.id, 'log');
        appendFileSync(log, 'more\n');
        expect((await mate.look(run.id)).status).toMatchObject({ doubt: 'denied' });
        const looks = join(box.home, 'looks');
        writeFileSync(looks, '');
        const path = ownFirst(
          join(box.home, 'counted'),
          `${join(box.home, 'own')}:${programsOf(shell)}`,
        );
        writeFileSync(
          join(box.home, 'counted/stat'),
          `#!/bin/sh\ncase "$2" in '%s %Y') echo look >>'${looks}' ;; esac\nexec '${box.home}/own/stat' "$@"\n`,
          { mode: 0o755 },
        );
        const proc = join(box.home, 'proc');
        const text = await onboxScripts.textOf('run-log.sh');
        const follower = spawn(whereIs(shell[0]), [...shell.slice(1), '-c', text], {
          env: {
            ...{
              PATH: path,
              HOME: box.home,
              LEASEHOLD_PROC_ROOT: proc,
              LEASEHOLD_RUN_PROC_ROOT: '/proc',
            },
            ...{
              LEASEHOLD_MARK: 'm',
              LEASEHOLD_ID: run.id,
              LEASEHOLD_QUEUE: '',
              LEASEHOLD_CELL: '',
            },
            ...{ LEASEHOLD_FROM: '0', LEASEHOLD_LAST: '0', LEASEHOLD_UNTIL: '' },
          },
        });
        const ended = once(follower, 'exit');
        let read = '';
        follower.stdout.setEncoding('utf8').on('data', (more: string) => (read += more));
        for (let line = 1; line <= 12; line += 1) {
          appendFileSync(log, `line ${String(line)}\n`);
          await vi.waitFor(() => expect(read).toContain(`line ${String(line)}\n`));
        }
        const asked = readFileSync(looks, 'utf8').split('\n').length - 1;
        expect(asked).toBeGreaterThan(0);
        expect(asked).toBeLessThan(6);
        writeFileSync(join(box.home, 'gate'), 'go\n');
        expect(await ended).toEqual([0, null]);
      },
    );

    it.skipIf(!isInstalled)('is lost where it began once that machine has restarted', async () => {
      const run = await box.launch(WAITS);
      await box.settled(run.id, 'job');
      await vi.waitFor(() => expect(began()).toBe('began\n'));
      box.killAll();
      for (const file of ['launcher', 'go', 'job']) {
        const text = box.read(run.id, file);
        writeFileSync(box.place(run.id, file), text.replace(/ [0-9a-f-]+\//, ' 0dca9e43-0000/'));
      }
      expect((await box.look(run.id)).status).toEqual({ kind: 'lost', because: 'restart' });
      expect((await mate.look(run.id)).status).toMatchObject({ kind: 'elsewhere' });
      expect(await mate.launcher.declineResume(BOX.id, run.id)).toMatchObject({
        error: { code: 'run-not-declined' },
      });
      // Of a machine that is gone for good only a person knows that.
      const plan = value(await mate.launcher.planResume(BOX.id, run.id));
      value(await mate.launcher.launch(BOX.id, plan.plan, new Set(['savers', 'origin'])));
      writeFileSync(join(box.home, 'gate'), 'go\n');
      await mate.until(plan.runId, 'done');
      expect(began()).toBe('began\nbegan\n');
      // Which the person has said by going on after it: nothing holds up what comes next.
      const another = value(await mate.plan({ ...WAITS, name: 'the third' }));
      expect(saversIn(another)?.answer).not.toBe('block');
    });

    it.skipIf(!isInstalled)(
      'is over on a disk that one kernel has at a time, once another has begun, whatever the name',
      async () => {
        const run = await box.launch(WAITS);
        await box.settled(run.id, 'job');
        expect((await mate.look(run.id)).status.kind).toBe('elsewhere');
        // ext, and what no list has.
        for (const [number, kind] of [
          ['ef53', 'lost'],
          ['65735546', 'elsewhere'],
        ] as const) {
          stat(`case "$1" in -f) echo ${number}; exit 0;; esac\nexec ${real} "$@"`);
          expect((await mate.look(run.id)).status.kind).toBe(kind);
        }
        // Another container of the same kernel may have it at the same time.
        stat(`exec ${real} "$@"`);
        const [, life = ''] = / ([0-9a-f-]+)\//.exec(box.read(run.id, 'launcher')) ?? [];
        writeFileSync(join(box.home, 'proc/sys/kernel/random/boot_id'), `${life}\n`);
        expect((await mate.look(run.id)).status.kind).toBe('elsewhere');
      },
    );

    it.skipIf(!isInstalled)(
      'is told as seen no more where the box that it was seen on is another machine now',
      async () => {
        const run = await box.launch(WAITS);
        await box.settled(run.id, 'job');
        await box.until(run.id, 'running');
        // As the next log-in to a cluster leads to another of its nodes.
        for (const file of ['launcher', 'go', 'job']) {
          const text = box.read(run.id, file).replace(/ [0-9a-f-]+\//, ' 0dca9e43-0000/');
          writeFileSync(box.place(run.id, file), text.replace(` ${hostname()} `, ' the-third '));
        }
        expect((await box.look(run.id)).status).toEqual({
          kind: 'elsewhere',
          machine: 'the-third',
        });
        await box.look(run.id);
        expect(box.news.map((news) => runNews.words(news, 0)?.title)).toEqual([
          'train-a: whether “the first” still runs is not known',
        ]);
      },
    );

    it.skipIf(!isInstalled)(
      'is lost once a person says that its machine is gone, and the folder keeps just that',
      async () => {
        const run = await box.launch(WAITS);
        await box.settled(run.id, 'job');
        await box.until(run.id, 'running');
        const gone = (machine: string) => mate.launcher.machineGone(BOX.id, run.id, machine);
        // Who was shown another one, and the very machine that runs it.
        expect(await gone('node-9')).toMatchObject({ error: { code: 'machine-not-gone' } });
        expect(await box.launcher.machineGone(BOX.id, run.id, hostname())).toMatchObject({
          error: { code: 'machine-not-gone' },
        });
        expect(readdirSync(box.place(run.id))).not.toContain('machine-gone');
        // What has just been written to, somebody may still write.
        expect(await gone(hostname())).toMatchObject({
          error: { message: expect.stringContaining('within the last two minutes') as string },
        });
        box.quieten(run.id);
        // No look says it, however often.
        expect((await mate.look(run.id)).status.kind).toBe('elsewhere');
        const said = mate.in(value(await gone(hostname())), run.id);
        expect(said.status).toMatchObject({
          ...{ kind: 'lost', because: 'machine-gone', machine: hostname() },
          saidAtMs: expect.any(Number) as number,
        });
        value(await gone(hostname()));
        expect(box.read(run.id, 'machine-gone')).toMatch(
          new RegExp(`^machine-gone \\d+ ${hostname()} 0 \\d+\nA person has said .*\n$`),
        );
        expect(selectOffered([said])).toEqual([said]);
        // What it saves into is free, and its own machine knows better.
        expect(saversIn(value(await mate.plan({ ...WAITS, name: 'other' })))?.answer).not.toBe(
          'block',
        );
        expect((await box.look(run.id)).status).toEqual({ kind: 'running' });
        // Only that machine can end it, whatever was said.
        expect(await mate.launcher.end(BOX.id, run.id, endPass(run.id))).toMatchObject({
          error: { message: expect.stringContaining('only that one can end it') as string },
        });
        // As soon as its log grows, that is denied, also by a machine whose clock is behind.
        const log = box.place(run.id, 'log');
        appendFileSync(log, 'more\n');
        box.quieten(run.id);
        const elsewhere = { kind: 'elsewhere', machine: hostname() };
        expect((await mate.look(run.id)).status).toEqual({ ...elsewhere, doubt: 'denied' });
        value(await gone(hostname()));
        expect((await mate.look(run.id)).status.kind).toBe('lost');
        // Nor does it count where the mark is none of ours, or nobody can tell how the log stands.
        const mark = box.place(run.id, 'machine-gone');
        const [kept, edited] = [box.read(run.id, 'machine-gone'), `machine-gone 1 ${hostname()}\n`];
        writeFileSync(mark, edited);
        expect((await mate.look(run.id)).status).toEqual({ ...elsewhere, doubt: 'odd' });
        rmSync(mark);
        mkdirSync(mark);
        expect((await mate.look(run.id)).status).toEqual({ ...elsewhere, doubt: 'odd' });
        expect(await gone(hostname())).toMatchObject({
          error: { message: expect.stringContaining('did not write') as string },
        });
        rmdirSync(mark);
        writeFileSync(mark, kept);
        stat(`case "$2 $3" in "%s %Y "*/log) exit 1;; esac\n${sharedStat(real)}`);
        expect((await mate.look(run.id)).status).toEqual({ ...elsewhere, doubt: 'unseen' });
        stat(sharedStat(real));
        expect((await mate.look(run.id)).status.kind).toBe('lost');
        expect((await mate.look(run.id)).status.kind).toBe('lost');
        writeFileSync(join(box.home, 'gate'), 'go\n');
        await box.until(run.id, 'done');
        expect((await mate.look(run.id)).status.kind).toBe('done');
        expect(await gone(hostname())).toMatchObject({ error: { code: 'machine-not-gone' } });
        expect(mate.news).toEqual([]);
      },
    );

    it.skipIf(!isInstalled)(
      'is lost by a word alone no more once a cell of its queue or its journal has grown, until somebody goes on with it',
      async () => {
        const cells = queue(
          cell('one', 'cat ../gate; echo more; cat ../gate'),
          cell('two', 'true'),
        );
        const plan = value(await box.launcher.plan(BOX.id, request({ name: 'grid' }), cells));
        value(await box.launcher.launch(BOX.id, plan.plan));
        const { runId: id } = plan;
        await vi.waitFor(() => expect(readdirSync(box.place(id, 'logs'))).toEqual(['1']));
        await mate.look(id);
        const gone = () => mate.launcher.machineGone(BOX.id, id, hostname());
        const kind = async () => (await mate.look(id)).status.kind;
        // Its own log says nothing of what its cells write.
        utimesSync(box.place(id, 'log'), 1, 1);
        expect(await gone()).toMatchObject({ error: { code: 'machine-not-gone' } });
        box.quieten(id);
        value(await gone());
        expect(await kind()).toBe('lost');
        // It is told as long as nobody has gone on after it, also where a hundred newer ones are over.
        const past = await box.launch({ command: 'true', results: 'past' });
        await box.until(past.id, 'done');
        const newer = Array.from(
          { length: 100 },
          (_, at) => `r-2999${String(1000 + at)}-000000-0a`,
        );
        for (const each of newer) execFileSync('cp', ['-R', box.place(past.id), box.place(each)]);
        expect(await kind()).toBe('lost');
        for (const each of [past.id, ...newer]) box.clearAway(each);
        for (const name of ['logs/1', 'journal']) {
          appendFileSync(box.place(id, name), '\n');
          expect((await mate.look(id)).status).toMatchObject({
            kind: 'elsewhere',
            doubt: 'denied',
          });
          box.quieten(id);
          value(await gone());
          expect(await kind()).toBe('lost');
        }
        const next = value(await mate.launcher.planResume(BOX.id, id));
        value(await mate.launcher.launch(BOX.id, next.plan, new Set(['origin'])));
        await vi.waitFor(() => expect(mate.read(id, 'journal')).toContain(`${next.runId} .`));
        expect(await kind()).toBe('lost');
        value(await mate.launcher.end(BOX.id, next.runId, endPass(next.runId)));
      },
    );

    it.skipIf(!isInstalled)(
      'is said to be lost once where the answer is lost, also by the second asking',
      async () => {
        const run = await box.launch(WAITS);
        await box.settled(run.id, 'job');
        await box.until(run.id, 'running');
        box.quieten(run.id);
        await mate.quit();
        let answers = 0;
        mate.scripts = new SteppedScripts((step) => {
          const isLost = step === 'after run-machine-gone.sh' && ++answers === 1;
          return Promise.resolve(isLost || step === 'after run-end.sh' ? 'is lost' : 'goes on');
        });
        await mate.start();
        await mate.look(run.id);
        const said = await mate.launcher.machineGone(BOX.id, run.id, hostname());
        expect(mate.in(value(said), run.id).status.kind).toBe('lost');
        expect(answers).toBe(2);
        // Nor is it said to be ended where the answer to that is lost.
        expect((await mate.launcher.end(BOX.id, run.id, endPass(run.id))).ok).toBe(false);
      },
    );

    it.skipIf(!isInstalled)('is sealed by no other machine while it is launched', async () => {
      const id = 'r-20261123-023000-1a2b3c4d';
      mkdirSync(box.place(id), { recursive: true });
      const launcher = (machine: string): void =>
        writeFileSync(
          box.place(id, 'launcher'),
          `launcher 4194303 1 0dca9e43-0000/1 1795402633 setsid ${machine} 0022\n`,
        );
      launcher('the-third');
      await mate.watch.look(BOX.id);
      expect(readdirSync(box.place(id))).toEqual(['launcher']);
      launcher('another-node');
      await mate.watch.look(BOX.id);
      expect(box.read(id, 'go')).toMatch(/^sealed \d+\n$/);
    });
  },
);
