import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, startForFile, test } from './fixtures/app.ts';
import { openTensorboard } from './fixtures/service-page.ts';

// The window that shows a box's own page: docs/security.md names each protection and the test here that fails without it.

const started = startForFile();

test('a page of a box gets no Node, no preload and none of Leasehold', async () => {
  const { app, page } = await started();
  const shown = await openTensorboard(app, page);
  const found = await shown.evaluate(() =>
    ['leasehold', 'require', 'process', 'module', 'Buffer', 'electron'].filter(
      (name) => name in globalThis,
    ),
  );
  expect(found).toEqual([]);
  // The page's own title is told to the window before what is asked for behind it.
  await shown.evaluate(() => (document.title = 'Leasehold – your password, please'));
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
      title: window?.getTitle(),
      webSecurity: preferences['webSecurity'],
      webviewTag: preferences['webviewTag'],
      sandbox: preferences['sandbox'],
      contextIsolation: preferences['contextIsolation'],
      nodeIntegration: preferences['nodeIntegration'],
      preload: preferences['preload'] ?? null,
      isKept: contents.session.isPersistent(),
    };
  });
  expect(applied).toEqual({
    title: expect.stringContaining('TensorBoard'),
    webSecurity: true,
    webviewTag: false,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    preload: null,
    isKept: false,
  });
  await shown.close();
});

test('a page of a box saves nothing, gets no permission and opens no camera', async () => {
  const { app, page } = await started();
  const shown = await openTensorboard(app, page);
  await app.evaluate(({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows().find((each) =>
      each.webContents.getURL().startsWith('http:'),
    );
    const world = globalThis as unknown as { download: Promise<string> };
    world.download = new Promise((resolve) => {
      window?.webContents.session.once('will-download', ({ defaultPrevented }, item) => {
        if (!defaultPrevented) item.cancel();
        resolve(defaultPrevented ? 'refused' : 'saved');
      });
    });
  });
  const asked = await shown.evaluate(async () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob(['run me']));
    link.download = 'run-me.sh';
    link.click();
    return {
      notification: await Notification.requestPermission(),
      camera: await navigator.mediaDevices.getUserMedia({ video: true }).then(
        () => 'given',
        () => 'refused',
      ),
      clipboard: await navigator.clipboard.readText().then(
        () => 'read',
        () => 'refused',
      ),
    };
  });
  expect(asked).toEqual({ notification: 'denied', camera: 'refused', clipboard: 'refused' });
  const download = await app.evaluate(
    () => (globalThis as unknown as { download: Promise<string> }).download,
  );
  expect(download).toBe('refused');
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
    await app.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()
        .map(({ webContents }) => webContents)
        .find((each) => each.getURL().startsWith('http:'));
      const isPrevented = new Promise((resolve) => {
        contents?.once('will-navigate', ({ defaultPrevented }) => resolve(defaultPrevented));
      });
      Object.assign(globalThis, { isPrevented });
    });
    await shown.evaluate((elsewhere) => {
      setTimeout(() => (location.href = elsewhere), 0); // behind the answer, which its page gives
    }, `http://127.0.0.1:${port}/`);
    const isPrevented = await app.evaluate(
      () => (globalThis as unknown as { isPrevented: Promise<boolean> }).isPrevented,
    );
    expect(isPrevented).toBe(true);
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
