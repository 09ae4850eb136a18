import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunRequest } from '../../shared/runs/launch/run-request.ts';
import type { QueueRequest } from '../../shared/runs/queue/queue-cell.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { cell, queue, QueueBox } from './queue/queue-box.fixture.ts';
import { isThere, programsBut } from './programs.fixture.ts';
import { BOX, request, value } from './run-box.fixture.ts';

const WRITES = 'mkdir -p out .hydra; echo x >out/a; echo a: 1 >.hydra/config.yaml; echo ok';
const CELL = 'echo x >"$LEASEHOLD_CELL_RESULTS/a"';

const TMUX: [string, 'tmux', Partial<RunRequest>, null] = ['in tmux', 'tmux', {}, null];

describe.skipIf(!hasSshd || process.platform !== 'linux')('what a run leaves on a box', () => {
  let box: QueueBox;
  beforeEach(() => (box = new QueueBox()));
  afterEach(() => box.close());

  it.each<[string, 'tmux' | 'setsid', Partial<RunRequest>, QueueRequest | null]>([
    ...(isThere('tmux') ? [TMUX] : []),
    ['in a session of its own', 'setsid', { successLine: 'ok' }, null],
    ['with a copy', 'setsid', { results: 'out', copy: { to: '~/copies', prune: ['*'] } }, null],
    [
      'of a queue with copies',
      'setsid',
      { results: 'out/{cell}', copy: { to: '~/copies', prune: ['*'] } },
      queue(cell('a', CELL), cell('b', CELL)),
    ],
  ])('%s stood in its plan, to the letter', async (_how, detacher, more, cells) => {
    await box.open(detacher === 'tmux' ? {} : { path: programsBut(['tmux']) });
    const plan = value(
      await box.launcher.plan(BOX.id, request({ command: WRITES, ...more }), cells),
    );
    expect(plan.detacher).toBe(detacher);
    value(await box.launcher.launch(BOX.id, plan.plan));
    await box.until(plan.runId, 'done');
    const shown = new Set(plan.files.map(({ name }) => name.replace(/\/.*/, '')));
    const left = readdirSync(box.place(plan.runId));
    expect(left.filter((name) => !shown.has(name))).toEqual([]);
    for (const { name, text } of plan.files)
      if (text !== null) expect([name, box.read(plan.runId, name)]).toEqual([name, text]);
  });
});
