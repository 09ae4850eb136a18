import { appendFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BOX_SHELLS } from '../../onbox/onbox-scripts.fixture.ts';
import { hasSshd } from '../../ssh/sshd.fixture.ts';
import { programsOf } from '../programs.fixture.ts';
import { cell, queue, QueueBox } from '../queue/queue-box.fixture.ts';
import { BOX, value } from '../run-box.fixture.ts';

describe.skipIf(!hasSshd || process.platform !== 'linux').each(BOX_SHELLS)(
  'a run folder that was edited by hand, on a box with $name',
  ({ shell, isInstalled }) => {
    let box: QueueBox;
    beforeEach(async () => {
      box = new QueueBox();
      await box.open({ path: programsOf(shell) });
    });
    afterEach(() => box.close());
    const editedIn = async (id: string) => {
      const { checks } = value(await box.launcher.planResume(BOX.id, id));
      return checks.find((check) => check.id === 'edited');
    };

    it.skipIf(!isInstalled)(
      'of a queue is named before it is resumed, by any of its runs',
      async () => {
        const id = await box.queue(
          {
            ...queue(cell('a', 'exit 3'), cell('b', 'true'), cell('c', 'true')),
            stopsAtFailure: true,
          },
          { results: 'out/{cell}', copy: { to: '~/durable', prune: [] } },
        );
        await box.until(id, 'failed');
        expect(await editedIn(id)).toBeUndefined();
        const cells = box.read(id, 'cells/0001');
        // Leaving a cell out is what the file is for: it is told, and no reason to stop.
        writeFileSync(box.place(id, 'cells/0001'), cells.replace('\nb\t', '\n#b\t'));
        expect(await editedIn(id)).toMatchObject({
          answer: 'warn',
          says: expect.stringMatching(/^cells\/0001 in the run folder is not/) as string,
        });
        const plan = await box.resume(id);
        await box.until(plan.runId, 'failed');
        for (const name of ['job.sh', 'queue.sh', 'copy-cells']) {
          appendFileSync(box.place(id, name), '# mine\n');
        }
        expect(await editedIn(plan.runId)).toMatchObject({
          answer: 'block',
          says: expect.stringMatching(
            /^job\.sh, queue\.sh, cells\/0001 and copy-cells in/,
          ) as string,
          anyway: expect.any(String) as string,
        });
      },
    );

    it.skipIf(!isInstalled)('of one command is named before it is resumed', async () => {
      const { id } = await box.launch({ command: 'exit 3' });
      await box.until(id, 'failed');
      expect(await editedIn(id)).toBeUndefined();
      appendFileSync(box.place(id, 'job.sh'), 'true\n');
      expect(await editedIn(id)).toMatchObject({ answer: 'block' });
    });
  },
);
