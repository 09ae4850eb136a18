import { readFileSync } from 'node:fs';
import { expect, startForFile, test, type RunningApp } from './fixtures/app.ts';

// What the page is given, loads and runs: each test is named for its item of Electron's checklist, see docs/security.md.

const started = startForFile({ hasDemo: false });

let running: RunningApp;

test.beforeEach(async () => {
  running = await started();
});

/** What Electron really applied to the window, after every default and switch. */
async function webPreferences(): Promise<Record<string, unknown>> {
  return running.app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    // Not in the type declarations, but the only way to read the applied values back.
    const contents = window?.webContents as unknown as {
      getLastWebPreferences: () => Record<string, unknown>;
    };
    return { ...contents.getLastWebPreferences() };
  });
}

test('1 · loads nothing but our own files', async () => {
  const outcome = await running.page.evaluate(async () => {
    const load = (url: string): Promise<string> =>
      new Promise((resolve) => {
        const image = new Image();
        image.onload = () => resolve('loaded');
        image.onerror = () => resolve('refused');
        image.src = url;
      });
    const get = (url: string): Promise<string> =>
      fetch(url).then(
        () => 'loaded',
        () => 'refused',
      );
    return {
      http: await get('http://127.0.0.1:9/x'),
      https: await load('https://example.invalid/x.png'),
      file: await get('file:///etc/hostname'),
      data: await load('data:image/gif;base64,R0lGODlhAQABAAAAACw='),
    };
  });
  expect(outcome).toEqual({ http: 'refused', https: 'refused', file: 'refused', data: 'refused' });
});

test('1 · refuses foreign requests below the page, where no CSP applies', async () => {
  const outcome = await running.app.evaluate(async ({ net, session }) => {
    const request = net.fetch('http://127.0.0.1:9/x');
    const message = await request.then(
      () => 'loaded',
      (cause: unknown) => String(cause),
    );
    return { message, isDefaultSession: session.defaultSession !== undefined };
  });
  // Refused by us, not by the closed port: that would be ERR_CONNECTION_REFUSED.
  expect(outcome.message).toContain('ERR_BLOCKED_BY_CLIENT');
});

test('2 · gives the page no Node.js', async () => {
  const found = await running.page.evaluate(() =>
    ['require', 'process', 'module', 'Buffer', '__dirname', 'global', 'electron'].filter(
      (name) => name in globalThis,
    ),
  );
  expect(found).toEqual([]);
  const applied = await webPreferences();
  expect(applied).toMatchObject({ nodeIntegration: false, nodeIntegrationInSubFrames: false });
  expect(applied['nodeIntegrationInWorker'] ?? false).toBe(false);
});

test('3 · keeps the page away from preload’s own world', async () => {
  const outcome = await running.page.evaluate(() => {
    // In one shared world this would make preload's list check say yes to everything.
    Array.prototype.includes = () => true;
    const on = window.leasehold.on as (event: string, listener: () => void) => unknown;
    try {
      on('no-such-event', () => undefined);
      return 'accepted';
    } catch {
      return 'refused';
    }
  });
  expect(outcome).toBe('refused');
  expect(await webPreferences()).toMatchObject({ contextIsolation: true });
});

test('4 · runs the page in the operating system’s sandbox', async () => {
  expect(await webPreferences()).toMatchObject({ sandbox: true });
  const pid = await running.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId(),
  );
  test.skip(process.platform !== 'linux', 'the sandbox is read from /proc, which only Linux has');
  test.skip(process.getuid?.() === 0, 'as root, Chromium runs only with --no-sandbox');
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  expect(status).toMatch(/^Seccomp:\s+2$/m); // a system call filter is in force
});

test('4 · a window that asks for no sandbox gets one', async () => {
  test.skip(process.platform !== 'linux', 'the sandbox is read from /proc, which only Linux has');
  test.skip(process.getuid?.() === 0, 'as root, Chromium runs only with --no-sandbox');
  const pid = await running.app.evaluate(async ({ BrowserWindow }) => {
    const other = new BrowserWindow({ show: false, webPreferences: { sandbox: false } });
    Object.assign(globalThis, { other });
    await other.loadURL('about:blank');
    return other.webContents.getOSProcessId();
  });
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  await running.app.evaluate(() =>
    (globalThis as unknown as { other: { destroy: () => void } }).other.destroy(),
  );
  expect(status).toMatch(/^Seccomp:\s+2$/m);
});

test('6, 8, 9, 10 · leaves Chromium’s own protections as they are', async () => {
  const applied = await webPreferences();
  expect(applied).toMatchObject({
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
  });
  expect(applied['enableBlinkFeatures'] ?? '').toBe('');
});

test('7 · runs no inline script, no eval, no string as code', async () => {
  const outcome = await running.page.evaluate(async () => {
    const violations: string[] = [];
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
      violations.push(effectiveDirective);
    });
    const world = globalThis as unknown as Record<string, unknown>;
    const script = document.createElement('script');
    try {
      script.textContent = 'globalThis.inlineRan = true';
      document.head.append(script);
    } catch {
      violations.push('trusted-types');
    }
    let html = 'allowed';
    try {
      document.createElement('div').innerHTML =
        '<img src=x onerror="globalThis.handlerRan = true">';
    } catch {
      html = 'refused';
    }
    const style = document.createElement('style');
    style.textContent = 'body { outline: 7px solid red }';
    document.head.append(style);
    const outline = getComputedStyle(document.body).outlineWidth;
    await new Promise((resolve) => setTimeout(resolve, 0));
    return { ran: world['inlineRan'] ?? world['handlerRan'] ?? false, html, outline, violations };
  });
  expect(outcome.ran).toBe(false);
  expect(outcome.html).toBe('refused');
  expect(outcome.outline).not.toBe('7px');
  expect(outcome.violations.length).toBeGreaterThan(0);

  // Playwright's own evaluate is exempt from the policy, so the page itself has to try: a timer with a string is eval.
  const evalRan = await running.page.evaluate(async () => {
    const world = globalThis as unknown as Record<string, unknown>;
    try {
      setTimeout('globalThis.evalRan = true' as unknown as () => void, 0);
    } catch {
      return false;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
    return world['evalRan'] ?? false;
  });
  expect(evalRan).toBe(false);
});

