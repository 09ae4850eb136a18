// The window on a real loopback sshd in which launched runs are measured.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, type RunningApp } from '../e2e/fixtures/app.ts';
import { addBoxAt } from '../e2e/fixtures/real-box.ts';
import { startSshd } from '../src/main/ssh/sshd.fixture.ts';
import { report, type BenchRow } from './harness.ts';

/** A frame that comes later than this one has been dropped. */
export const DROPPED_MS = (1000 / 60) * 1.5;
/** What the box is called. */
export const BOX = 'real';

export interface RunsWindow {
  readonly running: RunningApp;
  /** Of the box. */
  readonly home: string;
  /** Goes with the window. */
  readonly folder: string;
}

/** Measures with the runs of a box in view, and reports that. */
export async function benchRuns(
  name: string,
  measure: (window: RunsWindow) => Promise<readonly BenchRow[]>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-runs-bench-'));
  const home = mkdtempSync(join(folder, 'home-'));
  const sshd = await startSshd({ home });
  const running = await launch({ folder: join(folder, 'data') });
  try {
    const { page } = running;
    await page.getByRole('navigation').first().waitFor();
    // Its training run would compete for the cores with what is measured.
    await page.evaluate(() =>
      window.leasehold.call('settings:change', {
        patch: { demo: { isOn: false } },
      }),
    );
    await page.evaluate('globalThis.__name = (named) => named'); // tsx calls it in every function that it compiles
    await running.app.evaluate('globalThis.__name = (named) => named');
    await addBoxAt(page, sshd);
    await page.getByRole('tab', { name: 'Runs' }).click();
    report({ name, rows: await measure({ running, home, folder }) });
  } finally {
    await running.app.close();
    await sshd.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
