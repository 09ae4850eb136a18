import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endPass } from '../../../shared/teardown/change-pass.fixture.ts';
import { cellsToRun } from '../../../shared/runs/queue/queue-view.ts';
import { marksOf } from '../../../shared/runs/queue/read-queue-look.ts';
import { BOX_SHELLS, onboxScripts } from '../../onbox/onbox-scripts.fixture.ts';
import { hasSshd } from '../../ssh/sshd.fixture.ts';
import { ownFirst, programsOf, whereIs } from '../programs.fixture.ts';
import { BOX, request, value } from '../run-box.fixture.ts';
import { cell, queue, QueueBox } from './queue-box.fixture.ts';
import { lookAtQueue } from './look-at-queue.ts';
import { QueueEditor } from './queue-editor.ts';

const isLinux = process.platform === 'linux';

describe.skipIf(!hasSshd || !isLinux).each(BOX_SHELLS)(
  'a queue on a box with $name',
  ({ shell, isInstalled }) => {
    let box: QueueBox;
    beforeEach(async () => {
      box = new QueueBox();
      await box.open({ path: programsOf(shell) });
    });
    afterEach(() => box.close());

    it.skipIf(!isInstalled)(
      'runs each cell once, in its order, whatever its name and command are',
      async () => {
        const hostile = [
          cell('plain', 'echo one'),
          cell('left out', 'echo never', true),
          cell(`é "a" $(x) \`y\` it's \\n`, `printf '%s\\n' "$A" 'it'\\''s' "\\\\t"`),
          cell('--help', '-nothing || echo dashed'),
          cell('#hash', 'for i in 1 2; do\n  echo "line $i"\ndone'),
          cell('+plus', 'echo "$LEASEHOLD_CELL $LEASEHOLD_CELL_NAME"; pwd; exit 7'),
          cell('日本', `cat <<'X'\nunder\tthe \\n sun\nX`),
        ];
        const id = await box.queue(queue(...hostile), { env: { A: 'a b' } });
        const run = await box.until(id, 'failed');
        expect(run).toMatchObject({
          status: { exitCode: 1 },
          queue: { id, next: null },
          command: '6 cells, first: echo one',
        });
        expect(box.journal(id)).toEqual([
          'begin 1 T RUN .',
          'exit 1 0 T .',
          ...[3, 4, 5].flatMap((at) => [`begin ${String(at)} T RUN .`, `exit ${String(at)} 0 T .`]),
          'begin 6 T RUN .',
          'exit 6 7 T .',
          'begin 7 T RUN .',
          'exit 7 0 T .',
        ]);
        expect(box.log(id, 1)).toBe('one\n');
        expect(existsSync(box.place(id, 'logs/2'))).toBe(false);
        expect(box.log(id, 3)).toBe("a b\nit's\n\\t\n");
        expect(box.log(id, 4)).toContain('dashed\n');
        expect(box.log(id, 5)).toBe('line 1\nline 2\n');
        expect(box.log(id, 6)).toBe(`6 +plus\n${box.home}/work\n`);
        expect(box.log(id, 7)).toBe('under\tthe \\n sun\n');
        expect(await box.states(run)).toEqual([
          'done',
          'commented',
          'done',
          'done',
          'done',
          'failed',
          'done',
        ]);
        const seen = value(
          await lookAtQueue(box.connection as never, onboxScripts, { queue: id, run: id }),
        );
        expect(seen.cells).toEqual(hostile);
        expect(cellsToRun({ cells: hostile, marks: marksOf(seen.entries, {}) })).toEqual([]);
        expect(await box.launcher.planResume(BOX.id, id)).toMatchObject({
          error: { code: 'run-not-resumed', message: 'Every cell of this queue has run.' },
        });
        expect(readFileSync(box.place(id, 'log'), 'utf8')).toContain('no further cell; 1 failed');
      },
    );

    it.skipIf(!isInstalled)(
      'say which cells begin after code was changed, and what of it (U42)',
      async () => {
        const work = join(box.home, 'work');
        mkdirSync(join(work, 'lib'), { recursive: true });
        mkdirSync(join(work, 'out/one'), { recursive: true });
        for (const name of ['train.py', 'lib/old.py']) writeFileSync(join(work, name), '');
        const cells = [cell('one', box.gate('first')), cell('two', 'true'), cell('three', 'true')];
        const id = await box.queue(queue(...cells), { results: 'out/{cell}' });
        await vi.waitFor(() => expect(box.journal(id)).toEqual(['begin 1 T RUN .']));
        writeFileSync(join(work, 'train.py'), 'changed');
        writeFileSync(join(work, 'lib/odd name’s.py'), '');
        // Neither code nor anything of the person's.
        writeFileSync(join(work, 'notes.txt'), '');
        writeFileSync(join(work, 'out/one/copy.py'), '');
        box.openGate('first');
        await box.until(id, 'done');
        expect(box.journal(id)).toEqual([
          ...['begin 1 T RUN .', 'exit 1 0 T .'],
          ...[2, 3].flatMap((at) => [
            ...[`begin ${String(at)} T RUN .`, `changed ${String(at)} 2 T .`],
            `exit ${String(at)} 0 T .`,
          ]),
        ]);
        expect(box.log(id, 1)).toBe('go\n');
        const told = box.log(id, 2);
        expect(told).toContain('code in the working folder was changed since the launch: ');
        for (const name of ['train.py', 'lib/odd name’s.py']) expect(told).toContain(name);
        expect(told).not.toMatch(/old[.]py|copy[.]py|notes/);
        expect((await box.seen(id)).marks).toMatchObject({ 2: { changedFiles: 2 } });
      },
    );

    it.skipIf(!isInstalled)(
      'says nothing of what Leasehold itself writes for a launch below the working folder',
      async () => {
        box.gate('first');
        const cells = [cell('one', 'cat ~/first'), cell('two', 'true')];
        const id = await box.queue(queue(...cells), { folder: '~' });
        await vi.waitFor(() => expect(box.journal(id)).toEqual(['begin 1 T RUN .']));
        const now = new Date();
        for (const name of ['job.sh', 'keeper.sh', 'queue.sh'])
          utimesSync(box.place(id, name), now, now);
        box.openGate('first');
        await box.until(id, 'done');
        expect(box.journal(id).filter((line) => line.startsWith('changed'))).toEqual([]);
      },
    );

    it.skipIf(!isInstalled).each([
      [
        'does not begin a cell where the box asks it to end during the look at the code',
        'find',
        [],
      ],
      [
        'ends a cell that the box asked it to end just before that was there',
        'tee',
        ['begin 1 T RUN .', 'changed 1 1 T .', 'cut 1 143 T .'],
      ],
    ])('%s', async (_title, program, journal) => {
      const bin = join(box.home, 'bin');
      const PATH = ownFirst(bin, programsOf(shell));
      // Signals the queue once, and nothing else of the run.
      writeFileSync(
        join(bin, program),
        `#!/bin/sh
case "$*" in
  *-newer*/launcher* | -a*logs/1)
    set -- "$HOME"/.local/state/leasehold/runs/*/job "$@"
    [ ! -e "$HOME/asked" ] && read -r word pid rest <"$1" && : >"$HOME/asked" && kill -TERM "$pid"
    shift
    ;;
esac
exec ${whereIs(program)} "$@"
`,
        { mode: 0o755 },
      );
      // Of code that was changed a queue tells between the line of the journal and the cell.
      const code = join(box.home, 'work/train.py');
      writeFileSync(code, '');
      utimesSync(code, new Date(), new Date(Date.now() + 3_600_000));
      const id = await box.queue(queue(cell('one', 'exec sleep 5')), { env: { PATH } });
      expect(await box.until(id, 'failed')).toMatchObject({ status: { exitCode: 143 } });
      expect(existsSync(join(box.home, 'asked'))).toBe(true);
      expect(box.journal(id)).toEqual(journal);
    });

    it.skipIf(!isInstalled)(
      'goes on after everything was killed, with the cell that had no exit code, and only once',
      async () => {
        const cells = [
          cell('a', 'echo a >>ran'),
          cell('b', `echo b >>ran; ${box.gate('gate')}`),
          cell('c', 'echo c >>ran'),
        ];
        const id = await box.queue(queue(...cells));
        // Its line in the journal comes before it is there: what it wrote says that it ran.
        const ran = (): string => readFileSync(join(box.home, 'work/ran'), 'utf8');
        await vi.waitFor(() => expect(ran()).toBe('a\nb\n'));
        box.killAll();
        await box.hangUp();
        await box.connect();
        const lost = await box.until(id, 'lost');
        expect(await box.states(lost)).toEqual(['done', 'interrupted', 'waiting']);

        const one = value(await box.launcher.planResume(BOX.id, id));
        expect(one.queue).toMatchObject({
          finished: 1,
          after: id,
          cells: [
            { index: 2, name: 'b', isInterrupted: true },
            { index: 3, name: 'c', isInterrupted: false },
          ],
        });
        value(await box.launcher.launch(BOX.id, one.plan));
        box.openGate('gate');
        const run = await box.until(one.runId, 'done');
        expect(run.queue).toEqual({ id, next: null });
        expect((await box.look(id)).queue).toEqual({ id, next: one.runId });
        expect(ran()).toBe('a\nb\nb\nc\n');
        expect(await box.states(run)).toEqual(['done', 'done', 'done']);
      },
    );
    it.skipIf(!isInstalled)(
      'shows the log of a cell while it runs, and goes on with it once it runs again',
      async () => {
        const cells = [
          cell('a', 'echo "step 1/2 loss 0.5"'),
          cell('b', `echo begins; ${box.gate('gate')}; echo "step 9/9 loss 0.25"`),
          cell('c', 'true'),
        ];
        const id = await box.queue(queue(...cells));
        await vi.waitFor(() => expect(box.journal(id)).toHaveLength(3));
        const [first, second, third] = [1, 2, 3].map((at) => box.openLog(`${id} ${String(at)}`));
        await vi.waitFor(() =>
          expect(first?.()).toMatchObject({ state: 'whole', text: 'step 1/2 loss 0.5\n' }),
        );
        await vi.waitFor(() =>
          expect(second?.()).toMatchObject({ state: 'following', text: 'begins\n' }),
        );
        await vi.waitFor(() => expect(third?.()).toMatchObject({ state: 'following', text: '' }));
        box.killAll();
        await box.hangUp();
        await box.connect();
        await box.until(id, 'lost');
        for (const log of [second, third]) {
          await vi.waitFor(() => expect(log?.()).toMatchObject({ state: 'whole' }));
        }
        const { runId } = await box.resume(id);
        const again = box.openLog(`${runId} 2`);
        await vi.waitFor(() =>
          expect(again()).toMatchObject({ state: 'following', text: 'begins\nbegins\n' }),
        );
        const metrics = box.openMetrics(`${runId} 2`);
        box.openGate('gate');
        await vi.waitFor(() => expect(again()).toMatchObject({ state: 'whole' }));
        expect(again().text).toBe('begins\nbegins\ngo\nstep 9/9 loss 0.25\n');
        await vi.waitFor(() => expect(metrics().series[0]).toMatchObject({ values: [0.25] }));
        const nobodys = `${BOX.id} ${id} x`;
        expect(box.hub.open(1, 'run-log', nobodys)).toMatchObject({ ok: false });
      },
    );
    it.skipIf(!isInstalled)(
      'pauses, takes more cells while it runs, and stops after the cell that runs',
      async () => {
        const gate = box.gate('gate');
        const id = await box.queue(queue(cell('a', gate), cell('b', gate), cell('c', 'true')));
        await vi.waitFor(() => expect(box.journal(id)).toHaveLength(1));
        const editor = new QueueEditor({
          roster: box.roster,
          scripts: onboxScripts,
          watch: box.watch,
        });
        value(await editor.wish(BOX.id, id, 'pause'));
        box.openGate('gate');
        await vi.waitFor(() => expect(box.journal(id)).toHaveLength(2));
        const more = { addition: 'a-0011223344556677', cells: [cell('d', 'echo d')] };
        value(await editor.add(BOX.id, id, more));
        // An answer that was lost is asked for again.
        value(await editor.add(BOX.id, id, more));
        expect(
          await editor.add(BOX.id, id, {
            addition: 'a-0011223344556688',
            cells: [cell('new', 'true'), cell('b', 'true')],
          }),
        ).toMatchObject({
          error: { message: 'None was added: “b” is in the queue already.' },
        });
        expect(box.read(id, 'cells/0002')).toBe('+a-0011223344556677\nd\techo d\n');
        expect(box.read(id, 'cells/0003')).toBe('');
        const paused = await box.look(id);
        expect(await box.states(paused)).toEqual(['done', 'waiting', 'waiting', 'waiting']);
        value(await editor.wish(BOX.id, id, 'go-on'));
        await vi.waitFor(() => expect(box.journal(id)).toHaveLength(3));
        value(await editor.wish(BOX.id, id, 'stop'));
        box.openGate('gate');
        const run = await box.until(id, 'ended');
        expect(await box.states(run)).toEqual(['done', 'done', 'waiting', 'waiting']);
        expect(await editor.wish(BOX.id, id, 'pause')).toMatchObject({
          error: { message: 'This run is over already.' },
        });

        // Two who go on with it at once, each with a plan of their own: one of them wins.
        const other = box.another();
        const plans = [
          value(await box.launcher.planResume(BOX.id, id)),
          value(await other.planResume(BOX.id, id)),
        ] as const;
        const launched = await Promise.all([
          box.launcher.launch(BOX.id, plans[0].plan),
          other.launch(BOX.id, plans[1].plan),
        ]);
        expect(launched.map(({ ok }) => ok).sort()).toEqual([false, true]);
        expect(launched.find(({ ok }) => !ok)).toMatchObject({
          error: { message: expect.stringContaining('was resumed meanwhile') as string },
        });
        const winner = plans[launched[0].ok ? 0 : 1].runId;
        await box.until(winner, 'done');
        expect(box.journal(id).filter((line) => line.startsWith('begin'))).toHaveLength(4);
        expect(box.log(id, 4)).toBe('d\n');
      },
    );
  },
);