test('7 · submits no form, and no page moves its own base', async () => {
  await running.app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    const sent = new Promise((resolve) => {
      contents?.once('will-navigate', (_event, url) => resolve(`sent to ${url}`));
    });
    Object.assign(globalThis, { sent });
  });
  const answered = running.page.evaluate(async () => {
    const violations: string[] = [];
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
      violations.push(effectiveDirective);
    });
    const base = document.createElement('base');
    base.href = 'leasehold://app/elsewhere/';
    document.head.append(base);
    const form = document.createElement('form');
    form.action = 'leasehold://app/index.html';
    document.body.append(form);
    const isRefused = new Promise<void>((resolve) => {
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
        if (effectiveDirective === 'form-action') resolve();
      });
    });
    form.submit();
    await isRefused;
    base.remove();
    return { violations: violations.sort(), base: document.baseURI };
  });
  // Where the policy does not refuse it, nothing tells the page, and main is asked whether it may go there.
  const sent = running.app.evaluate(() => (globalThis as unknown as { sent: unknown }).sent);
  expect(await Promise.race([answered, sent])).toEqual({
    violations: ['base-uri', 'form-action'],
    base: 'leasehold://app/index.html',
  });
});

test('7 · sends the policy with every page', async () => {
  const policy = await running.app.evaluate(async ({ session }) => {
    const answer = await session.defaultSession.fetch('leasehold://app/index.html');
    return answer.headers.get('content-security-policy') ?? '';
  });
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("connect-src 'none'");
  expect(policy).not.toMatch(/unsafe|data:|blob:|https?:|\*/);
  const types = await running.app.evaluate(async ({ session }) => {
    const answer = await session.defaultSession.fetch('leasehold://app/index.html');
    return answer.headers.get('x-content-type-options');
  });
  expect(types).toBe('nosniff');
});

test('11, 12 · has no webview', async () => {
  const count = await running.page.evaluate(() => {
    const view = document.createElement('webview');
    view.setAttribute('src', 'leasehold://app/index.html');
    document.body.append(view);
    return 'loadURL' in view;
  });
  expect(count).toBe(false);
  expect(await webPreferences()).toMatchObject({ webviewTag: false });
  const prevented = await running.app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    let isPrevented = false;
    const event = { preventDefault: () => (isPrevented = true) };
    contents?.emit('will-attach-webview', event, {}, {});
    return isPrevented;
  });
  expect(prevented).toBe(true);
});

test('16 · says so when the runtime is not a current one', async () => {
  const { electron, isFallbackRuntime } = await running.page.evaluate(async () => {
    const info = await window.leasehold.call('app:info', {});
    if (!info.ok) throw new Error(info.error.message);
    return info.value;
  });
  const wanted = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  const isCurrent = electron === wanted.devDependencies['electron'];
  expect(isFallbackRuntime).toBe(!isCurrent);
});

test('18 · serves the page from our own scheme and nothing outside its folder', async () => {
  expect(running.page.url()).toMatch(/^leasehold:\/\/app\/index\.html/);
  const statuses = await running.app.evaluate(async ({ session }) => {
    const paths = [
      'index.html',
      '../main/index.cjs',
      '..%2fmain%2findex.cjs',
      '%2e%2e/%2e%2e/package.json',
      'assets/..%5c..%5cpackage.json',
      'package.json',
    ];
    const seen: Record<string, number> = {};
    for (const path of paths) {
      seen[path] = (await session.defaultSession.fetch(`leasehold://app/${path}`)).status;
    }
    seen['POST'] = (
      await session.defaultSession.fetch('leasehold://app/index.html', { method: 'POST' })
    ).status;
    return seen;
  });
  const { 'index.html': index, POST, ...others } = statuses;
  expect(index).toBe(200);
  expect(POST).toBe(405);
  expect(new Set(Object.values(others))).toEqual(new Set([404]));
});

test('20 · exposes two functions and not a piece of Electron', async () => {
  const seen = await running.page.evaluate(async () => {
    const bridge = window.leasehold as unknown as Record<string, unknown>;
    const payloads: unknown[][] = [];
    const stop = window.leasehold.on('stream:batch', (...args) => payloads.push(args));
    await window.leasehold.call('stream:open', { stream: 'notices', key: '' });
    await window.leasehold.call('stream:open', { stream: 'settings', key: '' });
    await window.leasehold.call('settings:change', { patch: { notifications: false } });
    await new Promise((resolve) => {
      const look = (): void => {
        if (payloads.length > 0) resolve(null);
        else setTimeout(look, 10);
      };
      look();
    });
    stop();
    bridge['call'] = 'replaced';
    return {
      keys: Object.keys(bridge).sort(),
      isStillAFunction: typeof bridge['call'],
      argumentCounts: [...new Set(payloads.map((args) => args.length))],
      leaks: payloads.flat().filter((each) => 'sender' in (each as object)).length,
    };
  });
  expect(seen).toEqual({
    keys: ['call', 'on'],
    isStillAFunction: 'function',
    argumentCounts: [1],
    leaks: 0,
  });
});
