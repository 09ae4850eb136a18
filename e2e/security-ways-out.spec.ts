import { USUAL_WAY } from '../src/shared/boxes/usual-way.ts';
import { expect, startForFile, test, type RunningApp } from './fixtures/app.ts';

// What the page asks for and where it would lead: each test is named for its item of Electron's checklist, see docs/security.md.

// With a microphone that exists, only the denial stands between the page and it.
const started = startForFile({ hasDemo: false, switches: ['--use-fake-device-for-media-stream'] });

let running: RunningApp;

test.beforeEach(async () => {
  running = await started();
});

test('5 · denies every permission but writing plain text to the clipboard', async () => {
  const states = await running.page.evaluate(async () => {
    const names = [
      'geolocation',
      'notifications',
      'camera',
      'microphone',
      'midi',
      'clipboard-read',
    ];
    const seen: Record<string, string> = {};
    for (const name of names) {
      seen[name] = (await navigator.permissions.query({ name: name as PermissionName })).state;
    }
    seen['notification request'] = await Notification.requestPermission();
    seen['media request'] = await navigator.mediaDevices.getUserMedia({ audio: true }).then(
      () => 'granted',
      (cause: unknown) => (cause as Error).name,
    );
    return seen;
  });
  expect(states).toEqual({
    geolocation: 'denied',
    notifications: 'denied',
    camera: 'denied',
    microphone: 'denied',
    midi: 'denied',
    'clipboard-read': 'denied',
    'notification request': 'denied',
    'media request': 'NotAllowedError',
  });
});

