import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startLoginServer } from '../../src/main/ssh/login-server.fixture.ts';
import { expect, test } from '../fixtures/app.ts';
import { shoot } from '../fixtures/shoot.ts';

test('takes the picture of a question', async ({ apps }) => {
  const server = await startLoginServer((context) => {
    if (context.method !== 'keyboard-interactive') context.reject(['keyboard-interactive']);
    else {
      context.prompt(
        [{ prompt: 'Verification code: ', echo: false }],
        'Two-step log-in',
        'Open your authenticator and type the six digits.',
        () => context.reject(),
      );
    }
  });
  try {
    const folder = apps.makeFolder();
    const home = join(folder, 'home');
    mkdirSync(home);
    const { app, page } = await apps.start({ folder, env: { HOME: home, SSH_AUTH_SOCK: '' } });
    await app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.setContentSize(1440, 900),
    );
    await page.getByRole('button', { name: 'Add box' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByRole('textbox')
      .first()
      .fill(`ssh -p ${String(server.port)} root@127.0.0.1`);
    await dialog.getByLabel('Name in Leasehold').fill('login-node');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /fingerprint matches/ }).click();
    await expect(dialog.getByRole('figure')).toBeVisible();
    await shoot(page, 'question');
  } finally {
    await server.stop();
  }
});
