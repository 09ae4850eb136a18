import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOddServer, type OddServer } from '../src/main/ssh/odd-server.fixture.ts';
import { expectAccessibleInBothThemes } from './fixtures/accessibility.ts';
import { expect, startForFile, test } from './fixtures/app.ts';
import { addBoxWithKey, addRealBox, trustHostKey } from './fixtures/real-box.ts';
import { screenText } from './fixtures/terminal.ts';

const started = startForFile({ hasDemo: false });

test('a noisy sshd without SFTP and tunnels is named in the header, and the panel says the way out', async () => {
  const { page, consoleErrors } = await started();
  const sshd = await addRealBox(page, {
    configLines: [
      'AllowTcpForwarding no',
      'ForceCommand echo "Welcome to the cluster"; exec sh -c "$SSH_ORIGINAL_COMMAND"',
    ],
  });
  try {
    const chip = page.getByRole('button', { name: /^Prints on exec \+2/ });
    await expect(chip).toBeVisible();
    await chip.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'SSH capabilities of real' });
    await expect(dialog.getByRole('region', { name: 'Prints on exec' })).toContainText(
      'scp, sftp and rsync may stop at the text',
    );
    await expect(dialog.getByRole('region', { name: 'Tunnels refused' })).toContainText(
      'AllowTcpForwarding yes',
    );
    await expect(dialog.getByRole('status')).toContainText('Checked');
    await dialog.getByText(/^All facts/).click();
    await expect(dialog.getByRole('row', { name: /^Commands yes/ })).toBeVisible();
    await expect(dialog.getByRole('row', { name: /^Terminals unknown/ })).toBeVisible();
    await expectAccessibleInBothThemes(page, 'SSH panel');
    await dialog.getByRole('button', { name: 'Check again' }).click();
    await expect(dialog.getByRole('status')).toHaveText('Checked');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(chip).toBeFocused();
    expect(consoleErrors).toEqual([]);
  } finally {
    await sshd.stop();
  }
});

test('a way in for terminals only is up, calm, and not asked again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-key-'));
  const keyFile = join(folder, 'key');
  spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', keyFile]);
  const server: OddServer = await startOddServer({
    banner: 'Basic SSH: no commands here.\n',
    onShell: (channel) => channel.write('pod:~# '),
  });
  try {
    const { page, consoleErrors } = await started();
    const id = await addBoxWithKey(page, 'gateway', { port: server.port, user: 'pod', keyFile });
    await page.getByRole('navigation').getByText('gateway', { exact: true }).click();
    await page.getByRole('button', { name: 'Connect', exact: true }).first().click();
    const fingerprint =
      (await page
        .getByText(/SHA256:/)
        .first()
        .textContent()) ?? '';
    await trustHostKey(page, id, fingerprint.trim());
    await expect(page.getByRole('heading', { name: 'This way in runs no commands' })).toBeVisible();
    await expect(page.getByRole('button', { name: /^No commands \+2/ })).toBeVisible();
    await expectAccessibleInBothThemes(page, 'no commands');
    const asked = server.asked.filter((each) => each === 'exec').length;

    // It runs no commands, so nothing is asked and a shell opens.
    await page.getByRole('button', { name: 'Open a terminal' }).click();
    await expect(screenText(page)).toContainText('pod:~#');
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByRole('button', { name: 'SSH capabilities', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^All facts/).click();
    await expect(dialog.getByRole('row', { name: /^Terminals yes/ })).toBeVisible();
    await expect(dialog.getByRole('row', { name: /^bash unknown/ })).toBeVisible();
    // Opening the terminal's tab asks for tmux sessions; the readings never ask again.
    expect(server.asked.filter((each) => each === 'exec').length).toBeLessThanOrEqual(asked + 2);
    expect(consoleErrors).toEqual([]);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
