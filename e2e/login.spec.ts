import type { Page } from '@playwright/test';
import { startLoginServer, type LoginServer } from '../src/main/ssh/login-server.fixture.ts';
import { expectAccessible } from './fixtures/accessibility.ts';
import { expect, startForFile, test } from './fixtures/app.ts';

const PASSWORD = 'correct horse battery';

/** No keys and no agent: what this machine has must not decide. */
const started = startForFile({ hasDemo: false, hasOwnHome: true, env: { SSH_AUTH_SOCK: '' } });

async function addBox(page: Page, server: LoginServer, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add box' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByRole('textbox')
    .first()
    .fill(`ssh -p ${String(server.port)} root@127.0.0.1`);
  await dialog.getByLabel('Name in Leasehold').fill(name);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
}

async function trustMachine(page: Page): Promise<void> {
  await page.getByRole('button', { name: /fingerprint matches/ }).click();
}

test('asks for a password from the keyboard, says when it is wrong, and offers a key', async () => {
  const server = await startLoginServer((context) => {
    if (context.method === 'password' && context.password === PASSWORD) context.accept();
    else context.reject(['publickey', 'password']);
  });
  try {
    const { page, log, consoleErrors } = await started();
    await addBox(page, server, 'train-a');
    await trustMachine(page);

    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('heading')).toHaveText('train-a asks for a password');
    await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused();
    await expectAccessible(page, 'password question');
    await page.keyboard.type('wrong');
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('alert')).toHaveText('The box did not accept that.');
    await expect(dialog.getByLabel('Password', { exact: true })).toHaveValue('');
    await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused();
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await expect(page.getByText(/Connected/).first()).toBeVisible();

    await page.getByRole('button', { name: 'Install a public key…' }).click();
    await expect(dialog.getByRole('radio', { name: /Leasehold’s own/ })).toBeFocused();
    await expectAccessible(page, 'install a key');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Do not offer this again for this box' }).click();
    await expect(page.getByRole('button', { name: 'Install a public key…' })).toHaveCount(0);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Install a public key…' }).click();
    await expect(dialog.getByRole('radio', { name: /Leasehold’s own/ })).toBeFocused();
    await page.keyboard.press('Escape');
    expect(log()).not.toContain(PASSWORD);
    expect(consoleErrors).toEqual([]);
  } finally {
    await server.stop();
  }
});

test('asks again where the box was edited to another account, and sends nothing by itself', async () => {
  const server = await startLoginServer((context) => {
    if (context.method === 'password' && context.password === PASSWORD) context.accept();
    else context.reject(['password']);
  });
  try {
    const { page } = await started();
    await addBox(page, server, 'train-a');
    await trustMachine(page);
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused();
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
    await expect.poll(() => server.seen.at(-1)).toBe(`password:${PASSWORD}`);
    // Remembered is what has let them in.
    await expect(page.getByText(/Connected/).first()).toBeVisible();

    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Edit connection…' }).click();
    await dialog.getByLabel('User', { exact: true }).fill('alice');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByRole('alert')).toContainText(
      `A password is remembered for root@127.0.0.1 port ${String(server.port)}, key SHA256:`,
    );
    expect(server.seen.at(-1)).toBe('none');
  } finally {
    await server.stop();
  }
});

test('shows the box’s own questions as its words, and a refusal says what was tried', async () => {
  const server = await startLoginServer((context) => {
    if (context.method !== 'keyboard-interactive') context.reject(['keyboard-interactive']);
    else {
      const prompts = [
        { prompt: 'Account: ', echo: true },
        { prompt: '\u001b[31mCode\u202e:', echo: false },
        { prompt: 'x'.repeat(180), echo: true },
      ];
      context.prompt(prompts, 'Two steps', 'Have your token at hand.\n<b>Hurry</b>', () =>
        context.reject(['keyboard-interactive']),
      );
    }
  });
  try {
    const { page } = await started();
    await addBox(page, server, 'login-node');
    await trustMachine(page);
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('figure')).toContainText('<b>Hurry</b>');
    await expectAccessible(page, 'questions of the box');
    const isWithin = ({ scrollWidth, clientWidth }: Element): boolean => scrollWidth <= clientWidth;
    expect(await dialog.evaluate(isWithin)).toBe(true); // no word of a box pushes ours out of sight
    for (let round = 1; round <= 2; round += 1) {
      await dialog.getByLabel('Account:', { exact: true }).fill('me');
      const code = dialog.getByLabel('[31mCode:', { exact: true });
      await code.fill('123456');
      await code.press('Enter');
      if (round === 1) await expect(dialog.getByRole('alert')).toBeVisible();
    }
    await expect(page.getByText(/Sign-in failed for root@/).first()).toBeVisible();
    await expect(page.getByText(/The box accepts: keyboard-interactive/).first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Connect', exact: true }).first()).toBeVisible();
    expect(server.count()).toBe(2); // one for the host key, one for the log-in: no retry by itself
  } finally {
    await server.stop();
  }
});
