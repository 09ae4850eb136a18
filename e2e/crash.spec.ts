import { expect, test } from './fixtures/app.ts';

test.use({ hasDemo: false });

test('a dead window process comes back once by itself, then asks', async ({ apps }) => {
  const { app, page, log } = await apps.start();
  await expect(page.getByRole('navigation').first()).toBeVisible();
  // Otherwise the end of the first load is taken for that of the next.
  await page.waitForLoadState('load');
  const crash = (): Promise<unknown> =>
    app.evaluate(
      ({ BrowserWindow }) =>
        new Promise((resolve) => {
          const contents = BrowserWindow.getAllWindows()[0]?.webContents;
          contents?.once('did-finish-load', () => resolve(contents.getURL()));
          contents?.forcefullyCrashRenderer();
        }),
    );
  expect(await crash()).toContain('leasehold://app/index.html');
  expect(await crash()).toBe('leasehold://app/crash');
  const words = await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript('document.body.innerText'),
  );
  expect(words).toContain('Your boxes are not affected');
  expect(words).toContain('leasehold.log');
  await expect.poll(log).toContain("The window's process ended");
});

for (const kind of ['exception', 'rejection'] as const) {
  test(`an uncaught ${kind} in main shows a readable page and keeps the log`, async ({ apps }) => {
    const { app, page, log } = await apps.start();
    await expect(page.getByRole('navigation').first()).toBeVisible();
    await app.evaluate((_electron, how) => {
      setTimeout(() => {
        const bug = new Error('boom with password=hunter2hunter2');
        if (how === 'exception') throw bug;
        void Promise.reject(bug);
      }, 0);
    }, kind);
    await expect(page.getByRole('heading', { name: /made a mistake/ })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Restart Leasehold' })).toBeVisible();
    await expect(page.getByText(/boom/)).toBeVisible();
    expect(await page.textContent('body')).not.toContain('hunter2hunter2');
    await expect.poll(log).toContain('boom');
    expect(log()).not.toContain('hunter2hunter2');
  });
}

test('a bug in the window reaches the log', async ({ apps }) => {
  const { page, log } = await apps.start();
  await expect(page.getByRole('navigation').first()).toBeVisible();
  await page.evaluate(() => {
    setTimeout(() => {
      throw new Error('a bug in a timer');
    }, 0);
  });
  await expect.poll(log).toContain('a bug in a timer');
});