describe.skipIf(!hasSshd || !isLinux)('a queue', () => {
  let box: QueueBox;
  beforeEach(async () => {
    box = new QueueBox();
    await box.open();
  });
  afterEach(() => box.close());

  it('goes on by itself when only its keeper is killed, and a cell that is ended is run again', async () => {
    const gate = box.gate('gate');
    const id = await box.queue(queue(cell('a', gate), cell('b', 'sleep 600')));
    await vi.waitFor(() => expect(box.journal(id)).toHaveLength(1));
    process.kill(box.numberIn(id, 'go'), 'SIGKILL');
    box.openGate('gate');
    await vi.waitFor(() => expect(box.journal(id)).toHaveLength(3));
    value(await box.launcher.end(BOX.id, id, endPass(id)));
    expect(await box.states(await box.until(id, 'ended'))).toEqual(['done', 'interrupted']);
    const plan = value(await box.launcher.planResume(BOX.id, id));
    expect(plan.queue?.cells).toMatchObject([{ index: 2, isInterrupted: true }]);
  });

  it('is not gone on with as long as a process of the interrupted cell lives', async () => {
    const id = await box.queue(queue(cell('a', 'echo lives; sleep 600')));
    await vi.waitFor(() => expect(box.log(id, 1)).toBe('lives\n'));
    for (const file of ['go', 'job'] as const) process.kill(box.numberIn(id, file), 'SIGKILL');
    await box.until(id, 'lost');
    const plan = value(await box.launcher.planResume(BOX.id, id));
    expect(plan.checks).toContainEqual(
      expect.objectContaining({ id: 'resume-left', answer: 'block', anyway: null }),
    );
    expect(await box.launcher.launch(BOX.id, plan.plan)).toMatchObject({
      error: { code: 'run-blocked' },
    });
    box.killAll();
    await box.hangUp();
    await box.connect();
    const again = value(await box.launcher.planResume(BOX.id, id));
    expect(again.checks.find((check) => check.id === 'resume-left')).toBeUndefined();
  });

  it('that another computer began, or a box made up, goes on only once its commands were read', async () => {
    const id = await box.queue(queue(cell('a', 'exit 3'), cell('b', 'echo b >>ran')));
    await box.until(id, 'failed');
    const made = 'r-20260101-000000-0badbeef';
    execFileSync('cp', ['-R', box.place(id), box.place(made)]);
    const about = JSON.parse(box.read(made, 'about')) as object;
    writeFileSync(box.place(made, 'about'), JSON.stringify({ ...about, id: made, queue: made }));
    writeFileSync(box.place(made, 'cells/0001'), `+${made}\nc\ttouch ~/owned\n`);
    writeFileSync(box.place(made, 'journal'), '');
    writeFileSync(box.place(made, 'job.sh'), box.read(made, 'job.sh').replaceAll(id, made));
    const plan = value(await box.launcher.planResume(BOX.id, made));
    expect(plan.checks[0]).toMatchObject({
      id: 'origin',
      says: expect.stringContaining(
        'its command, and what is set up before it, was read from train-a.',
      ) as string,
    });
    expect(await box.launcher.launch(BOX.id, plan.plan)).toMatchObject({
      error: { code: 'run-blocked' },
    });
    expect(existsSync(join(box.home, 'owned'))).toBe(false);
    // Each of what speaks against it is a question of its own: the folder was made of another one's.
    value(await box.launcher.launch(BOX.id, plan.plan, new Set(['origin', 'edited'])));
    expect((await box.until(plan.runId, 'done')).overridden).toMatchObject([
      { title: 'Where the commands come from' },
      { title: 'Run folder as launched' },
    ]);
    // What this one began it knows, also after it has quit.
    const own = await box.queue(queue(cell('a', 'sleep 600')));
    await vi.waitFor(() => expect(box.journal(own)).toHaveLength(1));
    box.killAll();
    await box.quit();
    await box.start();
    await box.until(own, 'lost');
    const mine = value(await box.launcher.planResume(BOX.id, own));
    expect(mine.checks.map((check) => check.id)).not.toContain('origin');
  });

  it('begins at the cell that was asked for, and the ones before it are left out for good', async () => {
    const cells = [cell('a', 'echo a >>ran'), cell('b', 'exit 3'), cell('c', 'true', true)];
    const more = [...cells, cell('d', 'echo d $LEASEHOLD_CELL >>ran')];
    const id = await box.queue({ ...queue(...more), startIndex: 2 });
    const run = await box.until(id, 'failed');
    expect(await box.states(run)).toEqual(['commented', 'failed', 'commented', 'done']);
    expect(readFileSync(join(box.home, 'work/ran'), 'utf8')).toBe('d 4\n');
    expect(await box.launcher.planResume(BOX.id, id)).toMatchObject({
      error: { message: 'Every cell of this queue has run.' },
    });
    expect(
      await box.launcher.plan(BOX.id, request(), { ...queue(...cells), startIndex: 2 }),
    ).toMatchObject({ value: { queue: { commented: 2, cells: [{ index: 2 }] } } });
  });

  it('stops at the first cell that fails, where that was asked for', async () => {
    const id = await box.queue({
      cells: [cell('a', 'exit 3'), cell('b', 'true')],
      stopsAtFailure: true,
      startsAgain: false,
    });
    expect(await box.states(await box.until(id, 'failed'))).toEqual(['failed', 'waiting']);
  });

  it('of ten thousand cells is launched and looked at as a whole', async () => {
    const cells = Array.from({ length: 10_000 }, (_, at) =>
      cell(`cell ${String(at)}`, `sh train.sh --seed ${String(at)} --epochs 100`),
    );
    const gate = box.gate('gate');
    const id = await box.queue(queue(cell('first', gate), ...cells));
    const seen = value(
      await lookAtQueue(box.connection as never, onboxScripts, { queue: id, run: id }),
    );
    expect(seen.cells).toEqual([cell('first', gate), ...cells]);
    value(await box.launcher.end(BOX.id, id, endPass(id)));
  });
});
