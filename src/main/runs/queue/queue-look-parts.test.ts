import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cellsToRun, NO_QUEUE } from '../../../shared/runs/queue/queue-view.ts';
import { changedScripts } from '../../onbox/onbox-scripts.fixture.ts';
import type { OnboxScripts } from '../../onbox/onbox-scripts.ts';
import { queueStream } from '../../../shared/streams/queue-stream.ts';
import { hasSshd } from '../../ssh/sshd.fixture.ts';
import { value } from '../run-box.fixture.ts';
import { lookAtQueue } from './look-at-queue.ts';
import { cell, queue, QueueBox } from './queue-box.fixture.ts';
import { QueueTrail } from './queue-trail.ts';

/** One answer holds so much of a journal. */
const scriptsWith = ({ home }: QueueBox, most: number): OnboxScripts =>
  changedScripts(
    join(home, 'onbox'),
    'queue-look.sh',
    'max_journal=1048576',
    `max_journal=${String(most)}`,
  );

describe.skipIf(!hasSshd || process.platform !== 'linux')(
  'a journal longer than one answer',
  () => {
    let box: QueueBox;
    let id: string;
    beforeEach(async () => {
      box = new QueueBox();
      await box.open();
      id = await box.queue(queue(...[1, 2, 3, 4, 5].map((at) => cell(`c${String(at)}`, 'true'))));
      await box.until(id, 'done');
    });
    afterEach(() => box.close());
    const connection = () => {
      if (box.connection === null) throw new Error('no connection');
      return box.connection;
    };

    it('is read to its end, so that no cell that is done is taken for one that never began', async () => {
      const scripts = scriptsWith(box, 150);
      expect(box.read(id, 'journal').length).toBeGreaterThan(300);
      const trail = new QueueTrail(scripts, id, (text) => text);
      const first = value(await trail.look(connection(), id, NO_QUEUE));
      const known = queueStream.apply(NO_QUEUE, first.delta);
      expect(known.cells).toHaveLength(5);
      expect(cellsToRun(known)).toEqual([]);
      expect(Object.keys(known.marks)).toHaveLength(5);
      // Nothing stands there twice, and what is new comes with the next look.
      appendFileSync(box.place(id, 'journal'), 'begin 1 9 r-x .\n');
      const { delta } = value(await trail.look(connection(), id, known));
      expect(Object.keys(delta.marks ?? {})).toEqual(['1']);
      expect(delta.marks).toMatchObject({ 1: { times: 2, end: null } });
      const all = value(
        await lookAtQueue(connection(), scripts, { queue: id, run: id, hasJob: true }),
      );
      expect(all).toMatchObject({ from: 0, to: box.read(id, 'journal').length });
      expect(all.entries).toHaveLength(11);
      expect(all.job).not.toBeNull();
    });

    it('that cannot be read to its end is not read, rather than in part', async () => {
      appendFileSync(box.place(id, 'journal'), `${'x'.repeat(400)}\nbegin 1 9 r-x .\n`);
      const looked = await lookAtQueue(connection(), scriptsWith(box, 150), {
        ...{ queue: id, run: id },
      });
      expect(looked).toMatchObject({ error: { code: 'queue-not-read' } });
    });
  },
);
