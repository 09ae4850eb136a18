import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { endPass } from '../../../shared/teardown/change-pass.fixture.ts';
import { hasSshd } from '../../ssh/sshd.fixture.ts';
import { type RunBox, value } from '../run-box.fixture.ts';
import { A, draft, shares, SweepApp } from './sweep-app.fixture.ts';
import { gate, openBoxes, work } from './sweep-box.fixture.ts';

let boxes: [RunBox, RunBox];
let apps: [SweepApp, SweepApp];
beforeEach(async () => {
  boxes = await openBoxes();
  apps = [new SweepApp(...boxes), new SweepApp(...boxes)];
});
afterEach(async () => {
  for (const each of apps) await each.close();
  for (const each of boxes) await each.close();
});

it.skipIf(!hasSshd || process.platform !== 'linux')(
  'a sweep that two apps launch at once is one queue on a box; other cells of the same folder are let through, and files in the folders of cells are told',
  async () => {
    const [a] = boxes;
    gate(a, 'gate');
    const planned = async (app: SweepApp, values: string) =>
      value(
        await app.sweepLauncher.plan(
          draft('cat gate; touch {results}/{x}', values),
          shares([0, 1]),
        ),
      );
    const plans = [await planned(apps[0], '1, 2'), await planned(apps[1], '2, 3')] as const;
    const launched = await Promise.all([apps[0].launch(plans[0]), apps[1].launch(plans[1])]);
    const problems = launched.map(({ shares: [share] }) => share?.problem ?? null);
    expect(problems.filter((each) => each === null)).toHaveLength(1);
    expect(problems.find((each) => each !== null)).toMatchObject({
      message:
        '“a sweep” was launched in the meantime and saves into the same folder. Nothing was started.',
    });
    expect(readdirSync(a.place(''))).toHaveLength(1);
    const checkOf = async (values: string) =>
      (await planned(apps[1], values)).shares[0]?.plan?.checks.find(({ id }) => id === 'savers');
    expect(await checkOf('1, 2')).toMatchObject({ answer: 'block' });
    mkdirSync(work(a, 'results/x=9'), { recursive: true });
    mkdirSync(work(a, 'results/x=8'));
    writeFileSync(work(a, 'results/x=9/.metrics'), '1');
    expect(await checkOf('8, 9')).toMatchObject({
      answer: 'warn',
      says: '1 of the 2 cell folders holds files already. The cells may write over them.',
    });
    const [run] = readdirSync(a.place(''));
    value(await apps[0].launcher.end(A.id, run ?? '', endPass(run ?? '')));
  },
);
