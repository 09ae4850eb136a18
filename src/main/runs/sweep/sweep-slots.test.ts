import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { details } from '../../../shared/detectors/box.fixture.ts';
import { nothingKnown } from '../../../shared/runs/launch/known-box.fixture.ts';
import { knownFacts, NOW_MS } from '../../../shared/runs/launch/preflight.fixture.ts';
import type { SweepPlan } from '../../../shared/runs/sweep/sweep-plan.ts';
import { hasSshd } from '../../ssh/sshd.fixture.ts';
import { type RunBox, value } from '../run-box.fixture.ts';
import { draft, shares, SweepApp } from './sweep-app.fixture.ts';
import { gate, openBoxes, work } from './sweep-box.fixture.ts';

/** Each of its boxes has two cards, and a stranger may be on the first. */
function cards(strangers: readonly number[]) {
  const gpus = [0, 1].map((index) =>
    details({ index, uuid: `GPU-${String(index)}`, memoryUsedMiB: 4, memoryTotalMiB: 81_559 }),
  );
  const processes = strangers.map((index) => ({
    ...{ gpu: `GPU-${String(index)}`, pid: 4711, name: 'python', memoryMiB: 40_000 },
    ...{ user: null, command: null, ageS: null },
  }));
  const told = knownFacts({ gpus, processes: { kind: 'known', processes } });
  return nothingKnown({ nowMs: NOW_MS, ...told });
}

describe.skipIf(!hasSshd || process.platform !== 'linux')('a sweep of cells side by side', () => {
  let boxes: [RunBox, RunBox];
  let app: SweepApp;
  beforeEach(async () => {
    boxes = await openBoxes();
    app = new SweepApp(...boxes);
    app.known = cards([]);
  });
  afterEach(async () => {
    await app.close();
    for (const box of boxes) await box.close();
  });

  it('gives each cell a card of its box, and what runs again those that no stranger has by then', async () => {
    const [a, b] = boxes;
    for (const name of ['gate1', 'gate2', 'gate3']) gate(a, name);
    const { base, ...rest } = draft(
      'echo "{x} $CUDA_VISIBLE_DEVICES" >>begun; [ ! -p gate{x} ] || cat gate{x}; echo {results}',
      '1, 2, 3, 4',
    );
    const wanted = { ...rest, base: { ...base, gpus: { count: 1 } } };
    const plan = value(await app.sweepLauncher.plan(wanted, shares([0, 1, 2], [3])));
    const slotsOf = (made: SweepPlan) =>
      made.shares.map((share) => share.plan?.queue?.slots.flat().map(({ uuid }) => uuid));
    // No more at once than there are cells.
    expect(slotsOf(plan)).toEqual([['GPU-0', 'GPU-1'], ['GPU-0']]);
    await app.launch(plan);
    await app.until(plan.sweepId, ['running', 'running', 'waiting', 'done']);
    const view = await app.view(plan.sweepId);
    expect(view.cells.map(({ state }) => ('cards' in state ? state.cards : null))).toEqual([
      'GPU-0',
      'GPU-1',
      null,
      null,
    ]);
    expect(view.shares.map(({ slots }) => slots)).toEqual([2, 1]);
    expect(readFileSync(work(b, 'begun'), 'utf8')).toBe('4 GPU-0\n');

    // The box restarts, and a stranger is on the first card then.
    app.known = cards([0]);
    const begun = (): readonly string[] =>
      readFileSync(work(a, 'begun'), 'utf8').split('\n').slice(0, -1).sort();
    // A cell is said to run before it does anything.
    await vi.waitFor(() => expect(begun()).toEqual(['1 GPU-0', '2 GPU-1']));
    a.killAll();
    await a.hangUp();
    await a.connect();
    await app.until(plan.sweepId, ['interrupted', 'interrupted', 'never-started', 'done']);
    const again = value(await app.sweepLauncher.planAgain(plan.sweepId, shares([0, 1, 2])));
    expect(slotsOf(again)).toEqual([['GPU-1']]);
    expect(again.shares[0]?.plan?.checks.find(({ id }) => id === 'slots')?.says).toContain(
      'GPU 0 is left out, because process 4711 is on it.',
    );
    await app.launch(again);
    await vi.waitFor(() => expect(begun()).toEqual(['1 GPU-0', '1 GPU-1', '2 GPU-1']));
  });
});
