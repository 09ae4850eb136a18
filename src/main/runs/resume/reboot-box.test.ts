import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endPass } from '../../../shared/teardown/change-pass.fixture.ts';
import { planLines } from '../../cli/plan-lines.ts';
import { hasSshd } from '../../ssh/sshd.fixture.ts';
import { cell } from '../queue/queue-box.fixture.ts';
import { BOX, request, value } from '../run-box.fixture.ts';
import { CronBox, whyNoCron } from './cron-box.fixture.ts';

const REAL_CRONTAB = '/usr/bin/crontab';

/** Lines after SHELL= are that shell's; "%" is a line break to cron; a byte that is no UTF-8. */
const MINE = `SHELL=/bin/false\nMAILTO=""\n# mine, 50 % and 'quotes' \xe9\n\n0 3 1 1 * backup \\%d % in\n`;
/** The first time it waits to be ended; the second time it is done. */
const TWICE = 'echo b >>ran; if [ -e again ]; then true; else touch again; exec sleep 600; fi';
const CELLS = [cell('a', 'echo a >>ran'), cell('b', TWICE), cell('c', 'echo c >>ran')];
const WAITS = [cell('b', 'exec sleep 600')];

describe.skipIf(whyNoCron !== null || !hasSshd)(
  `a queue that starts again after a restart${whyNoCron === null ? '' : ` (skipped: ${whyNoCron})`}`,
  () => {
    let box: CronBox;
    beforeEach(async () => {
      box = new CronBox();
      await box.boot();
    });
    afterEach(() => box.end());

    const ran = (): string => readFileSync(join(box.home, 'work/ran'), 'utf8');
    const runs = (): readonly string[] =>
      existsSync(box.place(''))
        ? readdirSync(box.place('')).filter((name) => name.startsWith('r-'))
        : [];
    const tells = (id: string, words: string): Promise<void> =>
      box.until20s(() => expect(box.read(id, 'reboot.log')).toContain(words));
    const leftovers = (id: string): readonly string[] =>
      readdirSync(box.place(id)).filter((name) => name.startsWith('crontab'));

    it('is started by cron with the cells that are left, by one line that the plan showed (GEN6)', async () => {
      box.crontab = MINE;
      const plan = await box.armed(CELLS);
      const id = plan.runId;
      expect(planLines('train-a', plan, false)).toContain(`  ${plan.reboot ?? ''}`);
      expect(plan.checks).toContainEqual(expect.objectContaining({ id: 'reboot' }));
      expect(plan.reboot).toContain(box.place(id, 'reboot.sh'));
      expect(box.crontab).toBe(`${plan.reboot ?? ''}\n${MINE}`);
      for (const name of ['reboot.sh', 'reboot-line']) {
        expect(box.read(id, name)).toBe(plan.files.find((file) => file.name === name)?.text);
      }
      expect(leftovers(id)).toEqual([]);
      await box.until20s(() => expect(ran()).toBe('a\nb\n'));
      expect(await box.look(id)).toMatchObject({ startsAgain: true });

      await box.reboot(id);
      const next = await box.nextOf(id);
      const over = await box.until(next, 'done');
      expect(over).toMatchObject({ queue: { id, next: null }, detacher: 'cron' });
      expect(ran()).toBe('a\nb\nb\nc\n');
      expect(box.begins(id)).toEqual([1, 2, 2, 3]);
      await box.until20s(() => expect(box.crontab).toBe(MINE));
      await vi.waitFor(async () => {
        expect(await box.look(next)).not.toHaveProperty('startsAgain');
      });
      expect(box.read(id, 'reboot.log')).toContain(`${next} goes on after ${id}`);
      expect(runs()).toHaveLength(2);
    });

    it('goes on by itself after each restart, and after one by hand, until it is over', async () => {
      const id = (await box.armed([cell('b', 'echo b >>ran; [ -e enough ] || exec sleep 600')]))
        .runId;
      await box.reboot(id);
      const second = await box.nextOf(id);
      await box.goDown(second);
      const byHand = value(await box.launcher.planResume(BOX.id, second));
      expect(byHand.checks).toContainEqual(
        expect.objectContaining({ id: 'reboot', answer: 'pass' }),
      );
      value(await box.launcher.launch(BOX.id, byHand.plan));
      await box.goDown(byHand.runId);
      writeFileSync(join(box.home, 'work/enough'), '');
      await box.startCron();
      const last = await box.nextOf(byHand.runId);
      await box.until(last, 'done');
      await box.until20s(() => expect(box.crontab).toBe(''));
      expect(runs()).toHaveLength(4);
    });

    it.each([
      ['of its own', false],
      ['that others may have', true],
    ])('goes on after each restart under another name, with a home %s', async (_, isShared) => {
      if (isShared) box.shareHome();
      const id = (await box.armed([cell('b', 'echo b >>ran; [ -e enough ] || exec sleep 600')]))
        .runId;
      await box.until20s(() => expect(ran()).toBe('b\n'));
      await box.goDown(id, 'the-first-name');
      await box.startCron();
      const second = await box.nextOf(id);
      await box.goDown(second, 'the-second-name');
      writeFileSync(join(box.home, 'work/enough'), '');
      await box.startCron();
      await box.until(await box.nextOf(second), 'done');
      await box.until20s(() => expect(box.crontab).toBe(''));
      expect(runs()).toHaveLength(3);
    });

    it('goes on after a person has resumed it under one name and the box restarts under another', async () => {
      box.shareHome();
      const id = (await box.armed([cell('b', 'echo b >>ran; [ -e enough ] || exec sleep 600')]))
        .runId;
      await box.until20s(() => expect(ran()).toBe('b\n'));
      await box.goDown(id, 'the-first-name');
      const plan = value(await box.launcher.planResume(BOX.id, id));
      const over = new Set(['savers', 'origin']);
      value(await box.launcher.launch(BOX.id, plan.plan, over));
      await box.until20s(() => expect(ran()).toBe('b\nb\n'));
      await box.goDown(plan.runId, 'the-second-name');
      writeFileSync(join(box.home, 'work/enough'), '');
      await box.startCron();
      await box.until(await box.nextOf(plan.runId), 'done');
      await box.until20s(() => expect(box.crontab).toBe(''));
      expect(runs()).toHaveLength(3);
    });

    it('is not started where a person went on with it on another machine, by a Leasehold that handed the mark of the run before on', async () => {
      box.shareHome();
      const id = (await box.armed([cell('b', 'echo b >>ran; exec sleep 600')])).runId;
      await box.until20s(() => expect(ran()).toBe('b\n'));
      await box.goDown(id, 'the-first-name');
      const plan = value(await box.launcher.planResume(BOX.id, id));
      value(await box.launcher.launch(BOX.id, plan.plan, new Set(['savers', 'origin'])));
      const mark = box.read(plan.runId, 'reboot');
      expect(mark).toBe(`${id}\nown-crontab ${hostname()}\n`);
      await box.until20s(() => expect(ran()).toBe('b\nb\n'));
      await box.goDown(plan.runId, 'the-second-name');
      writeFileSync(box.place(plan.runId, 'reboot'), mark);
      await box.startCron();
      await box.until20s(() =>
        expect(box.read(id, 'reboot.log')).toContain('was launched on the-second-name: nothing is'),
      );
      expect(runs()).toHaveLength(2);
    });

    it('is started once, where a person resumes it at the same moment', async () => {
      const id = (await box.armed(CELLS)).runId;
      await box.until20s(() => expect(ran()).toBe('a\nb\n'));
      await box.goDown(id);
      const plan = value(await box.launcher.planResume(BOX.id, id));
      await Promise.all([box.launcher.launch(BOX.id, plan.plan), box.startCron()]);
      const next = await box.nextOf(id);
      await box.until(next, 'done');
      expect(ran()).toBe('a\nb\nb\nc\n');
      await box.until20s(() => expect(box.crontab).toBe(''));
      expect(runs()).toEqual([id, next].sort());
    });

    it('waits for a disk that is mounted late, and says so beside the queue', async () => {
      // What lies in its place before it is mounted, and the disk.
      const [vol, disk] = [join(box.home, 'vol'), join(box.home, 'disk')];
      for (const folder of [vol, disk]) mkdirSync(folder);
      box.mount('mount', '--bind', disk, vol);
      const id = (await box.armed(CELLS, { folder: '~/vol' })).runId;
      const ranThere = (): string => readFileSync(join(disk, 'ran'), 'utf8');
      await box.until20s(() => expect(ranThere()).toBe('a\nb\n'));
      await box.goDown(id);
      box.mount('umount', '-l', vol);
      await box.startCron();
      expect(await box.settled(id, 'reboot.log')).toContain(
        `waits for the disk of ${vol} at ${vol}`,
      );
      expect(existsSync(box.place(id, 'next'))).toBe(false);
      box.mount('mount', '--bind', disk, vol);
      await box.until(await box.nextOf(id), 'done');
      expect(ranThere()).toBe('a\nb\nb\nc\n');
      expect(readdirSync(vol)).toEqual([]);
    });

    it('waits for the GPUs of its cells, and each has the same ones again', async () => {
      box.hasCards(2);
      box.program('nvidia-smi', 'cat "$0.cards"');
      const cards = (...uuids: string[]): void =>
        box.besides('nvidia-smi.cards', uuids.map((each) => `${each}\n`).join(''));
      cards('GPU-0', 'GPU-1');
      const one = 'echo "$CUDA_VISIBLE_DEVICES" >>begun; [ -e enough ] || exec sleep 600';
      const cells = [cell('a', one), cell('b', one)];
      const id = (await box.armed(cells, { gpus: { count: 1 } })).runId;
      const begun = (): readonly string[] =>
        readFileSync(join(box.home, 'work/begun'), 'utf8').split('\n').slice(0, -1).sort();
      await box.until20s(() => expect(begun()).toEqual(['GPU-0', 'GPU-1']));
      await box.goDown(id);
      writeFileSync(join(box.home, 'work/enough'), '');
      cards('GPU-0', 'GPU-11');
      await box.startCron();
      await tells(id, 'waits for the GPU GPU-1\n');
      cards('GPU-1', 'GPU-0');
      await box.until(await box.nextOf(id), 'done');
      expect(begun()).toEqual(['GPU-0', 'GPU-0', 'GPU-1', 'GPU-1']);
    });

    it('is not started while it runs, nor once a person has stopped it, and stays paused', async () => {
      const id = (await box.armed(WAITS)).runId;
      await box.until20s(() => expect(box.begins(id)).toEqual([1]));
      // cron alone begins anew.
      await box.stopCron();
      box.mount('rm', '-f', '/run/crond.reboot', '/run/crond.pid');
      await box.startCron();
      await tells(id, 'still runs');
      writeFileSync(box.place(id, 'pause'), 'asked\n');
      await box.reboot(id);
      const next = await box.nextOf(id);
      await box.until(next, 'running');
      expect(box.begins(id)).toEqual([1]);
      expect(box.read(next, 'pause')).not.toBe('');
      writeFileSync(box.place(next, 'stop-after'), 'asked\n');
      await box.until(next, 'ended');
      await box.until20s(() => expect(box.crontab).toBe(''));
    });

    it('is not started beside a run that went on with it on another machine of the same home', async () => {
      box.shareHome();
      const id = (await box.armed(WAITS)).runId;
      await box.goDown(id);
      const next = 'r-20991123-023000-1a2b3c4d';
      cpSync(box.place(id), box.place(next), { recursive: true });
      for (const file of ['launcher', 'go', 'job']) {
        const text = box.read(id, file).replace(/ [0-9a-f-]+\//, ' 0badcafe-0000/');
        const named = text.replace(` ${hostname()} `, ' another-node ');
        rmSync(box.place(next, file));
        writeFileSync(box.place(next, file), named);
      }
      writeFileSync(box.place(id, 'next'), `${next}\n`);
      await box.startCron();
      await tells(id, `${next} was launched on another-node: nothing is started`);
      expect(box.crontab).toContain(id);
      expect(existsSync(box.place(next, 'next'))).toBe(false);
    });

    it('leaves the crontab when a person ends it or declines to go on, and not when the box asks it to end', async () => {
      box.crontab = MINE;
      const ended = await box.armed(WAITS);
      value(await box.launcher.end(BOX.id, ended.runId, endPass(ended.runId)));
      expect(box.crontab).toBe(MINE);
      const declined = (await box.armed(WAITS)).runId;
      await box.settled(declined, 'job');
      process.kill(box.numberIn(declined, 'go'), 'SIGTERM');
      await box.until(declined, 'cut-off');
      expect(box.crontab).toContain(declined);
      value(await box.launcher.declineResume(BOX.id, declined));
      expect(box.crontab).toBe(MINE);
    });

    it('leaves the crontab after its keeper was killed and a person ended it; what cannot be taken out is told and starts nothing', async () => {
      box.crontab = MINE;
      const { runId: id, reboot = '' } = await box.armed(WAITS);
      await box.settled(id, 'job');
      box.program('crontab', 'exit 1');
      expect(await box.launcher.end(BOX.id, id, endPass(id))).toMatchObject({
        error: { message: expect.stringContaining('could not be taken out') as string },
      });
      expect(await box.look(id)).toMatchObject({
        startsAgain: true,
        status: { kind: 'ended' },
      });
      expect(box.crontab).toBe(`${reboot}\n${MINE}`);
      box.program('crontab', null);
      await box.stopCron();
      box.mount('rm', '-f', '/run/crond.reboot', '/run/crond.pid');
      await box.startCron();
      await tells(id, 'nothing is started');
      await box.until20s(() => expect(box.crontab).toBe(MINE));
      expect(runs()).toEqual([id]);
    });

    it('shares the crontab with other queues that begin and end at the same time', async () => {
      box.crontab = MINE;
      const quick = (at: number) => ({
        ...{ cells: [cell('a', `true ${String(at)}`)], stopsAtFailure: false, startsAgain: true },
      });
      const launchers = [0, 1, 2].map(() => box.another());
      const ids = await Promise.all(
        launchers.map(async (each, at) => {
          const plan = value(await each.plan(BOX.id, request(), quick(at)));
          value(await each.launch(BOX.id, plan.plan));
          return plan.runId;
        }),
      );
      for (const id of ids) await box.until(id, 'done');
      await box.until20s(() => expect(box.crontab).toBe(MINE));
    });

    it('is not held up by one that was killed while it changed the crontab', async () => {
      box.crontab = MINE;
      mkdirSync(box.place(''), { recursive: true });
      writeFileSync(box.place('', 'crontab-lock'), 'lock 4194305 1 0dca9e43-0000/1\n');
      const { reboot = '' } = await box.armed(WAITS);
      expect(box.crontab).toBe(`${reboot}\n${MINE}`);
      expect(existsSync(box.place('', 'crontab-lock'))).toBe(false);
    });

    const LONG = `* * * * * ${'x'.repeat(300)}\n`.repeat(500);
    it.each([
      ['none', null],
      ['an empty one', ''],
      ['one with what a grep takes for a pattern', '1 1 1 1 1 [a-z]* .* -e\n# $\n'],
      ['a long one', LONG],
    ])('finds %s and leaves it as it was', async (_, before) => {
      box.crontab = before;
      const { runId: id, reboot = '' } = await box.armed(WAITS);
      expect(box.crontab).toBe(`${reboot}\n${before ?? ''}`);
      // The person adds a line of their own in front meanwhile.
      box.crontab = `MAILTO=me\n${box.crontab ?? ''}`;
      value(await box.launcher.end(BOX.id, id, endPass(id)));
      expect(box.crontab).toBe(`MAILTO=me\n${before ?? ''}`);
    });

    const REAL = 'REAL "$@"';
    it.each([
      ['cannot be read', `case $1 in -l) echo cron: down >&2; exit 1;; esac; exec ${REAL}`],
      [
        'says that there is none and fails otherwise',
        `case $1 in -l) echo 'no crontab for you'; exit 1;; esac; exec ${REAL}`,
      ],
      [
        'is read differently each time',
        `case $1 in -l) REAL -l; date +%N;; *) exec ${REAL};; esac`,
      ],
      ['cannot be written', `case $1 in -) exit 1;; esac; exec ${REAL}`],
      [
        'is said to be written, and is not',
        `case $1 in -) cat >/dev/null; exit 0;; esac; exec ${REAL}`,
      ],
      [
        'is written with a line less, the first time',
        `case $1 in -) [ -e "$HOME/once" ] || { touch "$HOME/once"; sed '$d' | REAL -; exit 0; };; esac; exec ${REAL}`,
      ],
    ])('is not launched with a crontab that %s, and changes nothing of it', async (_, words) => {
      box.crontab = MINE;
      const plan = value(await box.planned(WAITS));
      box.program('crontab', words.replaceAll('REAL', REAL_CRONTAB));
      expect(await box.launcher.launch(BOX.id, plan.plan)).toMatchObject({
        error: { code: 'run-not-launched', message: expect.stringContaining('crontab') as string },
      });
      expect(box.crontab).toBe(MINE);
      expect(runs()).toEqual([]);
    });

    it('is not launched with a crontab of which cron hides the first lines', async () => {
      // As somebody has written it into the spool: crontab takes comments at its head for its own three lines.
      box.crontab = `# one\n# two\n${MINE}`;
      const plan = value(await box.planned(WAITS));
      expect(await box.launcher.launch(BOX.id, plan.plan)).toMatchObject({
        error: { message: expect.stringContaining("can't be read") as string },
      });
      expect(box.crontab).toBe(`# one\n# two\n${MINE}`);
    });

    it('is not launched with a crontab that has no end of its last line, which cron would not take', async () => {
      const cut = MINE.slice(0, -1);
      box.crontab = cut;
      const plan = value(await box.planned(WAITS));
      expect(await box.launcher.launch(BOX.id, plan.plan)).toMatchObject({
        error: { message: expect.stringContaining('did not take the line') as string },
      });
      expect(box.crontab).toBe(cut);
      expect(runs()).toEqual([]);
    });

    it.each(['grep', 'cmp', 'head', 'tail', 'wc'])(
      'changes nothing where %s fails',
      async (name) => {
        box.crontab = MINE;
        const plan = value(await box.planned(WAITS));
        box.program(name, 'exit 2');
        const refused = await box.launcher.launch(BOX.id, plan.plan);
        expect(refused).toMatchObject({ ok: false });
        expect(box.crontab).toBe(MINE);
        expect(runs()).toEqual([]);
      },
    );

    it('says so where the crontab cannot even be put back', async () => {
      box.crontab = MINE;
      const plan = value(await box.planned(WAITS));
      box.program(
        'crontab',
        `case $1 in -) sed '$d' | ${REAL_CRONTAB} -;; *) exec ${REAL_CRONTAB} "$@";; esac`,
      );
      expect(await box.launcher.launch(BOX.id, plan.plan)).toMatchObject({
        error: { message: expect.stringContaining('could not be put back') as string },
      });
      expect(runs()).toEqual([]);
    });

    it('is launched without the line where the box cannot do it, and the plan says why', async ({
      skip,
    }) => {
      box.crontab = MINE;
      const planned = async () => {
        const plan = value(await box.planned([cell('a', 'true')]));
        expect(plan.reboot).toBeUndefined();
        return plan.checks.find(({ id }) => id === 'reboot');
      };
      box.program('crontab', 'echo "you are not allowed" >&2; exit 1');
      expect(await planned()).toMatchObject({
        answer: 'warn',
        says: expect.stringContaining("can't be read") as string,
      });
      box.program('crontab', null);
      await box.stopCron();
      const others = readdirSync('/proc').some((pid) => {
        const comm = `/proc/${pid}/comm`;
        return (
          /^\d+$/.test(pid) && existsSync(comm) && /^crond?\n$/.test(readFileSync(comm, 'utf8'))
        );
      });
      if (others) skip('a cron of this machine runs');
      expect(await planned()).toMatchObject({
        answer: 'warn',
        says: expect.stringContaining('No cron is running') as string,
      });
      const id = (await box.armed([cell('a', 'true')])).runId;
      await box.until(id, 'done');
      expect(box.crontab).toBe(MINE);
    });
  },
);
