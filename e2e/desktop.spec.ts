import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSshd } from '../src/main/ssh/sshd.fixture.ts';
import { startTcpProxy, type TcpProxy } from '../src/main/ssh/tcp-proxy.fixture.ts';
import {
  expect,
  PATIENT,
  readLog,
  startElectron,
  startForFile,
  test as base,
  type RunningApp,
} from './fixtures/app.ts';
import { Desktop, whyNoDesktop, type TrayItem } from './fixtures/desktop.ts';
import { addBoxAt, addBoxWithKey } from './fixtures/real-box.ts';

// What Leasehold is outside its window, as the desktop's panel and notification server see it.

interface Outside {
  readonly desktop: Desktop;
  /** Adds a box called "real"; the answer is what lies between it and the app. */
  readonly addBox: (running: RunningApp) => Promise<TcpProxy>;
}

const test = base.extend<Outside>({
  desktop: async ({}, use) => {
    const desktop = await Desktop.start();
    await use(desktop);
    await desktop.stop();
  },
  addBox: async ({}, use) => {
    const sshd = await startSshd();
    const network = await startTcpProxy(sshd.port);
    await use(async ({ page }) => {
      await addBoxAt(page, sshd, network.port);
      return network;
    });
    await network.stop();
    await sshd.stop();
  },
});

test.skip(whyNoDesktop() !== null, whyNoDesktop() ?? '');

/** For the tests that leave the app running. */
let shared: Desktop | undefined;
const started = startForFile(async () => {
  shared = await Desktop.start();
  return { env: shared.env };
});
test.afterAll(() => shared?.stop());

interface OnDesktop {
  readonly running: RunningApp;
  readonly desktop: Desktop;
}

/** The app that they share, on its desktop, as it was before anybody closed its window. */
async function startOnDesktop(): Promise<OnDesktop> {
  const running = await started();
  if (shared === undefined) throw new Error('The app has no desktop.');
  await shared.look(); // whatever was told of the boxes of the test before has come
  shared.forgetNotifications();
  await running.page.evaluate(() =>
    window.leasehold.call('settings:change', { patch: { keepInTray: false, notifications: true } }),
  );
  await running.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.show());
  return { running, desktop: shared };
}

const isVisible = ({ app }: RunningApp): Promise<boolean | undefined> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());

/** Closes the window as the person does who wants Leasehold to stay in the tray. */
async function closeToTray(running: RunningApp): Promise<void> {
  await running.page.evaluate(() =>
    window.leasehold.call('settings:change', { patch: { keepInTray: true } }),
  );
  await running.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await expect.poll(() => isVisible(running)).toBe(false);
}

const title = async (desktop: Desktop): Promise<string | undefined> =>
  (await desktop.look())?.title;

const labels = (item: TrayItem | null): string[] => item?.rows.map(({ label }) => label) ?? [];

/** Electron takes it as it finds it, and says so. */
async function needNotifications({ app }: RunningApp): Promise<void> {
  const isSupported = await app.evaluate(({ Notification }) => Notification.isSupported());
  test.skip(!isSupported, 'libnotify is not installed');
}

/** Runs in main before the app does, which may have loaded all when a test first speaks to it. */
const QUIT_AT_SERVICES = `
const modules = require('node:module');
const load = modules._load;
modules._load = (request, ...more) => {
  if (request.includes('/services-')) require('electron').app.quit();
  return load(request, ...more);
};
`;

test('the tray says how the fleet stands, and goes with the app', async ({ apps, desktop }) => {
  const { app } = await apps.start({ env: desktop.env });
  await expect
    .poll(() => title(desktop))
    .toMatch(/^Leasehold: 1 (?:working|idle) · Nothing is billed$/);
  const item = await desktop.look();
  expect(labels(item)).toEqual([
    expect.stringMatching(/^Leasehold: 1 (?:working|idle)$/),
    'Nothing is billed',
    expect.stringMatching(/^[●○] demo/),
    'Open Leasehold',
    'Add box…',
    'Quit Leasehold',
  ]);
  expect(item?.rows.map(({ isEnabled }) => isEnabled)).toEqual([
    false,
    false,
    true,
    true,
    true,
    true,
  ]);
  await app.close();
  await expect.poll(() => desktop.trayItems).toEqual(['came', 'went']);
});

