import type { ElectronApplication, Page } from '@playwright/test';
import { expect, test } from '../fixtures/app.ts';
import { shoot } from '../fixtures/shoot.ts';
import { openShell, runLine, screenText } from '../fixtures/terminal.ts';

// The pictures of README and docs/, taken from the running app, so that they never show what is no longer there.

/** The charts are worth a picture when they hold a few minutes of the run's epochs. */
const HISTORY_MS = 70_000;

/** A detector is sure after half a minute of readings. */
const FOUND_WITHIN_MS = 90_000;

/** TensorBoard in one click, and a proxy beside it. */
async function openTunnels(app: ElectronApplication, page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Tunnels' }).click();
  const opening = app.waitForEvent('window');
  await page.getByRole('button', { name: 'Open TensorBoard', exact: true }).click();
  await (await opening).getByRole('heading').waitFor();
  await page.getByRole('button', { name: 'Add tunnel' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('SOCKS proxy').click();
  await dialog.getByLabel('Port to open here').fill('11080');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row', { name: /SOCKS proxy/ })).toContainText('Answered');
}

/** A patrol knows the run, and the next one misses it. */
async function killTheRun(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Runs' }).click();
  const patrolNow = page.getByRole('tabpanel').getByRole('button', { name: 'Check now' });
  await patrolNow.click();
  await expect(page.getByRole('tabpanel').getByRole('article').first()).toBeVisible();
  await page.evaluate(() =>
    window.leasehold.call('demo:set-fault', { fault: 'run-killed', isOn: true }),
  );
  await expect(patrolNow).toBeEnabled();
  await patrolNow.click();
  await expect(page.getByRole('article', { name: /^Run / })).toBeVisible();
}

test('takes the pictures', async ({ apps }) => {
  test.setTimeout(HISTORY_MS + FOUND_WITHIN_MS + 120_000);
  const { app, page } = await apps.start();
  await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.setContentSize(1440, 900),
  );
  await page.evaluate(() =>
    window.leasehold.call('settings:change', {
      patch: { demo: { gpuModel: 'H100-80GB-HBM3', gpuCount: 4 } },
    }),
  );
  await expect(page.getByText(/4× /).first()).toBeVisible();
  await page.waitForTimeout(HISTORY_MS);
  await shoot(page, 'box');
  await openTunnels(app, page);
  await shoot(page, 'tunnels');
  await openShell(page);
  await runLine(page, 'nvidia-smi');
  await expect(screenText(page)).toContainText('Processes:');
  await shoot(page, 'terminal');
  await page.evaluate(() =>
    window.leasehold.call('demo:set-fault', { fault: 'throttle', isOn: true }),
  );
  await page.getByRole('tab', { name: /^Alerts/ }).click();
  const alert = page.getByRole('article').first();
  await expect(alert).toBeVisible({ timeout: FOUND_WITHIN_MS });
  await alert.getByText('Clues').click();
  await shoot(page, 'alerts');
  await killTheRun(page);
  await shoot(page, 'runs');
  await page.getByRole('button', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
  await shoot(page, 'settings');
  await page.getByRole('button', { name: 'Add box' }).first().click();
  await page
    .getByRole('dialog')
    .getByRole('textbox')
    .first()
    .fill('ssh -p 41022 root@ssh5.vast.ai -i ~/.ssh/id_ed25519 -L 8080:localhost:8080');
  await shoot(page, 'add-box');
});
