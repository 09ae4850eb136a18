import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nothingKnown } from '../../shared/runs/launch/known-box.fixture.ts';
import { RESULTS_PATTERN } from '../../shared/runs/sweep/make-cells.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { BOX, RunBox, value } from '../runs/run-box.fixture.ts';
import { checkSweepHere } from '../runs/sweep/read-sweep.ts';
import { SweepLauncher } from '../runs/sweep/sweep-launcher.ts';
import { SweepWatch } from '../runs/sweep/sweep-watch.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { run } from './cli.fixture.ts';
import { addBox } from './named-box.fixture.ts';

let folder: string;
let box: RunBox;
let sweeps: SweepWatch;
beforeEach(async () => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-sweep-'));
  box = new RunBox();
  await box.open();
  addBox(folder, box.sshd);
  sweeps = new SweepWatch({
    ...{ hub: box.hub, roster: box.roster, scripts: onboxScripts, watch: box.watch },
    ...{ entries: box.entries, redact: (text: string) => text, check: checkSweepHere },
    onProblem: (found) => {
      throw new Error(found.message);
    },
  });
});
afterEach(async () => {
  await sweeps.close();
  await box.close();
  rmSync(folder, { recursive: true, force: true });
});

const cli = (...words: readonly string[]) =>
  run(['sweep', 'status', 'train-a', ...words], { env: { LEASEHOLD_DATA_FOLDER: folder } });

describe.skipIf(!hasSshd)('sweep status', () => {
  it('tells every cell from what the box has, by the id or the name of the sweep', async () => {
    const launcher = new SweepLauncher({
      ...{ roster: box.roster, scripts: onboxScripts, launcher: box.launcher, sweeps },
      pushes: box.pushes,
      knownBox: () => nothingKnown(),
    });
    const plan = value(
      await launcher.plan(
        {
          name: 'rates',
          base: { folder: '~/work', activate: null, env: {} },
          source: { kind: 'grid', command: 'exit {x} # {results}', parameters: 'x: 0, 3' },
          pattern: RESULTS_PATTERN,
        },
        [{ boxId: BOX.id, cells: [0, 1] }],
      ),
    );
    value(await launcher.launch(plan.sweepId, plan.plan, {}));
    await vi.waitFor(async () => {
      const { code, out } = await cli('rates');
      expect(code).toBe(0);
      expect(out.split('\n')[0]).toBe(`rates (${plan.sweepId}): 1 done, 1 failed`);
      expect(out).toMatch(/^x=3 {2,}Failed \(exit 3\) {2,}train-a/m);
    });
    const told = JSON.parse((await cli(plan.sweepId, '--json')).out) as unknown;
    expect(told).toMatchObject({
      sweep: { cells: [{ name: 'x=0', state: { kind: 'done' } }, { state: { exitCode: 3 } }] },
    });
    expect(await cli('other')).toMatchObject({
      code: 1,
      err: expect.stringContaining('has no such sweep') as string,
    });
    // Whoever edits what the sweep was is told so, and believed in nothing.
    const [shared] = sweeps.book.sweeps.flatMap(({ shares }) => shares);
    const file = box.place(shared?.run ?? '', 'sweep');
    writeFileSync(file, box.read(shared?.run ?? '', 'sweep').replaceAll('x=3', 'x=4'));
    expect(await cli('rates')).toMatchObject({
      code: 1,
      err: expect.stringContaining('was changed since its launch') as string,
    });
    launcher.close();
  });
});
