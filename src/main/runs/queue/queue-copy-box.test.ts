import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endPass } from '../../../shared/teardown/change-pass.fixture.ts';
import type { RunRequest } from '../../../shared/runs/launch/run-request.ts';
import type { QueueRequest } from '../../../shared/runs/queue/queue-cell.ts';
import { BOX_SHELLS, onboxScripts, type BoxShell } from '../../onbox/onbox-scripts.fixture.ts';
import { hasSshd } from '../../ssh/sshd.fixture.ts';
import { whyNoSmallDisk, withSmallDisk } from '../../storage/disk.fixture.ts';
import { ownFirst, pathWith, programsOf, whereIs } from '../programs.fixture.ts';
import { BOX, request, value } from '../run-box.fixture.ts';
import { cell, queue, QueueBox } from './queue-box.fixture.ts';
import { QueueEditor } from './queue-editor.ts';

const isLinux = process.platform === 'linux';
const ODD = ["it's", 'a b', '-rf', 'é 日本', '$(x) *', 'two\nlines'];

const copies = (more: Partial<RunRequest> = {}): Partial<RunRequest> => ({
  results: 'out/{cell}',
  copy: { to: '~/durable', prune: [] },
  ...more,
});
/** Trains once: that it did so twice stands in "ran". */
const trains = (name: string, more = '') =>
  cell(name, `echo ${name} >>ran; echo ${name} >"$LEASEHOLD_CELL_RESULTS/best.pt"${more}`);

class CopyBox extends QueueBox {
  #path = '';

