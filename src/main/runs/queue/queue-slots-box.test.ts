import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endPass } from '../../../shared/teardown/change-pass.fixture.ts';
import type { GpuProcess } from '../../../shared/telemetry/gpu-facts.ts';
import { BOX_SHELLS, onboxScripts } from '../../onbox/onbox-scripts.fixture.ts';
import { hasSshd } from '../../ssh/sshd.fixture.ts';
import { programsOf } from '../programs.fixture.ts';
import { BOX, request, value } from '../run-box.fixture.ts';
import { cell, queue, QueueBox } from './queue-box.fixture.ts';
import { QueueEditor } from './queue-editor.ts';

const isLinux = process.platform === 'linux';
const ONE_EACH = { gpus: { count: 1 } };

class SlotsBox extends QueueBox {
  /** Its shell, and nothing of what that has begun. */
  killCell(name: string): void {
    const found = this.pids().find((pid) => {
      try {
        const environ = readFileSync(`/proc/${String(pid)}/environ`, 'latin1');
        return environ.includes(`LEASEHOLD_CELL_NAME=${name}\0`);
      } catch {
        return false; // gone meanwhile: a helper of the queue's own
      }
    });
    process.kill(found ?? NaN, 'SIGKILL');
  }

  /** What each cell wrote about itself once it had begun: its number, and the cards that it sees. */
  begun(): readonly string[] {
    return readFileSync(join(this.home, 'work/begun'), 'utf8').split('\n').slice(0, -1).sort();
  }

  async hasBegun(count: number): Promise<readonly string[]> {
    await vi.waitFor(() => expect(this.begun()).toHaveLength(count));
    return this.begun();
  }

  /** Cells that say that they have begun and then wait to be let go. */
  gated(...names: string[]) {
    return names.map((name) =>
      cell(name, `echo "${name} $CUDA_VISIBLE_DEVICES" >>begun; ${this.gate(name)}`),
    );
  }
  letGo(...names: string[]): void {
    for (const name of names) this.openGate(name);
  }
}

const stranger = (index: number): GpuProcess => ({
  ...{ gpu: `GPU-${String(index)}`, pid: 4711, name: 'python', memoryMiB: 40_000 },
  ...{ user: null, command: null, ageS: null },
});

describe.skipIf(!hasSshd || !isLinux).each(BOX_SHELLS)(
  'cells side by side on a box with $name',
  ({ shell, isInstalled }) => {
    let box: SlotsBox;
    beforeEach(async () => {
      box = new SlotsBox();
      await box.open({ path: programsOf(shell) });
    });
    afterEach(() => box.close());

    it.skipIf(!isInstalled)(
      'have a free card each, and a cell that is killed takes no other with it',
      async () => {
        box.hasCards(4, [stranger(1)]);
        const id = await box.queue(queue(...box.gated('a', 'b', 'c', 'd', 'e')), ONE_EACH);
        expect(box.read(id, 'slots')).toBe('GPU-0\nGPU-2\nGPU-3\n');
        expect(await box.hasBegun(3)).toEqual(['a GPU-0', 'b GPU-2', 'c GPU-3']);
        const look = await box.seen(id);
        expect([1, 2, 3, 4].map((at) => look.marks[at]?.cards)).toEqual([
          'GPU-0',
          'GPU-2',
          'GPU-3',
          undefined,
        ]);
        expect(look.slots).toBe(3);

        box.killCell('b');
        // In the slot that is free now, on its card.
        expect(await box.hasBegun(4)).toContain('d GPU-2');
        box.letGo('c');
        expect(await box.hasBegun(5)).toContain('e GPU-3');
        box.letGo('a', 'd', 'e');
        const run = await box.until(id, 'failed');
        expect(await box.states(run)).toEqual(['done', 'failed', 'done', 'done', 'done']);
        expect(box.begins(id)).toEqual([1, 2, 3, 4, 5]);
        expect(box.journal(id)).toContain('exit 2 137 T .');
      },
    );

    it.skipIf(!isInstalled)(
      'are each run to their end once, whatever is killed when, and on cards that are free then',
      async () => {
        box.hasCards(2);
        const cells = [...box.gated('a', 'b', 'c', 'd'), cell('off', 'echo off >>begun', true)];
        const id = await box.queue(queue(...cells), ONE_EACH);
        await box.hasBegun(2);
        box.letGo('b');
        await box.hasBegun(3);
        box.killAll();
        await box.hangUp();
        await box.connect();
        expect(await box.states(await box.until(id, 'lost'))).toEqual([
          'interrupted',
          'done',
          'interrupted',
          'waiting',
          'commented',
        ]);
        // A stranger has come, and a card is there that was not.
        box.hasCards(4, [stranger(0), stranger(2)]);
        const plan = await box.resume(id);
        expect(plan.queue).toMatchObject({
          finished: 1,
          slots: [[{ uuid: 'GPU-1' }], [{ uuid: 'GPU-3' }]],
        });
        expect(plan.queue?.cells.map(({ index }) => index)).toEqual([1, 3, 4]);
        expect(await box.hasBegun(5)).toEqual([
          'a GPU-0',
          'a GPU-1',
          'b GPU-1',
          'c GPU-1',
          'c GPU-3',
        ]);
        box.letGo('a');
        expect(await box.hasBegun(6)).toContain('d GPU-1');
        box.letGo('c', 'd');
        await box.until(plan.runId, 'done');
        expect(box.begins(id)).toEqual([1, 1, 2, 3, 3, 4]);
      },
    );

    it.skipIf(!isInstalled)(
      'pause, go on as cells are added, and stop after the cells that run',
      async () => {
        box.hasCards(2);
        const id = await box.queue(queue(...box.gated('a', 'b', 'c', 'd')), ONE_EACH);
        const editor = new QueueEditor({
          roster: box.roster,
          scripts: onboxScripts,
          watch: box.watch,
        });
        await box.hasBegun(2);
        value(await editor.wish(BOX.id, id, 'pause'));
        box.letGo('a');
        await vi.waitFor(() => expect(box.journal(id)).toContain('exit 1 0 T .'));
        expect(await box.states(await box.look(id))).toEqual([
          'done',
          'running',
          'waiting',
          'waiting',
        ]);
        value(await editor.wish(BOX.id, id, 'go-on'));
        await box.hasBegun(3);
        box.letGo('b');
        await box.hasBegun(4);
        box.letGo('c');
        await vi.waitFor(() => expect(box.journal(id)).toContain('exit 3 0 T .'));
        // One slot is free, and nothing was left to do.
        const [more] = box.gated('more');
        const cells = [...(more === undefined ? [] : [more]), cell('last', 'true')];
        value(await editor.add(BOX.id, id, { addition: 'a-0011223344556677', cells }));
        await box.hasBegun(5);
        value(await editor.wish(BOX.id, id, 'stop'));
        box.letGo('d', 'more');
        const run = await box.until(id, 'ended');
        expect(await box.states(run)).toEqual(['done', 'done', 'done', 'done', 'done', 'waiting']);
      },
    );

    it.skipIf(!isInstalled)('are all ended with their run', async () => {
      box.hasCards(2);
      const id = await box.queue(queue(...box.gated('a', 'b', 'c')), ONE_EACH);
      await box.hasBegun(2);
      value(await box.launcher.end(BOX.id, id, endPass(id)));
      const run = await box.until(id, 'ended');
      expect(await box.states(run)).toEqual(['interrupted', 'interrupted', 'waiting']);
    });
  },
);