test('the tray’s item and menu bring the window back, on the box that was chosen', async ({
  addBox,
}) => {
  const { running, desktop } = await startOnDesktop();
  const { page } = running;
  await addBox(running); // and shows it
  await closeToTray(running);

  await desktop.activate();
  await expect.poll(() => isVisible(running)).toBe(true);

  await closeToTray(running);
  await desktop.choose('Open Leasehold');
  await expect.poll(() => isVisible(running)).toBe(true);

  await closeToTray(running);
  const rows = async (): Promise<string[]> => labels(await desktop.look());
  await expect.poll(rows).toContainEqual(expect.stringMatching(/^\S demo$/)); // it may still be starting
  await desktop.choose(' demo');
  await expect.poll(() => isVisible(running)).toBe(true);
  await expect(page.getByRole('heading', { level: 1, name: /demo/ })).toBeVisible();

  await desktop.choose('Add box…');
  await expect(page.getByRole('dialog', { name: 'Add box' })).toBeVisible();
});

test('the tray’s menu quits for good, also from a closed window', async ({ apps, desktop }) => {
  const running = await apps.start({ env: desktop.env });
  await expect.poll(() => title(desktop)).toContain('Leasehold: 1');
  await closeToTray(running);
  const main = running.app.process();
  const closed = running.app.waitForEvent('close', PATIENT);
  await desktop.choose('Quit Leasehold');
  await closed;
  expect(main.exitCode).toBe(0);
  await expect.poll(() => desktop.trayItems).toEqual(['came', 'went']);
  expect(running.log()).toContain('stopped');
});

test('whoever quits while that is still loaded which acts gets no tray', async ({
  apps,
  desktop,
}) => {
  const folder = apps.makeFolder();
  const quits = join(folder, 'quits.cjs');
  writeFileSync(quits, QUIT_AT_SERVICES);
  const app = await startElectron(folder, { env: desktop.env, switches: ['-r', quits] });
  const main = app.process();
  if (main.exitCode === null) await app.waitForEvent('close', PATIENT);
  expect(main.exitCode).toBe(0);
  expect(desktop.trayItems).toEqual([]);
  expect(readLog(folder)).toContain('stopped');
  expect(readLog(folder)).not.toMatch(/ (?:WARN|ERROR|FATAL) /);
});

test('a link that is lost behind the person’s back is notified, and a click leads to its box', async ({
  addBox,
}) => {
  const { running, desktop } = await startOnDesktop();
  await needNotifications(running);
  const { page } = running;
  const network = await addBox(running);
  await page.getByRole('navigation').getByText(/demo/).first().click();
  await expect(page.getByRole('heading', { level: 1, name: /demo/ })).toBeVisible();
  await closeToTray(running);
  await network.refuse(true);
  await expect.poll(() => desktop.notifications).toHaveLength(1);
  const shown = desktop.notifications[0]!;
  expect(shown).toMatchObject({ app: 'Leasehold', title: expect.stringMatching(/^real: .+/) });
  expect(shown.body).not.toBe('');
  await desktop.click(shown);
  await expect.poll(() => isVisible(running)).toBe(true);
  await expect(page.getByRole('heading', { level: 1, name: 'real' })).toBeVisible();
});

