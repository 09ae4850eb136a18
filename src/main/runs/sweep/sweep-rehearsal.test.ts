import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planRefOf } from '../../../shared/plan/plan.ts';
import type { SweepPlan } from '../../../shared/runs/sweep/sweep-plan.ts';
import { hasSshd } from '../../ssh/sshd.fixture.ts';
import { RehearsalRunner } from '../request/rehearsal-runner.ts';
import { readRehearsals } from '../request/rehearsals.ts';
import { memoryEntries, type RunBox, value } from '../run-box.fixture.ts';
import { A, B, draft, shares, SweepApp } from './sweep-app.fixture.ts';
import { openBoxes } from './sweep-box.fixture.ts';

describe.skipIf(!hasSshd || process.platform !== 'linux')('the rehearsal of a sweep', () => {
  let boxes: [RunBox, RunBox];
  let app: SweepApp;
  let rehearsals: RehearsalRunner;
  const entries = memoryEntries();
  beforeEach(async () => {
    boxes = await openBoxes();
    app = new SweepApp(...boxes);
    rehearsals = new RehearsalRunner({
      ...{ hub: app.hub, entries },
      approve: () => Promise.resolve(true),
      redact: (text) => text,
    });
  });
  afterEach(async () => {
    rehearsals.close();
    await app.close();
    for (const box of boxes) await box.close();
  });

  it('runs once on this computer for all of its boxes, and only what its plan has shown', async () => {
    const from = join(boxes[0].home, 'project');
    mkdirSync(from);
    writeFileSync(join(from, 'train.sh'), 'exit 0\n');
    const push = { from, ignore: [], delete: false, fixLineEnds: false, rehash: false };
    const { base, ...rest } = draft('sh train.sh {x} {results}', '1, 2');
    const wanted = { ...rest, base: { ...base, rehearsal: 'cat train.sh' }, push };
    const plan = async (): Promise<SweepPlan> => {
      app.known = { ...app.known, rehearsals: value(readRehearsals(entries)) };
      return value(await app.sweepLauncher.plan(wanted, shares([0], [1])));
    };
    const answers = ({ shares: planned }: SweepPlan) =>
      planned.map((share) => share.plan?.checks.find(({ id }) => id === 'rehearsal')?.answer);
    const first = await plan();
    expect(answers(first)).toEqual(['block', 'block']);
    const shown = planRefOf(first.plan);
    expect(
      app.sweepLauncher.rehearsalOf(first.sweepId, A.id, { ...shown, digest: 'other' }),
    ).toMatchObject({
      error: { code: 'plan-changed' },
    });
    const ran = await rehearsals.run(
      B.id,
      app.sweepLauncher.rehearsalOf(first.sweepId, B.id, shown),
    );
    expect(value(ran)).toMatchObject({ end: { kind: 'passed' }, output: { text: 'exit 0\n' } });
    expect(answers(await plan())).toEqual(['pass', 'pass']);
  });
});
