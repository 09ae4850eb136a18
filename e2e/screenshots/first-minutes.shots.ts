import { expect, test } from '../fixtures/app.ts';
import { shoot } from '../fixtures/shoot.ts';
import { openShell, runLine, screenText } from '../fixtures/terminal.ts';

// What a person sees before they have entered anything, and in the smallest window that they work in.

/** The first look of the slow probe tells it. */
const FOUND_WITHIN_MS = 60_000;

test('takes the pictures of the first minutes', async ({ apps }) => {
  test.setTimeout(FOUND_WITHIN_MS + 120_000);
  const { app, page } = await apps.start();
  const resize = (width: number, height: number): Promise<void> =>
    app.evaluate(
      ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(...size),
      [width, height] as const,
    );
  await resize(1440, 900);
  await expect(page.getByRole('button', { name: 'Show 1 alert' })).toBeVisible({
    timeout: FOUND_WITHIN_MS,
  });
  await shoot(page, 'first-start');
  await resize(1024, 700);
  await expect.poll(() => page.evaluate(() => innerWidth)).toBe(1024);
  await openShell(page);
  await runLine(page, 'nvidia-smi');
  await expect(screenText(page)).toContainText('Processes:');
  await shoot(page, 'terminal-small');
});
