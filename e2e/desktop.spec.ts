import { addRealBox } from './fixtures/real-box.ts';
import { expect, test as base, type RunningApp } from './fixtures/app.ts';
import { Desktop, whyNoDesktop, type TrayItem } from './fixtures/desktop.ts';

// What Leasehold is outside its window, as the desktop's panel and notification server see it.

const test = base.extend<{ desktop: Desktop }>({
  desktop: async ({}, use) => {
    const desktop = await Desktop.start();
    await use(desktop);
    await desktop.stop();
  },
});

test.skip(whyNoDesktop() !== null, whyNoDesktop() ?? '');

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

test('the tray says how the fleet stands, and goes with the app', async ({ apps, desktop }) => {
  const { app } = await apps.start({ env: desktop.env });
  await expect.poll(() => title(desktop)).toMatch(/^Leasehold: 1 (?:working|idle)$/);
  const item = await desktop.look();
  expect(labels(item)).toEqual([
    item?.title,
    expect.stringMatching(/^[●○] demo/),
    'Open Leasehold',
    'Add box…',
    'Quit Leasehold',
  ]);
  expect(item?.rows.map(({ isEnabled }) => isEnabled)).toEqual([false, true, true, true, true]);
  await app.close();
  await expect.poll(() => desktop.trayItems).toEqual(['came', 'went']);
});

test('the tray’s item and menu bring the window back, on the box that was chosen', async ({
  apps,
  desktop,
}) => {
  const running = await apps.start({ env: desktop.env });
  const { page } = running;
  await addRealBox(page);
  await closeToTray(running);

  await desktop.activate();
  await expect.poll(() => isVisible(running)).toBe(true);

  await closeToTray(running);
  await desktop.choose('Open Leasehold');
  await expect.poll(() => isVisible(running)).toBe(true);

  await closeToTray(running);
  const demo = labels(await desktop.look()).find((label) => label.includes('demo'));
  await desktop.choose(demo ?? '');
  await expect.poll(() => isVisible(running)).toBe(true);
  await expect(page.getByRole('heading', { level: 1, name: /demo/ })).toBeVisible();

  await desktop.choose('Add box…');
  await expect(page.getByRole('dialog', { name: 'Add a box' })).toBeVisible();
});

test('the tray’s menu quits for good, also from a closed window', async ({ apps, desktop }) => {
  const running = await apps.start({ env: desktop.env });
  await expect.poll(() => title(desktop)).toContain('Leasehold: 1');
  await closeToTray(running);
  const closed = running.app.waitForEvent('close');
  await desktop.choose('Quit Leasehold');
  await closed;
  expect(running.app.process().exitCode).toBe(0);
  await expect.poll(() => desktop.trayItems).toEqual(['came', 'went']);
  expect(running.log()).toContain('stopped');
});

test('a link that is lost behind the person’s back is notified, and a click leads to its box', async ({
  apps,
  desktop,
}) => {
  const running = await apps.start({ env: desktop.env });
  const { page } = running;
  const sshd = await addRealBox(page);
  await page.getByRole('navigation').getByText(/demo/).first().click();
  await closeToTray(running);
  await sshd.stop();
  await expect.poll(() => desktop.notifications).toHaveLength(1);
  const [shown] = desktop.notifications;
  expect(shown).toMatchObject({ app: 'Leasehold', title: expect.stringMatching(/^real: /) });
  expect(shown?.body).not.toBe('');
  await desktop.click(shown!);
  await expect.poll(() => isVisible(running)).toBe(true);
  await expect(page.getByRole('heading', { level: 1, name: 'real' })).toBeVisible();
});

test('nothing is notified to whoever looks at the window or wants no notifications', async ({
  apps,
  desktop,
}) => {
  const running = await apps.start({ env: desktop.env });
  const sshd = await addRealBox(running.page);
  await running.page.evaluate(() =>
    window.leasehold.call('settings:change', { patch: { notifications: false } }),
  );
  await closeToTray(running);
  await sshd.stop();
  await expect.poll(() => title(desktop)).toContain('in trouble');
  expect(desktop.notifications).toEqual([]);
});
