import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasSshd } from '../../ssh/sshd.fixture.ts';
import { type RunBox, value } from '../run-box.fixture.ts';
import { A, B, draft, shares, SweepApp } from './sweep-app.fixture.ts';
import { forge, openBoxes } from './sweep-box.fixture.ts';

describe.skipIf(!hasSshd || process.platform !== 'linux')('a sweep', () => {
  let boxes: [RunBox, RunBox];
  let app: SweepApp;
  beforeEach(async () => {
    boxes = await openBoxes();
    app = new SweepApp(...boxes);
  });
  afterEach(async () => {
    await app.close();
    for (const box of boxes) await box.close();
  });

  it('that a box made up runs nowhere before a person has read its commands and said so', async () => {
    const [a, b] = boxes;
    const plan = value(
      await app.sweepLauncher.plan(
        draft('echo {x} >{results}/out; exit 7', '1, 2'),
        shares([0, 1]),
      ),
    );
    const [own] = (await app.launch(plan)).shares;
    await app.until(plan.sweepId, ['failed', 'failed']);
    const forged = forge(a, own?.run ?? '', {
      sweep: 's-20260101-000000-0badbeef',
      run: 'r-20260101-000000-0badbeef',
      command: 'touch ~/owned # ',
    });
    await app.watch.look(A.id);
    await app.until(forged, ['failed', 'failed']);
    const again = value(await app.sweepLauncher.planAgain(forged, shares([], [0, 1])));
    expect(again.shares[0]?.plan?.checks[0]).toMatchObject({
      id: 'origin',
      answer: 'block',
      says: expect.stringMatching(/its 2 commands, .* were read from box a\./) as string,
    });
    expect(await app.sweepLauncher.launch(forged, again.plan, {})).toMatchObject({
      error: { code: 'run-blocked', message: expect.stringContaining('box b') as string },
    });
    expect(existsSync(join(b.home, 'owned'))).toBe(false);
    const [run] = (await app.launch(again, { [B.id]: ['origin'] })).shares;
    await app.until(forged, ['done', 'done']);
    expect(value(await app.watch.look(B.id)).runs.find(({ id }) => id === run?.run)).toMatchObject({
      overridden: [{ title: 'Where the commands come from' }],
    });
    // Once more is asked once more; what this app began is not.
    rmSync(join(b.home, 'work/results'), { recursive: true });
    value(await app.sweeps.reconcile(forged));
    const more = value(await app.sweepLauncher.planAgain(forged, shares([], [0])));
    expect(more.shares[0]?.plan?.checks[0]).toMatchObject({ id: 'origin' });
    const mine = value(await app.sweepLauncher.planAgain(plan.sweepId, shares([], [0])));
    expect(mine.shares[0]?.plan?.checks.map(({ id }) => id)).not.toContain('origin');
  });

  it('is no other one that a box gives its name to', async () => {
    const [a, b] = boxes;
    const plan = value(
      await app.sweepLauncher.plan(
        draft('echo {x} >{results}/out; exit 7', '1, 2'),
        shares([0], [1]),
      ),
    );
    const launched = await app.launch(plan);
    await app.until(plan.sweepId, ['failed', 'failed']);
    forge(b, launched.shares[1]?.run ?? '', {
      sweep: plan.sweepId,
      run: 'r-20260101-000000-0badbeef',
      command: 'true # ',
    });
    await app.watch.look(B.id);
    await vi.waitFor(() =>
      expect(app.told.splice(0)).toEqual([
        'A run on a box says that it is part of the sweep “a sweep”, but has other cells: it is not counted.',
      ]),
    );
    expect((await app.view(plan.sweepId)).shares).toHaveLength(2);
    const again = value(await app.sweepLauncher.planAgain(plan.sweepId, shares([0])));
    expect(again.shares[0]?.plan?.queue?.cells[0]?.command).toContain('exit 7');
    expect(existsSync(join(a.home, 'owned'))).toBe(false);
  });
});