for (const target of [
  'https://example.invalid/',
  'file:///etc/hostname',
  'leasehold://app/assets/',
  'leasehold://other/index.html',
  'data:text/html,<h1>x</h1>',
]) {
  test(`13 · does not navigate to ${target}`, async () => {
    const before = running.page.url();
    await running.page.evaluate((url) => {
      location.href = url;
    }, target);
    // Ours is in the log; what Chromium itself refuses before asking us is in the console.
    await expect
      .poll(() => `${running.log()} ${running.consoleErrors.join(' ')}`)
      .toMatch(/refused a (navigation|request)|not allowed/i);
    const after = await running.app.evaluate(async ({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      const hasPage = (await contents?.executeJavaScript(
        `document.querySelector('nav') !== null`,
      )) as boolean;
      return { url: contents?.getURL(), hasPage };
    });
    expect(after).toEqual({ url: before, hasPage: true });
  });
}

test('13 · follows no redirect of its page', async () => {
  const prevented = await running.app.evaluate(({ BrowserWindow }) =>
    ['https://example.invalid/', 'leasehold://app/crash'].map((url) => {
      let isPrevented = false;
      const event = { preventDefault: () => (isPrevented = true) };
      BrowserWindow.getAllWindows()[0]?.webContents.emit('will-redirect', event, url);
      return isPrevented;
    }),
  );
  expect(prevented).toEqual([true, true]);
});

test('14 · saves no file', async () => {
  const state = await running.app.evaluate(
    ({ BrowserWindow, session }) =>
      new Promise((resolve) => {
        // Ours was there first; where it says nothing, the file is saved nowhere all the same.
        session.defaultSession.once('will-download', ({ defaultPrevented }, item) => {
          if (!defaultPrevented) item.cancel();
          resolve(defaultPrevented ? 'refused' : 'saved');
        });
        BrowserWindow.getAllWindows()[0]?.webContents.downloadURL('leasehold://app/index.html');
      }),
  );
  expect(state).toBe('refused');
});

test('14 · opens no window', async () => {
  const opened = await running.page.evaluate(() =>
    [window.open('https://example.invalid/'), window.open('leasehold://app/index.html')].map(
      (each) => each === null,
    ),
  );
  expect(opened).toEqual([true, true]);
  expect(running.app.windows()).toHaveLength(1);
});

test('15 · opens in the browser only what is listed', async () => {
  await running.app.evaluate(({ shell }) => {
    const world = globalThis as unknown as { opened: string[]; openExternal: unknown };
    world.opened = [];
    world.openExternal = shell.openExternal;
    shell.openExternal = (url: string) => {
      world.opened.push(url);
      return Promise.resolve();
    };
  });
  const codes = await running.page.evaluate(async () => {
    const urls = [
      'https://docs.nvidia.com/deploy/xid-errors/',
      'https://evil.example/',
      'file:///etc/hostname',
      'javascript:alert(1)',
      'smb://evil.example/share',
    ];
    const answers = [];
    for (const url of urls) answers.push(await window.leasehold.call('app:open-external', { url }));
    return answers.map((answer) => (answer.ok ? 'ok' : answer.error.code));
  });
  expect(codes).toEqual([
    'ok',
    'external-link-refused',
    'external-link-refused',
    'external-link-refused',
    'external-link-refused',
  ]);
  const opened = await running.app.evaluate(({ shell }) => {
    const world = globalThis as unknown as {
      opened: string[];
      openExternal: typeof shell.openExternal;
    };
    shell.openExternal = world.openExternal;
    return world.opened;
  });
  expect(opened).toEqual(['https://docs.nvidia.com/deploy/xid-errors/']);
});

test('15 · runs no command of the page’s without the system’s own question', async () => {
  await running.app.evaluate(({ dialog }) => {
    const world = globalThis as unknown as { questions: string[] };
    world.questions = [];
    dialog.showMessageBox = (...asked: unknown[]) => {
      const { detail, defaultId, cancelId } = asked.at(-1) as Electron.MessageBoxOptions;
      world.questions.push(`${String(detail)} ${String(defaultId)} ${String(cancelId)}`);
      return Promise.resolve({ response: 0, checkboxChecked: false });
    };
  });
  const box = {
    name: 'through a command',
    connection: {
      address: { host: '127.0.0.1', port: 22, user: 'u' },
      ...USUAL_WAY,
      route: { kind: 'command' as const, command: 'nc %h %p' },
    },
  };
  const answer = await running.page.evaluate(
    (wanted) => window.leasehold.call('box:add', wanted),
    box,
  );
  expect(answer).toMatchObject({ ok: false, error: { code: 'aborted' } });
  const questions = await running.app.evaluate(
    () => (globalThis as unknown as { questions: string[] }).questions,
  );
  expect(questions).toEqual(['nc %h %p 0 0']);
});

test('17 · answers nobody but our own page in our own window', async () => {
  const codes = await running.app.evaluate(async ({ app, BrowserWindow }) => {
    const [ours] = BrowserWindow.getAllWindows();
    const preload = `${app.getAppPath()}/out/preload/index.cjs`;
    const ask = `window.leasehold.call('app:info', {}).then((r) => r.ok ? 'ok' : r.error.code)`;
    const from = async (url: string): Promise<string> => {
      const other = new BrowserWindow({ show: false, webPreferences: { preload } });
      await other.loadURL(url);
      const code = (await other.webContents.executeJavaScript(ask)) as string;
      other.destroy();
      return code;
    };
    const askOurs = async () => (await ours?.webContents.executeJavaScript(ask)) as string;
    const inOurs = await askOurs();
    // It would be brought back at once.
    const bringsBack = ours?.webContents.listeners('did-navigate') ?? [];
    ours?.webContents.removeAllListeners('did-navigate');
    await ours?.loadURL('about:blank');
    const foreignPageInOurs = await askOurs();
    for (const each of bringsBack) ours?.webContents.on('did-navigate', each as () => void);
    await ours?.loadURL('leasehold://app/index.html');
    return {
      ours: inOurs,
      foreignPageInOurs,
      foreignPage: await from('about:blank'),
      ourPageInForeignWindow: await from('leasehold://app/index.html'),
    };
  });
  expect(codes).toEqual({
    ours: 'ok',
    foreignPageInOurs: 'untrusted-sender',
    foreignPage: 'untrusted-sender',
    ourPageInForeignWindow: 'untrusted-sender',
  });
});
