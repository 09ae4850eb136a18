import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSshd } from '../src/main/ssh/sshd.fixture.ts';
import { expect, test } from './fixtures/app.ts';
import { writeOneCard } from './fixtures/one-card.ts';
import { addBoxAt } from './fixtures/real-box.ts';

test.use({ hasDemo: false });

/** A silence of less than ten seconds is a hiccup of the stream; and when the last sample was is stored to ten seconds. */
const LEAST_GAP_MS = 21_000;

test('what was read before a restart is there, and the time in which Leasehold was closed is a gap @waits', async ({
  apps,
}) => {
  const bin = mkdtempSync(join(tmpdir(), 'leasehold-bin-'));
  writeOneCard(bin);
  // A home of its own: what the person's shell begins with is not the subject here.
  const sshd = await startSshd({ path: `${bin}:/usr/bin:/bin`, home: bin });
  try {
    const folder = apps.makeFolder();
    const first = await apps.start({ folder });
    await addBoxAt(first.page, sshd);
    const sm = first.page.getByRole('region', { name: 'SM', exact: true });
    await expect(sm).toContainText('70 % · mem 40 %');
    await first.app.close();

    // Nothing tells that this time is over but the time itself.
    await new Promise((done) => setTimeout(done, LEAST_GAP_MS));
    const { page, consoleErrors } = await apps.start({ folder });
    await page.getByRole('navigation').getByText('real', { exact: true }).click();
    const words = page.getByText(/^SM utilisation, last/);
    await expect(words).toContainText(/No readings for .*: Leasehold was closed/);
    await expect(page.getByText(/Connected/).first()).toBeVisible();
    const again = page.getByRole('region', { name: 'SM', exact: true });
    await expect(again).toContainText('70 % · mem 40 %');
    // Points of the first session, then the gap with its event.
    await expect(words).toContainText(/70.% *, mean 70.%.*Leasehold was closed/);
    await expect(page.getByRole('button', { name: /closed Leasehold was closed/ })).toBeVisible();
    expect(consoleErrors).toEqual([]);
  } finally {
    await sshd.stop();
    rmSync(bin, { recursive: true, force: true });
  }
});
