import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { ElectronApplication, Page } from '@playwright/test';
import { expect, startForFile, test } from './fixtures/app.ts';

// The window that shows a box's own page: docs/security.md names each protection and the test here that fails without it.

const started = startForFile();

async function openTensorboard(app: ElectronApplication, page: Page): Promise<Page> {
  await expect(page.getByText(/Link up/).first()).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command palette' }).fill('Open TensorBoard');
  const opening = app.waitForEvent('window');
  await page.keyboard.press('Enter');
  const shown = await opening;
  await expect(shown.getByRole('heading', { name: 'Demo box' })).toBeVisible();
  return shown;
}

test('a page of a box gets no Node, no preload and none of Leasehold', async () => {
  const { app, page } = await started();
  const shown = await openTensorboard(app, page);
  const found = await shown.evaluate(() =>
    ['leasehold', 'require', 'process', 'module', 'Buffer', 'electron'].filter(
      (name) => name in globalThis,
    ),
  );
  expect(found).toEqual([]);
  const applied = await app.evaluate(({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows().find((each) =>
      each.webContents.getURL().startsWith('http:'),
    );
    const contents = window?.webContents as unknown as {
      getLastWebPreferences: () => Record<string, unknown>;
      session: { isPersistent: () => boolean };
    };
    const preferences = contents.getLastWebPreferences();
    return {
      sandbox: preferences['sandbox'],
      contextIsolation: preferences['contextIsolation'],
      nodeIntegration: preferences['nodeIntegration'],
      preload: preferences['preload'] ?? null,
      isKept: contents.session.isPersistent(),
    };
  });
  expect(applied).toEqual({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    preload: null,
    isKept: false,
  });
  await shown.close();
});

test('a page of a box reaches nothing but its own tunnel', async () => {
  const met: string[] = [];
  const other = createServer((socket) => {
    met.push('met');
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  try {
    const { app, page } = await started();
    const shown = await openTensorboard(app, page);
    const before = shown.url();
    const outcome = await shown.evaluate(async (elsewhere) => {
      const get = (url: string, mode: RequestMode): Promise<string> =>
        fetch(url, { mode }).then(
          () => 'loaded',
          () => 'refused',
        );
      const own = await get('/data/runs', 'cors');
      const foreign = await get(elsewhere, 'no-cors');
      const opened = window.open(elsewhere) === null ? 'refused' : 'opened';
      const location = await navigator.permissions
        .query({ name: 'geolocation' })
        .then(({ state }) => state);
      return { own, foreign, opened, location };
    }, `http://127.0.0.1:${port}/`);
    expect(outcome).toEqual({
      own: 'loaded',
      foreign: 'refused',
      opened: 'refused',
      location: 'denied',
    });
    await shown.evaluate((elsewhere) => {
      location.href = elsewhere;
    }, `http://127.0.0.1:${port}/`);
    await shown.evaluate(() => {
      location.href = 'leasehold://app/index.html';
    });
    await shown.evaluate(() => fetch('/data/runs').then((answer) => answer.status));
    expect(shown.url()).toBe(before);
    expect(met).toEqual([]);
    expect(app.windows()).toHaveLength(2);
    await shown.close();
  } finally {
    other.close();
  }
});
