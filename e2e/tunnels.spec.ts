import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import type { Page } from '@playwright/test';
import { expectAccessible } from './fixtures/accessibility.ts';
import { expect, PATIENT, startForFile, test } from './fixtures/app.ts';

const started = startForFile();

/** Takes back what a test has opened. */
async function closeTensorBoard(page: Page, shown: Page): Promise<void> {
  await shown.close();
  const row = page.getByRole('row', { name: /TensorBoard/ });
  await row.getByRole('button', { name: /^More actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await expect(page.getByRole('heading', { name: 'No tunnels' })).toBeVisible();
}

async function openTunnels(page: Page): Promise<void> {
  await expect(page.getByText(/Connected/).first()).toBeVisible();
  await page.getByRole('tab', { name: 'Tunnels' }).click();
}

test('one click finds TensorBoard, makes the tunnel and opens it; the row proves it', async () => {
  const { app, page, consoleErrors } = await started();
  await openTunnels(page);
  await expect(page.getByRole('heading', { name: 'No tunnels' })).toBeVisible();
  await expectAccessible(page, 'no tunnels');
  const opening = app.waitForEvent('window', PATIENT);
  await page.getByRole('button', { name: 'Open TensorBoard', exact: true }).click();
  const shown = await opening;
  await expect(shown.getByRole('heading', { name: 'Demo box' })).toBeVisible();
  await expect(page.getByText(/It shows \d runs?/)).toBeVisible();
  const row = page.getByRole('row', { name: /TensorBoard/ });
  await expect(row).toContainText('Answered');
  await expect(row).toContainText('HTTP 200 to GET /');
  await expectAccessible(page, 'tunnels');
  expect(consoleErrors).toEqual([]);
  await closeTensorBoard(page, shown);
});

test('a tunnel is added by hand, refused a taken port with an offer, stopped and removed', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  try {
    const { page } = await started();
    await openTunnels(page);
    await page.getByRole('button', { name: 'Add tunnel' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add tunnel' }).click();
    await expect(dialog.getByLabel('Port on the box')).toBeFocused();
    await dialog.getByLabel('Port on the box').fill('6006');
    await dialog.getByLabel('Port to open here').fill(String(port));
    await dialog.getByLabel('Name').fill('curves');
    await dialog.getByLabel('Allow other devices on my network').click();
    await expect(dialog.getByText(/without a password/)).toBeVisible();
    await dialog.getByLabel('Allow other devices on my network').click();
    await expectAccessible(page, 'tunnel dialog');
    await page.keyboard.press('Enter');
    await expect(page.getByText(`Port ${port} of this machine is taken`)).toBeVisible();
    await page.getByRole('button', { name: /^Use \d+$/ }).click();
    const row = page.getByRole('row', { name: /curves/ });
    await expect(row).toContainText('Answered');
    await row.getByRole('button', { name: 'More actions for curves' }).click();
    await page.getByRole('menuitem', { name: 'Stop' }).click();
    await expect(row).toContainText('Stopped');
    await row.getByRole('button', { name: 'More actions for curves' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await expect(page.getByRole('heading', { name: 'No tunnels' })).toBeVisible();
  } finally {
    other.close();
  }
});

test('a tunnel waits while the connection is down and answers again by itself', async () => {
  const { app, page } = await started();
  await openTunnels(page);
  const opening = app.waitForEvent('window', PATIENT);
  await page.getByRole('button', { name: 'Open TensorBoard', exact: true }).click();
  const shown = await opening;
  const row = page.getByRole('row', { name: /TensorBoard/ });
  await expect(row).toContainText('Answered');
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await expect(row).toContainText('Waiting for connection');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(row).toContainText('Answered');
  await closeTensorBoard(page, shown);
});
