import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { IPC_DROPPED, IPC_EVENT_PREFIX, IPC_TERMINAL_PORT } from '../src/shared/ipc/names.ts';
import { expect, startForFile, test } from './fixtures/app.ts';
import { openTensorboard } from './fixtures/service-page.ts';

// What a page reaches that is no longer ours, or never was: the person's clipboard, ports of this machine, the app's own life.

const started = startForFile();

const SECRET = 'what the person copied last';

/** Each window that shows a page: the app's own, and one that shows a page of a box. */
const WINDOWS: readonly (readonly [
  string,
  (app: ElectronApplication, page: Page) => Promise<Page>,
])[] = [
  ['the main window', (_app, page) => Promise.resolve(page)],
  ['a window with a page of a box', openTensorboard],
];

/** What a field of the page holds after `paste` of the page's own, and after whatever the person does. */
async function pasteByScript(page: Page): Promise<{ answer: boolean; got: string }> {
  return page.evaluate(() => {
    const field = document.createElement('textarea');
    field.id = 'field';
    document.body.append(field);
    let got = '';
    field.addEventListener('paste', ({ clipboardData }) => {
      got += clipboardData?.getData('text/plain') ?? '';
    });
    field.focus();
    // A frame of the page's own is a page without whatever was put into this one.
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const inner = frame.contentDocument;
    const innerField = inner?.createElement('textarea');
    if (innerField !== undefined) inner?.body.append(innerField);
    const answer = document.execCommand('paste');
    innerField?.focus();
    const innerAnswer = inner?.execCommand('paste') ?? false;
    got += field.value + (innerField?.value ?? '');
    frame.remove();
    field.value = '';
    field.focus();
    return { answer: answer || innerAnswer, got };
  });
}

for (const [which, open] of WINDOWS) {
  test(`${which}: no page reads the clipboard, and a person pastes`, async () => {
    const { app, page } = await started();
    const shown = await open(app, page);
    await app.evaluate(({ clipboard }, text) => clipboard.writeText(text), SECRET);
    // As it happens after a click: what a page may do with a person's gesture is more.
    await shown.mouse.click(5, 5);
    expect(await pasteByScript(shown)).toEqual({ answer: false, got: '' });

    const field = shown.locator('#field');
    await field.focus();
    await shown.keyboard.press('Control+V');
    await expect(field).toHaveValue(SECRET);
    await field.evaluate((each) => ((each as HTMLTextAreaElement).value = ''));
    await field.focus();
    // What the entry of the Edit menu does.
    await app.evaluate(({ BrowserWindow }, url) => {
      for (const { webContents } of BrowserWindow.getAllWindows()) {
        if (webContents.getURL() === url) webContents.paste();
      }
    }, shown.url());
    await expect(field).toHaveValue(SECRET);
    if (shown !== page) await shown.close();
  });

  test(`${which}: no page sends past its policy with WebRTC`, async () => {
    const met: string[] = [];
    const udp = createSocket('udp4', () => met.push('udp')).bind(0, '127.0.0.1');
    const tcp = createServer((socket) => {
      met.push('tcp');
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await Promise.all([once(udp, 'listening'), once(tcp, 'listening')]);
    try {
      const { app, page } = await started();
      const shown = await open(app, page);
      await shown.evaluate(
        async ({ udpPort, tcpPort }) => {
          const peer = new RTCPeerConnection({
            iceServers: [
              { urls: `stun:127.0.0.1:${String(udpPort)}` },
              {
                urls: `turn:127.0.0.1:${String(udpPort)}?transport=udp`,
                username: 'what',
                credential: 'leaks',
              },
              {
                urls: `turn:127.0.0.1:${String(tcpPort)}?transport=tcp`,
                username: 'what',
                credential: 'leaks',
              },
            ],
          });
          peer.createDataChannel('any');
          const isOver = new Promise<void>((resolve) => {
            peer.addEventListener('icegatheringstatechange', () => {
              if (peer.iceGatheringState === 'complete') resolve();
            });
          });
          await peer.setLocalDescription(await peer.createOffer());
          await isOver;
          peer.close();
        },
        { udpPort: udp.address().port, tcpPort: (tcp.address() as AddressInfo).port },
      );
      expect(met).toEqual([]);
      if (shown !== page) await shown.close();
    } finally {
      udp.close();
      tcp.close();
    }
  });
}

test('the main window: its page has a world of its own', async ({ apps }) => {
  // Asked before it shows anything, which it does not where preload shares its world.
  const { app } = await apps.start({ hasDemo: false });
  const applied = await app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
      getLastWebPreferences: () => Record<string, unknown>;
    };
    return { ...contents.getLastWebPreferences() };
  });
  expect(applied).toMatchObject({ contextIsolation: true, sandbox: true, nodeIntegration: false });
});

test('no page empties the window', async () => {
  const { app, page, log } = await started();
  const before = page.url();
  await page.evaluate(() => {
    setTimeout(() => (location.href = 'about:blank'), 0); // behind the answer, which its page gives
  });
  await expect.poll(log).toContain('refused a navigation');
  await expect(page.getByRole('navigation').first()).toBeVisible();
  const url = await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.getURL(),
  );
  expect(url).toBe(before);
});

