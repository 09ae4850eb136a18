// How a queue goes through a long list that a person edits meanwhile.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BOX_SHELLS } from '../../onbox/onbox-scripts.fixture.ts';
import { hasSshd } from '../../ssh/sshd.fixture.ts';
import { ownFirst, programsOf, whereIs } from '../programs.fixture.ts';
import { cell, queue, QueueBox } from './queue-box.fixture.ts';

const isLinux = process.platform === 'linux';
const CELLS = 60;

/** Until the second in which the list was written is over, also for a queue that asks the clock once a second: then any change of it shows. */
const STANDS =
  'until [ "$(date +%s)" -gt $(($(stat -c %Z ~/.local/state/leasehold/runs/r-*/cells/0001) + 1)) ]; do sleep 0.1; done';

describe.skipIf(!hasSshd || !isLinux).each(BOX_SHELLS)(
  'the list of a queue on a box with $name',
  ({ shell, isInstalled }) => {
    let box: QueueBox;
    beforeEach(async () => {
      box = new QueueBox();
      await box.open({ path: programsOf(shell) });
    });
    afterEach(() => box.close());

    it.skipIf(!isInstalled)('is read once for many cells, and not for each', async () => {
      const bin = join(box.home, 'bin');
      const PATH = ownFirst(bin, programsOf(shell));
      const programs = ['awk', 'sed', 'cat', 'head', 'tail', 'tr', 'date'];
      for (const program of programs) {
        const text = `#!/bin/sh\necho ${program} >>"$HOME/started"\nexec ${whereIs(program)} "$@"\n`;
        writeFileSync(join(bin, program), text, { mode: 0o755 });
      }
      const many = Array.from({ length: CELLS }, (_, at) => cell(`c${String(at)}`, 'echo >>ran'));
      const first = cell('first', `${STANDS}; echo first >>"$HOME/started"`);
      const id = await box.queue(queue(first, ...many, cell('last', 'echo last >>~/started')), {
        env: { PATH },
      });
      await box.until(id, 'done');
      expect(box.begins(id)).toHaveLength(CELLS + 2);
      const started = readFileSync(join(box.home, 'started'), 'utf8').split('\n');
      const between = started.slice(started.indexOf('first') + 1, started.indexOf('last'));
      // The clock is asked once a second, however long this takes here; the list was read at the first cell already, or is now.
      const asked = between.filter((program) => program !== 'date');
      expect(asked.slice(0, 2)).toEqual(asked.slice(0, 1).map(() => 'awk'));
    });

    it.skipIf(!isInstalled)(
      'is read anew once a person has changed a cell that comes, also at the same length',
      async () => {
        const id = await box.queue(
          queue(
            cell('a', STANDS),
            cell('b', box.gate('gate')),
            cell('c', 'echo c >>ran'),
            cell('d', 'echo d >>ran'),
            cell('e', 'echo e >>ran'),
          ),
        );
        await vi.waitFor(() => expect(box.begins(id)).toEqual([1, 2]));
        const list = box.place(id, 'cells/0001');
        const text = readFileSync(list, 'utf8');
        writeFileSync(list, text.replace('c\techo c', '#c\techo c').replace('echo d', 'echo D'));
        box.openGate('gate');
        await box.until(id, 'done');
        expect(readFileSync(join(box.home, 'work/ran'), 'utf8')).toBe('D\ne\n');
        expect(box.begins(id)).toEqual([1, 2, 4, 5]);
      },
    );

    it.skipIf(!isInstalled)(
      'that was read ahead is gone through once, also where everything is killed on the way',
      async () => {
        const gate = box.gate('gate');
        const ran = 'echo "$LEASEHOLD_CELL" >>ran';
        const many = Array.from({ length: CELLS }, (_, at) =>
          cell(`c${String(at)}`, at === CELLS / 2 ? `${ran}; ${gate}` : ran),
        );
        const all = many.map((_, at) => at + 1);
        const cut = CELLS / 2 + 1;
        const id = await box.queue(queue(...many));
        const read = (): readonly number[] =>
          readFileSync(join(box.home, 'work/ran'), 'utf8').trimEnd().split('\n').map(Number);
        await vi.waitFor(() => expect(read()).toEqual(all.slice(0, cut)));
        box.killAll();
        await box.hangUp();
        await box.connect();
        await box.until(id, 'lost');
        const { runId } = await box.resume(id);
        box.openGate('gate');
        await box.until(runId, 'done');
        // The one that was cut off alone runs again, and the journal says so.
        const twice = [...all.slice(0, cut), ...all.slice(cut - 1)];
        expect(read()).toEqual(twice);
        expect(box.begins(id)).toEqual(twice);
      },
    );

    it.skipIf(!isInstalled)(
      'stops before a cell whose log cannot be written, and says so',
      async () => {
        const cells = [cell('a', box.gate('gate')), cell('b', 'echo b >>ran')];
        const id = await box.queue(queue(...cells));
        await vi.waitFor(() => expect(box.begins(id)).toEqual([1]));
        mkdirSync(box.place(id, 'logs/2'));
        box.openGate('gate');
        expect(await box.until(id, 'failed')).toMatchObject({ status: { exitCode: 75 } });
        expect(box.begins(id)).toEqual([1]);
        expect(box.read(id, 'log')).toContain('the log of cell 2 cannot be written');
        expect(existsSync(join(box.home, 'work/ran'))).toBe(false);
      },
    );

    it.skipIf(!isInstalled)(
      'that cannot be read ends no queue as done: it is looked at again, and then no further cell begins',
      async () => {
        const id = await box.queue(queue(cell('a', box.gate('gate')), cell('b', 'echo b >>ran')), {
          env: { LEASEHOLD_LIST_TRIES: '2' },
        });
        await vi.waitFor(() => expect(box.begins(id)).toEqual([1]));
        const list = box.place(id, 'cells/0001');
        rmSync(list);
        mkdirSync(list);
        box.openGate('gate');
        expect(await box.until(id, 'failed')).toMatchObject({ status: { exitCode: 75 } });
        expect(box.read(id, 'log')).toContain('the list of cells cannot be relied on');
        expect(box.begins(id)).toEqual([1]);
      },
    );

    it.skipIf(!isInstalled)(
      'of which a file is missing for a moment, or is cut off, is waited for, so that each cell keeps its number',
      async () => {
        const ran = 'echo "$LEASEHOLD_CELL $LEASEHOLD_CELL_NAME" >>ran';
        const id = await box.queue(
          queue(cell('one', `${box.gate('gate')}; ${ran}`), cell('two', ran), cell('three', ran)),
        );
        await vi.waitFor(() => expect(box.begins(id)).toEqual([1]));
        // What was added stands in a file of its own.
        const list = box.place(id, 'cells/0001');
        const added = box.place(id, 'cells/0002');
        writeFileSync(
          added,
          `+a-0011223344556677\nfour\t${ran}\nfive\t${box.gate('five')}; ${ran}\n`,
        );
        const text = readFileSync(list, 'utf8');
        renameSync(list, `${list}~`);
        box.openGate('gate');
        await vi.waitFor(() => expect(box.read(id, 'journal')).toContain('exit 1 0'));
        await box.look(id);
        expect(box.begins(id)).toEqual([1]);
        writeFileSync(list, '');
        writeFileSync(list, text);
        await vi.waitFor(() => expect(box.begins(id)).toEqual([1, 2, 3, 4, 5]));
        box.openGate('five');
        await box.until(id, 'done');
        const said = readFileSync(join(box.home, 'work/ran'), 'utf8');
        expect(said).toBe('1 one\n2 two\n3 three\n4 four\n5 five\n');
      },
    );
  },
);
