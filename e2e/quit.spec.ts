import type { ElectronApplication } from '@playwright/test';
import { expect, PATIENT, readLog, startElectron, test, type RunningApp } from './fixtures/app.ts';

/** A box whose rental ends in two hours. */
async function addEndingBox({ page }: RunningApp): Promise<void> {
  const added = await page.evaluate(async () => {
    const box = await window.leasehold.call('box:add', {
      name: 'train-a',
      connection: {
        address: { host: '127.0.0.1', port: 1, user: 'root' },
        route: { kind: 'direct' },
        login: {
          identityFiles: [],
          certificateFiles: [],
          isOnlyIdentities: false,
          forwardAgent: false,
        },
        options: {
          hostKeyAlias: null,
          knownHostsFiles: [],
          keepaliveEveryS: null,
          configHost: null,
          configDigest: null,
        },
      },
    });
    if (!box.ok) return box;
    const boxId = box.value.id;
    const known = await window.leasehold.call('clocks:entries', { boxId });
    if (!known.ok) return known;
    const entries = { ...known.value, times: { 'rental-end': Date.now() + 7_200_000 } };
    return window.leasehold.call('clocks:set-entries', { boxId, entries });
  });
  expect(added).toMatchObject({ ok: true });
  await expect(page.getByRole('region', { name: 'Danger clock' })).toContainText(/left/);
}

test('whoever quits before the first page is there leaves no process and no error in the log', async ({
  apps,
}) => {
  const folder = apps.makeFolder();
  const app = await startElectron(folder);
  const main = app.process();
  const closed = app.waitForEvent('close', PATIENT);
  await app.evaluate(({ app: electron, BrowserWindow }) => {
    const quit = (): void => void setImmediate(() => electron.quit());
    if (BrowserWindow.getAllWindows().length > 0) quit();
    else electron.on('browser-window-created', quit);
  });
  await closed;
  expect(main.exitCode).toBe(0);
  const log = readLog(folder);
  expect(log).toContain('stopped');
  expect(log).not.toMatch(/ (?:WARN|ERROR|FATAL) /);
});

test('who quits while a clock runs out soon is asked once, and can keep it watched in the tray', async ({
  apps,
}) => {
  const running = await apps.start({ hasDemo: false });
  const { app } = running;
  await addEndingBox(running);

  // The system's own dialog, which no page can press: it answers what is next in the list.
  await app.evaluate(({ dialog }) => {
    const asked: string[] = [];
    const answers = [2, 0, 1];
    Object.assign(globalThis, { asked });
    dialog.showMessageBox = (...args: unknown[]) => {
      asked.push((args.at(-1) as { detail: string }).detail);
      return Promise.resolve({ response: answers.shift() ?? 2, checkboxChecked: false });
    };
  });
  const quit = () => app.evaluate(({ app: electron }) => electron.quit());
  const count = () =>
    app.evaluate(() => (globalThis as unknown as { asked: string[] }).asked.length);
  const isShown = () =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() ?? false);
  await quit();
  await expect.poll(count).toBe(1);
  expect(await isShown()).toBe(true);
  await quit();
  await expect.poll(isShown).toBe(false);
  const [detail] = await app.evaluate(() => (globalThis as unknown as { asked: string[] }).asked);
  expect(detail).toContain('train-a');
  const main = app.process();
  const closed = app.waitForEvent('close', PATIENT);
  await quit();
  await closed;
  expect(main.exitCode).toBe(0);
});

/** Whoever is asked answers nothing. */
const answerNothing = (app: ElectronApplication): Promise<void> =>
  app.evaluate(({ dialog }) => {
    dialog.showMessageBox = () => {
      Object.assign(globalThis, { isAsked: true });
      return new Promise(() => undefined);
    };
  });

const SIGNALS = process.platform === 'win32' ? [] : (['SIGTERM', 'SIGINT', 'SIGHUP'] as const);
for (const signal of SIGNALS) {
  test(`${signal} asks nothing and closes everything, and a second one cuts nothing short`, async ({
    apps,
  }) => {
    const running = await apps.start({ hasDemo: false });
    const { app, folder } = running;
    await addEndingBox(running);
    await answerNothing(app);
    await app.evaluate(({ app: electron }, again) => {
      electron.once('before-quit', () => process.kill(process.pid, again));
    }, signal);
    const main = app.process();
    const closed = app.waitForEvent('close', PATIENT);
    main.kill(signal);
    await closed;
    expect([main.exitCode, main.signalCode]).toEqual([0, null]);
    expect(readLog(folder)).toContain('stopped');
  });
}

test('a signal ends it while the question stands', async ({ apps }) => {
  test.skip(process.platform === 'win32', 'Windows ends a process without asking it.');
  const running = await apps.start({ hasDemo: false });
  const { app, folder } = running;
  await addEndingBox(running);
  await answerNothing(app);
  await app.evaluate(({ app: electron }) => electron.quit());
  await expect.poll(() => app.evaluate(() => Object.hasOwn(globalThis, 'isAsked'))).toBe(true);
  const main = app.process();
  const closed = app.waitForEvent('close', PATIENT);
  main.kill('SIGTERM');
  await closed;
  expect([main.exitCode, main.signalCode]).toEqual([0, null]);
  expect(readLog(folder)).toContain('stopped');
});

test('a question that cannot be shown keeps nobody from quitting', async ({ apps }) => {
  const running = await apps.start({ hasDemo: false });
  const { app, folder } = running;
  await addEndingBox(running);
  await app.evaluate(({ dialog }) => {
    dialog.showMessageBox = () => Promise.reject(new Error('no display'));
  });
  const main = app.process();
  const closed = app.waitForEvent('close', PATIENT);
  await app.evaluate(({ app: electron }) => electron.quit());
  await closed;
  expect(main.exitCode).toBe(0);
  expect(readLog(folder)).toContain('the question before quitting was not asked');
  expect(readLog(folder)).toContain('stopped');
});