  override open(differs: Parameters<QueueBox['open']>[0] = {}): Promise<void> {
    this.#path = differs.path ?? '';
    return super.open(differs);
  }
  /** A login shell of this machine sets a PATH of its own, in which neither the shell of the box nor a program of a test is first. */
  override queue(cells: QueueRequest, more: Partial<RunRequest> = {}): Promise<string> {
    return super.queue(cells, this.#path === '' ? more : { ...more, env: { PATH: this.#path } });
  }
  durable(id: string, path = ''): string {
    return join(this.home, 'durable', id, path);
  }
  /** A box whose `cp` waits until it may. */
  openSlow(shell: BoxShell = ['sh']): Promise<void> {
    const path = ownFirst(join(this.home, 'bin'), programsOf(shell));
    const words = `#!/bin/sh\nwhile [ ! -e "${this.home}/go-on" ]; do sleep 0.1; done\n`;
    writeFileSync(join(this.home, 'bin/cp'), `${words}exec ${whereIs('cp')} "$@"\n`, {
      mode: 0o755,
    });
    return this.open({ path });
  }
  letCopy(): void {
    writeFileSync(join(this.home, 'go-on'), '');
  }
  ran(): string {
    return readFileSync(join(this.home, 'work/ran'), 'utf8');
  }
  async isCopying(id: string, index: number): Promise<void> {
    await vi.waitFor(() => expect(this.read(id, 'journal')).toContain(`\nran ${String(index)} `));
    await vi.waitFor(() =>
      expect(readdirSync(this.durable(id)).join()).toContain(`${String(index)}-`),
    );
  }
  /** As when the box restarts in the middle. */
  async restarts(id: string): Promise<void> {
    this.killAll();
    await this.hangUp();
    await this.connect();
    await this.until(id, 'lost');
  }
}

let box: CopyBox;
beforeEach(() => (box = new CopyBox()));
afterEach(() => box.close());

describe.skipIf(!hasSshd || !isLinux).each(BOX_SHELLS)(
  'the results of the cells of a queue on a box with $name',
  ({ shell, isInstalled }) => {
    it.skipIf(!isInstalled)(
      'are each copied and read back before the cell is done, and only then pruned',
      async () => {
        await box.open({ path: programsOf(shell) });
        const odd = join(box.home, 'work/out/a-b');
        mkdirSync(odd, { recursive: true });
        for (const name of ODD) writeFileSync(join(odd, name), name);
        const id = await box.queue(
          queue(
            trains(
              'a/b',
              ' && mkdir "$LEASEHOLD_CELL_RESULTS/deep" && cp out/a-b/best.pt out/a-b/deep/x',
            ),
            cell('fails', 'echo x >"$LEASEHOLD_CELL_RESULTS/x"; exit 3'),
            cell('empty', 'true'),
            cell('off', 'true', true),
            trains('c'),
          ),
          copies({ copy: { to: '~/durable', prune: ['deep/*', 'nothing*'] } }),
        );
        const run = await box.until(id, 'failed');
        expect(run).toMatchObject({ copyTo: box.durable(id).replace(/\/$/, ''), results: 'out' });
        expect(await box.states(run)).toEqual(['done', 'failed', 'uncopied', 'commented', 'done']);
        expect(box.journal(id)).toEqual([
          ...['begin 1 T RUN .', 'ran 1 T RUN .', `copied 1 ${String(ODD.length + 2)} T .`],
          ...['begin 2 T RUN .', 'exit 2 3 T .'],
          ...['begin 3 T RUN .', 'ran 3 T RUN .', 'uncopied 3 no-results T .'],
          ...['begin 5 T RUN .', 'ran 5 T RUN .', 'copied 5 1 T .'],
        ]);
        expect(readdirSync(box.durable(id)).sort()).toEqual(['1-a-b', '5-c']);
        for (const name of ODD) {
          expect(readFileSync(box.durable(id, `1-a-b/${name}`), 'utf8')).toBe(name);
        }
        expect(readFileSync(box.durable(id, '1-a-b/deep/x'), 'utf8')).toBe('a/b\n');
        expect(readdirSync(join(odd, 'deep'))).toEqual([]);
        expect(readdirSync(odd).sort()).toEqual([...ODD, 'best.pt', 'deep'].sort());
        expect(box.log(id, 3)).toContain('SYNC FAILED');
        expect(readdirSync(box.place(id, 'copies/1'))).toEqual(['copy-manifest']);
      },
    );

    it.skipIf(!isInstalled)(
      'are copied again where a restart cut the copy off, and the cell is not run again',
      async () => {
        await box.openSlow(shell);
        const id = await box.queue(queue(trains('a'), trains('b')), copies());
        await box.isCopying(id, 1);
        const live = await box.look(id);
        expect(await box.states(live)).toEqual(['copying', 'waiting']);
        await box.restarts(id);
        expect(await box.states(await box.look(id))).toEqual(['uncopied', 'waiting']);
        // What was not whole has another name, and is none of its results.
        expect(readdirSync(box.durable(id))).toEqual(['1-a.partial']);
        box.letCopy();
        const plan = await box.resume(id);
        expect(plan.queue).toMatchObject({
          finished: 0,
          cells: [
            { index: 1, isInterrupted: false, isCopyOnly: true },
            { index: 2, isInterrupted: false },
          ],
        });
        const done = await box.until(plan.runId, 'done');
        expect(await box.states(done)).toEqual(['done', 'done']);
        expect(box.ran()).toBe('a\nb\n');
        expect(readdirSync(box.durable(id)).sort()).toEqual(['1-a', '2-b']);
        expect(done.copyTo).toBe(live.copyTo);
      },
    );
  },
);

describe.skipIf(!hasSshd || !isLinux)('a cell whose results are copied', () => {
  it('shows the figures that it writes into its own folder', async () => {
    await box.open();
    const id = await box.queue(
      queue(
        trains('a'),
        cell('b', 'printf "step,score\\n1,0.5\\n2,0.75\\n" >"$LEASEHOLD_CELL_RESULTS/metrics.csv"'),
      ),
      copies(),
    );
    await box.until(id, 'done');
    box.openLog(`${id} 2`);
    const metrics = box.openMetrics(`${id} 2`);
    await vi.waitFor(() => expect(metrics().files.source).toBe('csv metrics.csv'));
    await vi.waitFor(() => expect(metrics().series).toMatchObject([{ name: 'score', count: 2 }]));
  });

  it('that was killed before its copy began is copied alone', async () => {
    await box.open();
    const id = await box.queue(queue(trains('a')), copies());
    await box.until(id, 'done');
    let newest = id;
    // As it stood between the program's end and the first byte of the copy, and then between the copy and its mark.
    for (const isThere of [false, true]) {
      const journal = box.read(id, 'journal').replace(/\n(?:copied|uncopied) .*\n/g, '\n');
      writeFileSync(box.place(id, 'journal'), journal);
      if (!isThere) rmSync(box.durable(id), { recursive: true });
      const plan = await box.resume(newest);
      newest = plan.runId;
      expect(plan.queue?.cells).toMatchObject([{ index: 1, isCopyOnly: true }]);
      await box.until(plan.runId, 'done');
      expect(readFileSync(box.durable(id, '1-a/best.pt'), 'utf8')).toBe('a\n');
    }
    expect(box.ran()).toBe('a\n');
  });

  it('is not pruned where what was read back differs, and is copied again', async () => {
    const marker = join(box.home, 'spoils');
    writeFileSync(marker, '');
    const real = whereIs('cp');
    const cp = `${real} "$@" && for to; do :; done && { [ ! -e "${marker}" ] || echo more >>"$to/best.pt"; }`;
    await box.open({ path: pathWith(join(box.home, 'bin'), { cp }) });
    const id = await box.queue(
      queue(trains('a')),
      copies({ copy: { to: '~/durable', prune: ['*'] } }),
    );
    const run = await box.until(id, 'failed');
    expect(await box.states(run)).toEqual(['uncopied']);
    expect((await box.seen(id)).marks[1]?.end).toMatchObject({ kind: 'uncopied', why: 'differs' });
    expect(readdirSync(box.durable(id))).toEqual([]);
    expect(readFileSync(join(box.home, 'work/out/a/best.pt'), 'utf8')).toBe('a\n');
    rmSync(marker);
    const plan = await box.resume(id);
    await box.until(plan.runId, 'done');
    expect(readdirSync(join(box.home, 'work/out/a'))).toEqual([]);
    expect(readFileSync(box.durable(id, '1-a/best.pt'), 'utf8')).toBe('a\n');
    expect(box.ran()).toBe('a\n');
  });

  it('is not pruned any further where the copy that allowed it has gone meanwhile', async () => {
    const out = join(box.home, 'work/out/a');
    const held = join(box.home, 'held');
    const waits = `{ : >"${held}"; while :; do sleep 0.1; done; }`;
    const rm = `${whereIs('rm')} "$@"; case "$*" in *./best.pt) [ -e "${box.home}/go-on" ] || ${waits} ;; esac`;
    await box.open({ path: pathWith(join(box.home, 'bin'), { rm }) });
    const id = await box.queue(
      queue(trains('a', '; echo b >"$LEASEHOLD_CELL_RESULTS/b.txt"')),
      copies({ copy: { to: '~/durable', prune: ['*.pt', '*.txt'] } }),
    );
    // Killed once the first of its results is removed.
    await vi.waitFor(() => expect(existsSync(held)).toBe(true));
    await box.restarts(id);
    expect(readdirSync(out)).toEqual(['b.txt']);
    box.letCopy();
    renameSync(box.durable(id, '1-a'), box.durable(id, 'moved'));
    const { runId } = await box.resume(id);
    await box.until(runId, 'failed');
    expect((await box.seen(runId, id)).marks[1]?.end).toMatchObject({ why: 'copy-gone' });
    expect(readdirSync(out)).toEqual(['b.txt']);
    renameSync(box.durable(id, 'moved'), box.durable(id, '1-a'));
    const again = await box.resume(runId);
    await box.until(again.runId, 'done');
    expect(readdirSync(out)).toEqual([]);
    expect(readdirSync(box.durable(id, '1-a'))).toEqual(['b.txt', 'best.pt']);
  });

  it('side by side with others has a folder of its own, here and there', async () => {
    await box.open();
    box.hasCards(2);
    const id = await box.queue(
      queue(trains('a'), trains('b'), trains('c'), trains('d')),
      copies({ gpus: { count: 1 } }),
    );
    const run = await box.until(id, 'done');
    expect(await box.states(run)).toEqual(['done', 'done', 'done', 'done']);
    for (const [at, name] of ['a', 'b', 'c', 'd'].entries()) {
      expect(readFileSync(box.durable(id, `${String(at + 1)}-${name}/best.pt`), 'utf8')).toBe(
        `${name}\n`,
      );
    }
    const editor = new QueueEditor({ roster: box.roster, scripts: onboxScripts, watch: box.watch });
    const add = (name: string) =>
      editor.add(BOX.id, id, { addition: 'a-0011223344556677', cells: [trains(name)] });
    expect(await add('a/')).toMatchObject({ error: { code: 'queue-not-changed' } });
    value(await add('e'));
    const plan = await box.resume(id);
    await box.until(plan.runId, 'done');
    expect(readFileSync(box.durable(id, '5-e/best.pt'), 'utf8')).toBe('e\n');
  });

  it('stops the queue where a failure is to, and the box that asks to end waits for its copy', async () => {
    await box.openSlow();
    // What is left of the cell hears what its queue hears, in the same moment.
    const hears = '; { trap ": >~/heard" TERM; until [ -e ~/heard ]; do sleep 0.1; done; } &';
    const id = await box.queue(
      { ...queue(trains('a', hears), trains('b')), stopsAtFailure: true },
      copies(),
    );
    await box.isCopying(id, 1);
    process.kill(box.numberIn(id, 'go'), 'SIGTERM');
    await vi.waitFor(() => expect(existsSync(join(box.home, 'heard'))).toBe(true));
    box.letCopy();
    const cut = await box.until(id, 'cut-off');
    // It was let finish, and the next one was not begun.
    expect(await box.states(cut)).toEqual(['done', 'waiting']);
    expect(box.ran()).toBe('a\n');
    rmSync(box.durable(id), { recursive: true });
    writeFileSync(box.durable(id).replace(/\/$/, ''), 'in the way');
    const plan = await box.resume(id);
    const failed = await box.until(plan.runId, 'failed');
    expect(await box.states(failed)).toEqual(['done', 'uncopied']);
    expect((await box.seen(plan.runId, id)).marks[2]?.end).toMatchObject({ why: 'not-writable' });
  });

  it('ends with its run where a person ends that, and nothing of it is left', async () => {
    await box.openSlow();
    const id = await box.queue(queue(trains('a')), copies());
    await box.isCopying(id, 1);
    value(await box.launcher.end(BOX.id, id, endPass(id)));
    expect(await box.states(await box.until(id, 'ended'))).toEqual(['uncopied']);
    await vi.waitFor(() => expect(box.pids()).toEqual([]));
  });

  it.skipIf(whyNoSmallDisk !== null)(
    'says that the disk there is full, and the next one runs',
    async () => {
      await withSmallDisk(256, async (disk) => {
        await box.open();
        disk.fill(16 * 1024);
        const id = await box.queue(
          queue(
            cell('big', 'head -c 100000 /dev/urandom >"$LEASEHOLD_CELL_RESULTS/best.pt"'),
            cell('small', 'echo x >"$LEASEHOLD_CELL_RESULTS/best.pt"'),
          ),
          copies({ copy: { to: disk.folder, prune: ['*.pt'] } }),
        );
        const run = await box.until(id, 'failed');
        expect(await box.states(run)).toEqual(['uncopied', 'done']);
        expect((await box.seen(id)).marks[1]?.end).toMatchObject({ why: 'disk-full' });
        expect(readdirSync(join(disk.folder, id))).toEqual(['2-small']);
        expect(readdirSync(join(box.home, 'work/out/big'))).toEqual(['best.pt']);
      });
    },
  );

  it('is planned to the letter, and not without a folder of its own', async () => {
    await box.open();
    const planned = async (more: Partial<RunRequest>, ...cells: ReturnType<typeof cell>[]) =>
      value(await box.launcher.plan(BOX.id, request(copies(more)), queue(...cells)));
    const plan = await planned({ copy: { to: '~/durable', prune: ['*.tmp'] } }, trains('a b'));
    const text = (name: string) => plan.files.find((file) => file.name === name)?.text;
    expect(text('copy-cells')).toBe(`${box.home}/durable/${plan.runId}\n*.tmp\n`);
    expect(text('cells/0001')).toContain('\tout/a-b\n');
    expect(plan.outlook.lands).toContainEqual(
      expect.objectContaining({
        what: 'Copy of the results',
        path: `${box.home}/durable/${plan.runId}`,
      }),
    );
    value(await box.launcher.launch(BOX.id, plan.plan));
    await box.settled(plan.runId, 'end');
    for (const name of ['copy-cells', 'copy-cell.sh', 'cells/0001', 'queue.sh']) {
      expect(box.read(plan.runId, name)).toBe(text(name));
    }
    const barOf = async (...asked: Parameters<typeof planned>) =>
      (await planned(...asked)).checks.find(({ id }) => id === 'queue-copy');
    expect(await barOf({ results: 'out' }, trains('a'))).toMatchObject({
      answer: 'block',
      anyway: null,
      says: expect.stringContaining('{cell}') as string,
    });
    expect(await barOf({}, trains('a/'), trains('a'))).toMatchObject({ answer: 'block' });
    expect(await barOf({}, trains('a'), trains('b'))).toBeUndefined();
  });
});
