import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, startForFile, test } from './fixtures/app.ts';

const started = startForFile();

test('shows the demo box alive, from its nvidia-smi to the pixels', async () => {
  const { page, log, consoleErrors } = await started();
  await page
    .getByRole('link', { name: /demo/ })
    .or(page.getByRole('button', { name: /demo/ }))
    .first()
    .click();
  await expect(page.getByText(/Connected/).first()).toBeVisible();
  for (const chart of ['SM', 'SM clock', 'Power', 'Temperature', 'VRAM']) {
    await expect(page.getByRole('heading', { name: chart, exact: true })).toBeVisible();
  }
  // Figures change because the box prints new ones: two different power readings must come by.
  const power = page.getByRole('region', { name: 'Power', exact: true });
  const first = await power.textContent();
  await expect.poll(() => power.textContent()).not.toBe(first);
  // Declared after the first picture: a name in another script still comes in letters of ours.
  const facesFor = (letter: string) =>
    page.evaluate(
      async (text) => (await document.fonts.load('1em "Inter Variable"', text)).length,
      letter,
    );
  for (const letter of ['e', 'ő', 'Ж', 'λ']) await expect.poll(() => facesFor(letter)).toBe(1);
  expect(log()).not.toMatch(/ERROR|FATAL/i);
  expect(consoleErrors).toEqual([]);
});

test('takes all of main’s code as the build has compiled it ahead', async ({ apps }) => {
  test.skip(!existsSync('out/code-cache/.stamp'), 'the build was not compiled ahead');
  const { log } = await apps.start();
  await expect.poll(log).toMatch(/loaded \{"taken":\d+,"compiled":0\}/);
});

test('heals after a reload: same box, history kept, figures moving', async () => {
  const { page } = await started();
  await expect(page.getByText(/demo/).first()).toBeVisible();
  await page.reload();
  await expect(page.getByText(/demo/).first()).toBeVisible();
  await expect(page.getByRole('navigation').first()).toBeVisible();
});

test.describe('whatever boxes there are', () => {
  test.use({ hasDemo: false });

  test('remembers the theme and where the window was', async ({ apps }) => {
    const folder = apps.makeFolder();
    const first = await apps.start({ folder });
    await first.page.evaluate(() =>
      window.leasehold.call('settings:change', { patch: { theme: 'dark' } }),
    );
    await first.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.setBounds({ x: 40, y: 30, width: 1100, height: 720 }),
    );
    await expect
      .poll(() => {
        const file = join(folder, 'remembered.json');
        return existsSync(file) ? readFileSync(file, 'utf8') : '';
      })
      .toMatch(/"width":\s*1100/);
    await first.app.close();

    const second = await apps.start({ folder });
    const bounds = await second.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.getBounds(),
    );
    expect(bounds).toMatchObject({ width: 1100, height: 720 });
    const scheme = await second.page.evaluate(
      () => matchMedia('(prefers-color-scheme: dark)').matches,
    );
    expect(scheme).toBe(true);
  });

  test('a second start brings the first window to the front and ends', async ({ apps }) => {
    const folder = apps.makeFolder();
    const { app, page } = await apps.start({ folder });
    await expect(page.getByRole('navigation').first()).toBeVisible();
    const seen = app.evaluate(
      ({ app: electron }) =>
        new Promise((resolve) => electron.once('second-instance', () => resolve('seen'))),
    );
    await expect(apps.start({ folder })).rejects.toThrow();
    expect(await seen).toBe('seen');
    expect(app.windows()).toHaveLength(1);
  });

  test('has a menu, and its commands reach the window', async ({ apps }) => {
    const { app, page } = await apps.start();
    await expect(page.getByRole('navigation').first()).toBeVisible();
    const clickPalette = (): Promise<boolean> =>
      app.evaluate(({ Menu }) => {
        const item = (Menu.getApplicationMenu()?.items ?? [])
          .flatMap((each) => each.submenu?.items ?? [])
          .find(({ label }) => label === 'Command palette…');
        item?.click();
        return item !== undefined;
      });
    // The menu comes after the page.
    await expect.poll(clickPalette).toBe(true);
    await expect(page.getByRole('dialog')).toBeVisible();
  });
});