test('a drop that the page made up is not told to main', async ({ apps }) => {
  const { app, page } = await apps.start({ hasDemo: false });
  await expect(page.getByRole('navigation').first()).toBeVisible();
  await app.evaluate(({ BrowserWindow }, name) => {
    const world = globalThis as unknown as { drops: unknown[] };
    world.drops = [];
    BrowserWindow.getAllWindows()[0]?.webContents.on('ipc-message', (_event, channel, paths) => {
      if (channel === name) world.drops.push(paths);
    });
  }, IPC_DROPPED);
  await page.evaluate(async () => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['made up'], 'made-up.txt'));
    document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, dataTransfer }));
    // On the same way, and so behind it.
    await window.leasehold.call('app:info', {});
  });
  const drops = await app.evaluate(() => (globalThis as unknown as { drops: unknown[] }).drops);
  expect(drops).toEqual([]);
});

test('a file that is dropped beside its target opens nothing', async ({ apps }) => {
  const { app, page, folder } = await apps.start({ hasDemo: false });
  await expect(page.getByRole('navigation').first()).toBeVisible();
  const file = join(folder, 'dropped.html');
  writeFileSync(file, '<p>not ours</p>');
  await app.evaluate(({ BrowserWindow }) => {
    const world = globalThis as unknown as { opened: string[] };
    world.opened = [];
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    contents?.on('will-navigate', (_event, url) => void world.opened.push(url));
    contents?.setWindowOpenHandler(({ url }) => {
      world.opened.push(url);
      return { action: 'deny' };
    });
  });
  const session = await page.context().newCDPSession(page);
  const at = { x: 700, y: 500, data: { items: [], files: [file], dragOperationsMask: 1 } };
  for (const type of ['dragEnter', 'dragOver', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, ...at });
  }
  await page.evaluate(() => window.leasehold.call('app:info', {}));
  expect(await app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened)).toEqual(
    [],
  );
});

test('the port of a terminal goes to our own page and to no other', async () => {
  const server = createHttpServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<p>not ours</p>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { app } = await started();
    const heard = await app.evaluate(
      async ({ app: own, BrowserWindow, MessageChannelMain }, { url, port, event }) => {
        const listen = `window.heard = new Promise((resolve) => {
          const all = [];
          addEventListener('message', ({ data, ports }) => {
            if (data === 'behind it') resolve(all);
            else all.push([data.terminalId, ports.length]);
          });
          leasehold.on('command', () => postMessage('behind it', '*'));
        }); 0`;
        const heardBy = async (window: Electron.BrowserWindow | undefined): Promise<unknown> => {
          await window?.webContents.executeJavaScript(listen);
          window?.webContents.postMessage(port, 'any', [new MessageChannelMain().port1]);
          window?.webContents.send(event, { kind: 'show-fleet' });
          return window?.webContents.executeJavaScript('window.heard');
        };
        const [ours] = BrowserWindow.getAllWindows();
        const preload = `${own.getAppPath()}/out/preload/index.cjs`;
        const webPreferences = { preload, partition: 'another' };
        const other = new BrowserWindow({ show: false, webPreferences });
        await other.loadURL(url);
        const all = { ours: await heardBy(ours), other: await heardBy(other) };
        other.destroy();
        return all;
      },
      {
        url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`,
        port: IPC_TERMINAL_PORT,
        event: `${IPC_EVENT_PREFIX}command`,
      },
    );
    expect(heard).toEqual({ ours: [['any', 1]], other: [] });
  } finally {
    server.close();
  }
});

/** How often the app was told to start anew, in place of doing it. */
async function countRestarts(app: ElectronApplication): Promise<() => Promise<number>> {
  await app.evaluate(({ app: own }) => {
    const world = globalThis as unknown as { restarts: number };
    world.restarts = 0;
    own.relaunch = () => void (world.restarts += 1);
    own.exit = () => undefined;
  });
  return () => app.evaluate(() => (globalThis as unknown as { restarts: number }).restarts);
}

test('only the page after a crash restarts the app', async ({ apps }) => {
  const { app, page, log } = await apps.start({ hasDemo: false });
  await expect(page.getByRole('navigation').first()).toBeVisible();
  const restarts = await countRestarts(app);
  await page.evaluate(() => {
    location.href = 'leasehold://app/restart';
  });
  await expect.poll(log).toContain('refused a navigation');
  // What the address bar would say is the page's own choice.
  await page.evaluate(() => {
    history.pushState(null, '', '/crash');
    location.href = 'leasehold://app/restart';
  });
  await expect.poll(() => log().split('refused a navigation').length).toBe(3);
  expect(await restarts()).toBe(0);

  await app.evaluate(() => void setTimeout(() => void Promise.reject(new Error('boom')), 0));
  // Not a click of Playwright's, which waits for the page that follows: none does.
  await page.getByRole('link', { name: 'Restart Leasehold' }).press('Enter', { noWaitAfter: true });
  await expect.poll(restarts).toBe(1);
});
