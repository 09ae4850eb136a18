import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endPass } from '../../shared/teardown/change-pass.fixture.ts';
import { hasDropbear, unlessItAsserts } from '../ssh/dropbear.fixture.ts';
import { cell, queue, QueueBox } from './queue/queue-box.fixture.ts';
import { BOX, value } from './run-box.fixture.ts';

describe.skipIf(!hasDropbear)('on a box with Dropbear', () => {
  let box: QueueBox;
  beforeEach(async () => {
    box = new QueueBox();
    await box.openDropbear();
  });
  afterEach(() => box.close());

  it('a run is launched, followed over a link that drops, and outlives it to its end', ({ skip }) =>
    unlessItAsserts(box.dropbear, skip, async () => {
      const run = await box.launch({ command: `echo one; ${box.gate('gate')}; echo two; exit 3` });
      const log = box.openLog(run.id);
      await vi.waitFor(() => expect(log()).toMatchObject({ text: 'one\n', state: 'following' }));
      box.proxy.cut();
      await box.hangUp();
      box.openGate('gate');
      await box.settled(run.id, 'end');
      await box.connect();
      await vi.waitFor(() =>
        expect(log()).toMatchObject({ text: 'one\ngo\ntwo\n', state: 'whole' }),
      );
      expect((await box.look(run.id)).status).toMatchObject({ kind: 'failed', exitCode: 3 });
      expect(box.news.map(({ run: { id } }) => id)).toEqual([run.id]);
    }));

  it('a run is ended with all that it began, without the session that launched it', ({ skip }) =>
    unlessItAsserts(box.dropbear, skip, async () => {
      const run = await box.launch({ command: "trap '' TERM; echo up; sleep 600 & sleep 601" });
      await box.settled(run.id, 'log');
      await box.hangUp();
      await box.connect();
      expect((await box.look(run.id)).status).toEqual({ kind: 'running' });
      value(await box.launcher.end(BOX.id, run.id, endPass(run.id)));
      expect((await box.look(run.id)).status).toMatchObject({ kind: 'ended' });
      await vi.waitFor(() => expect(box.pids()).toEqual([]));
    }));

  it('a queue goes on after everything was killed, with the cell that had no exit code', ({
    skip,
  }) =>
    unlessItAsserts(box.dropbear, skip, async () => {
      const cells = [
        cell('a', 'echo a >>ran'),
        cell('b', `echo b >>ran; ${box.gate('gate')}`),
        cell('c', 'echo c >>ran'),
      ];
      const id = await box.queue(queue(...cells));
      const ran = (): string => readFileSync(join(box.home, 'work/ran'), 'utf8');
      await vi.waitFor(() => expect(ran()).toBe('a\nb\n'));
      box.killAll();
      await box.hangUp();
      await box.connect();
      expect(await box.states(await box.until(id, 'lost'))).toEqual([
        'done',
        'interrupted',
        'waiting',
      ]);
      const { runId } = await box.resume(id);
      const log = box.openLog(`${runId} 2`);
      box.openGate('gate');
      expect(await box.states(await box.until(runId, 'done'))).toEqual(['done', 'done', 'done']);
      await vi.waitFor(() => expect(log()).toMatchObject({ text: 'go\n', state: 'whole' }));
      expect(ran()).toBe('a\nb\nb\nc\n');
    }));
});
