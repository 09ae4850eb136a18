import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { hasSshd } from '../../ssh/sshd.fixture.ts';
import { type RunBox, value } from '../run-box.fixture.ts';
import { SteppedScripts, type Step } from '../stepped-scripts.fixture.ts';
import { draft, shares, SweepApp } from './sweep-app.fixture.ts';
import { gate, openBoxes, work } from './sweep-box.fixture.ts';

let boxes: [RunBox, RunBox];
let app: SweepApp;
const steps: Step[] = [];
let lost: Step | null = null;
beforeEach(async () => {
  boxes = await openBoxes();
  const scripts = new SteppedScripts((step) => {
    if (step.includes(' cell-')) steps.push(step);
    return Promise.resolve(step === lost ? 'is lost' : 'goes on');
  });
  app = new SweepApp(...boxes, scripts);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await app.close();
  for (const box of boxes) await box.close();
});

it.skipIf(!hasSshd || process.platform !== 'linux')(
  'the figures that logs tell are told where the files did not answer, and folders are walked once a minute while a cell runs',
  async () => {
    const [a] = boxes;
    const samples = new URL('../../../shared/runs/metric-files/samples/', import.meta.url);
    writeFileSync(work(a, 'events'), readFileSync(new URL('tensorboardx.tfevents', samples)));
    gate(a, 'gate');
    const command =
      'case {x} in 2) cp events {results}/events.out.tfevents.1.host; : >copied; cat gate;; *) echo step 1 loss 0.{x};; esac';
    const plan = value(
      await app.sweepLauncher.plan(draft(command, '1, 2, 3'), shares([0, 1], [2])),
    );
    await app.launch(plan);
    await app.until(plan.sweepId, ['done', 'running', 'done']);
    await vi.waitFor(() => expect(existsSync(work(a, 'copied'))).toBe(true));
    const figures = async () => {
      steps.length = 0;
      return app.sweeps.figures(plan.sweepId, [0, 1, 2]);
    };
    const logs = { 0: { loss: 0.1 }, 2: { loss: 0.3 } };
    for (const step of ['after cell-files.sh', 'after cell-parts.sh'] as const) {
      lost = step;
      expect(value(await figures())).toEqual(logs);
    }
    // No box waits for another one.
    expect(steps.slice(0, 2)).toEqual(['before cell-tails.sh', 'before cell-tails.sh']);
    lost = null;
    const all = {
      ...logs,
      1: expect.objectContaining({ 'train/loss': expect.any(Number) as number }) as object,
    };
    expect(value(await figures())).toEqual(all);
    expect(steps).not.toContain('before cell-files.sh');
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
    expect(value(await figures())).toEqual(all);
    expect(steps).toContain('before cell-files.sh');
    now.mockRestore();
    lost = 'after cell-tails.sh';
    expect(await figures()).toMatchObject({ error: { code: 'link-lost' } });
    lost = null;
    // What was written at the very end is found once it is over.
    writeFileSync(work(a, 'gate'), '');
    await app.until(plan.sweepId, ['done', 'done', 'done']);
    expect(value(await figures())).toEqual(all);
    expect(steps).toContain('before cell-files.sh');
    // A folder that is away, as with a disk that is not mounted, has not been looked into.
    renameSync(work(a, 'results/x=2'), work(a, 'away'));
    expect(value(await figures())).toEqual(logs);
    renameSync(work(a, 'away'), work(a, 'results/x=2'));
    expect(value(await figures())).toEqual(all);
  },
);