describe.skipIf(!hasSshd || !isLinux)('cells side by side', () => {
  let box: SlotsBox;
  beforeEach(async () => {
    box = new SlotsBox();
    await box.open();
  });
  afterEach(() => box.close());

  it('that outlive what began them keep the queue from going on, and their cards from others', async () => {
    box.hasCards(2);
    const id = await box.queue(queue(...box.gated('a', 'b', 'c')), ONE_EACH);
    await box.hasBegun(2);
    // Another queue finds no card, whatever the cells use of them so far.
    const other = value(
      await box.launcher.plan(BOX.id, request(ONE_EACH), queue(cell('x', 'true'))),
    );
    expect(other.queue?.slots).toEqual([]);
    expect(other.checks.find((check) => check.id === 'slots')).toMatchObject({
      answer: 'warn',
      says: expect.stringContaining('GPU 0 is left out, because another queue has it') as string,
    });
    // Its keeper is of no use to the cells, and what began them is.
    for (const file of ['go', 'job'] as const) process.kill(box.numberIn(id, file), 'SIGKILL');
    await box.until(id, 'lost');
    const plan = value(await box.launcher.planResume(BOX.id, id));
    expect(plan.checks).toContainEqual(
      expect.objectContaining({ id: 'resume-left', answer: 'block', anyway: null }),
    );
  });

  it('are not begun by a plan that finds a key in the last of them (U34)', async () => {
    const key = `hf_${'aB3'.repeat(12)}`;
    const cells = queue(cell('a', 'true'), cell('b', `true --token ${key}`));
    const plan = value(await box.launcher.plan(BOX.id, request(), cells));
    const told = plan.checks.filter(({ gotcha }) => gotcha === 'U34');
    expect(told).toMatchObject([{ id: 'cell-keys', answer: 'block' }]);
    expect(JSON.stringify(told)).not.toContain(key);
    expect(await box.launcher.launch(BOX.id, plan.plan)).toMatchObject({
      error: { code: 'run-blocked' },
    });
  });

  it('begin no further one after a failure, where that was asked for, and the others go on', async () => {
    box.hasCards(2);
    const cells = [...box.gated('a'), cell('b', 'exit 3'), cell('c', 'true')];
    const id = await box.queue({ cells, stopsAtFailure: true, startsAgain: false }, ONE_EACH);
    await vi.waitFor(() => expect(box.journal(id)).toContain('exit 2 3 T .'));
    box.letGo('a');
    expect(await box.states(await box.until(id, 'failed'))).toEqual(['done', 'failed', 'waiting']);
  });
});