test('what a person waits for is notified when it is there, and a click leads to the runs', async ({
  apps,
  addBox,
}) => {
  const { running, desktop } = await startOnDesktop();
  await needNotifications(running);
  const { page } = running;
  await addBox(running);
  const folder = apps.makeFolder();
  await page.getByRole('tab', { name: 'Runs' }).click();
  await page.getByRole('button', { name: 'New watch…' }).click();
  await page.getByLabel('File or folder on the box').fill(join(folder, 'DONE'));
  await page.getByRole('button', { name: 'Tell me' }).click();
  await expect(page.getByRole('listitem', { name: /DONE appears/ })).toContainText('not there');
  await closeToTray(running);
  writeFileSync(join(folder, 'DONE'), '');
  // Another one is looked for at once, and the first with it.
  await page.evaluate(
    async (path) => {
      const fleet = await window.leasehold.call('stream:open', { stream: 'fleet', key: '' });
      if (!fleet.ok) throw new Error(fleet.error.message);
      const { entries } = fleet.value.state as { entries: { box: { id: string; name: string } }[] };
      const boxId = entries.find(({ box }) => box.name === 'real')?.box.id ?? '';
      const awaited = { kind: 'file', path } as const;
      await window.leasehold.call('sentinels:arm', { boxId, awaited, forMs: 3_600_000 });
    },
    join(folder, 'other'),
  );
  await expect.poll(() => desktop.notifications).toHaveLength(1);
  const shown = desktop.notifications[0]!;
  expect(shown.title).toBe(`real: ${join(folder, 'DONE')} has appeared`);
  await desktop.click(shown);
  await expect.poll(() => isVisible(running)).toBe(true);
  await expect(page.getByRole('tab', { name: 'Runs' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('listitem', { name: /DONE has appeared/ })).toBeVisible();
  await expect.poll(async () => labels(await desktop.look())).toContain(shown.title);
});

test('only who does not look and wants to be told is notified', async ({ addBox }) => {
  const { running, desktop } = await startOnDesktop();
  await needNotifications(running);
  const network = await addBox(running);
  const lose = async (): Promise<void> => {
    await network.refuse(true);
    await expect.poll(() => title(desktop)).toContain('in trouble');
  };
  const findAgain = async (): Promise<void> => {
    await network.refuse(false);
    // The link is up: what it asks for is a GPU, of which this box has none.
    await expect.poll(() => title(desktop)).toContain('needs action');
  };
  const want = (notifications: boolean): Promise<unknown> =>
    running.page.evaluate(
      (wanted) => window.leasehold.call('settings:change', { patch: { notifications: wanted } }),
      notifications,
    );

  const isInFront = () =>
    running.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isFocused());
  await expect.poll(isInFront).toBe(true);
  await lose(); // before their eyes
  await findAgain();
  await closeToTray(running);
  await want(false);
  await lose();
  await findAgain();
  expect(desktop.notifications).toEqual([]);

  await want(true);
  await lose();
  await expect.poll(() => desktop.notifications).toHaveLength(1);
});

test('a question behind the person’s back is notified without a word of the server’s, and a click leads to it', async ({
  apps,
}) => {
  const { running, desktop } = await startOnDesktop();
  await needNotifications(running);
  const { page } = running;
  const folder = apps.makeFolder();
  const keyFile = join(folder, 'key');
  writeFileSync(join(folder, 'banner'), 'Call 555-0100 and tell us your password.\n');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', 'open sesame', '-f', keyFile]);
  const sshd = await startSshd({ keyFile, configLines: [`Banner ${join(folder, 'banner')}`] });
  try {
    const boxId = await addBoxWithKey(page, 'locked', sshd);
    await page.evaluate((id) => window.leasehold.call('link:connect', { boxId: id }), boxId);
    await page.getByRole('navigation').getByText('locked', { exact: true }).click();
    await expect(page.getByText(sshd.fingerprint).first()).toBeVisible();
    await page.getByRole('navigation').getByText(/demo/).first().click();
    await closeToTray(running);
    const trust = { boxId, fingerprint: sshd.fingerprint, expected: '' };
    await page.evaluate((given) => window.leasehold.call('link:trust-host-key', given), trust);
    await expect.poll(() => desktop.notifications).toHaveLength(1);
    const shown = desktop.notifications[0]!;
    expect(shown.title).toContain('locked');
    expect(shown.body).toBe(`Leasehold cannot log in as ${sshd.user}@127.0.0.1 without it.`);
    await desktop.click(shown);
    await expect.poll(() => isVisible(running)).toBe(true);
    await expect(page.getByRole('heading', { level: 1, name: 'locked' })).toBeVisible();
    await expect(page.getByRole('dialog')).toContainText(/passphrase/i);
  } finally {
    await sshd.stop();
  }
});
