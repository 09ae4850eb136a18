import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startSshd } from '../../src/main/ssh/sshd.fixture.ts';
import { expect, test } from '../fixtures/app.ts';
import { shoot } from '../fixtures/shoot.ts';

test('takes the pictures of both host-key screens', async ({ apps }) => {
  const folder = apps.makeFolder();
  const home = join(folder, 'home');
  mkdirSync(home);
  // Not beside the host keys: it outlives the machine that is re-created.
  const keyFile = join(home, 'rented');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', keyFile]);
  const first = await startSshd({ keyFile });
  let machine = first;
  try {
    const { app, page } = await apps.start({ folder, env: { HOME: home } });
    await app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.setContentSize(1440, 900),
    );
    await page.getByRole('button', { name: 'Add box' }).first().click();
    const dialog = page.getByRole('dialog');
    const command = `ssh -p ${String(first.port)} ${first.user}@127.0.0.1 -i ${keyFile}`;
    await dialog.getByRole('textbox').first().fill(command);
    await dialog.getByLabel('Name in Leasehold').fill('train-a');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Is this really train-a?' })).toBeVisible();
    await shoot(page, 'host-key-unknown');
    await page.getByRole('button', { name: /fingerprint matches/ }).click();
    await expect(page.getByText(/Connected/).first()).toBeVisible();
    await page.getByRole('button', { name: 'Disconnect' }).first().click();
    await first.stop();
    machine = await startSshd({ port: first.port, keyFile });
    await page.getByRole('button', { name: 'Connect', exact: true }).first().click();
    await expect(page.getByRole('heading', { name: /has changed/ })).toBeVisible();
    await shoot(page, 'host-key-changed');
  } finally {
    await machine.stop();
  }
});
