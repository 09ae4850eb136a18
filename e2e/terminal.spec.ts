import type { Page } from '@playwright/test';
import { expect, test, type RunningApp } from './fixtures/app.ts';

test.beforeEach(() => {
  test.skip(process.platform === 'win32', 'the demo box has no shell there');
});

const screenText = (page: Page) => page.locator('.xterm-rows').first();

async function openTab(running: RunningApp): Promise<Page> {
  const { page } = running;
  await expect(page.getByText(/Link up/).first()).toBeVisible();
  await page.getByRole('button', { name: 'Terminal', exact: true }).click();
  return page;
}

async function openShell(running: RunningApp): Promise<Page> {
  const page = await openTab(running);
  await page.getByRole('button', { name: 'New shell' }).click();
  await expect(page.getByRole('tab', { name: /Shell \d+, live/ })).toBeVisible();
  await expect(screenText(page)).toContainText(/[$#%>]/);
  return page;
}

async function type(page: Page, line: string): Promise<void> {
  await page.keyboard.type(line);
  await page.keyboard.press('Enter');
}

test('types into a shell, shows its colours and its size, and breaks no policy', async ({
  apps,
}) => {
  const running = await apps.start();
  const page = await openShell(running);
  await type(page, String.raw`printf '\033[38;2;10;200;30mtrue%s\033[0m\n' colour; stty size`);
  await expect(screenText(page)).toContainText('truecolour');
  const colour = await page
    .locator('.xterm-rows span', { hasText: 'truecolour' })
    .last()
    .evaluate((span) => getComputedStyle(span).color);
  expect(colour).toBe('rgb(10, 200, 30)');
  await expect(screenText(page)).toContainText(/\b\d{2,3} \d{2,3}\b/);
  expect(running.consoleErrors).toEqual([]);
});
