import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTcpProxy, type TcpProxy } from '../src/main/ssh/tcp-proxy.fixture.ts';
import { expectAccessible } from './fixtures/accessibility.ts';
import { expect, startForFile, test as base } from './fixtures/app.ts';
import { closeLaunchBox, openLaunchBox, type LaunchBox } from './fixtures/launch-box.ts';
import { addBoxAt } from './fixtures/real-box.ts';

interface Boxes {
  readonly alpha: LaunchBox;
  readonly beta: LaunchBox;
  /** The network between the app and beta. */
  readonly network: TcpProxy;
}

const test = base.extend<{ boxes: Boxes; project: string }>({
  boxes: async ({}, use) => {
    const [alpha, beta] = [await openLaunchBox('alpha'), await openLaunchBox('beta')];
    const network = await startTcpProxy(beta.sshd.port);
    await use({ alpha, beta, network });
    await network.stop();
    for (const box of [alpha, beta]) await closeLaunchBox(box);
  },
  project: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'leasehold-project-'));
    mkdirSync(join(folder, 'code'));
    await use(folder);
    rmSync(folder, { recursive: true, force: true });
  },
});

const started = startForFile({ hasDemo: false });

test('a sweep is rehearsed here, begins on a box later, and tells what a box that is gone may still run', async ({
  boxes: { alpha, beta, network },
  project,
}) => {
  const code = join(project, 'code');
  writeFileSync(
    join(code, 'train.sh'),
    'echo "step $1 loss 0.$1"; until [ $1 = 1 ] || [ -e ~/go ]; do sleep 0.1; done; echo $1 >"$2/out"\n',
  );
  // It waits for what is no part of the code.
  writeFileSync(
    join(code, 'check.sh'),
    'echo "collected 3 tests"; [ -e ../ready ] || sleep 600; echo "3 passed"\n',
  );
  const { app, page, consoleErrors } = await started();
  await app.evaluate(({ dialog: system }, folder) => {
    system.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [folder] });
    const showMessageBox = () => Promise.resolve({ response: 1, checkboxChecked: false });
    Object.assign(system, { showMessageBox });
  }, code);
  await addBoxAt(page, alpha.sshd, alpha.sshd.port, 'alpha');
  await addBoxAt(page, beta.sshd, network.port, 'beta');

  await page.getByRole('navigation').getByRole('button', { name: /Fleet/ }).first().click();
  await page.getByRole('button', { name: 'Sweeps' }).click();
  await page.getByRole('button', { name: 'Launch a sweep…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('two halves');
  await dialog.getByLabel('Folder on the boxes').fill('~/work');
  await dialog.getByLabel('Parameters', { exact: true }).fill('half: 1, 2');
  await dialog.getByLabel('Command of each cell').fill('sh train.sh {half} {results}');
  await dialog.getByRole('button', { name: 'Choose a folder…' }).click();
  await expect(dialog.getByText(code, { exact: true })).toBeVisible();
  await dialog.getByText('GPUs, secrets, time and more').click();
  await dialog.getByLabel('Rehearsal on this computer').fill('sh check.sh');
  for (const { home } of [alpha, beta]) mkdirSync(join(home, 'work'));
  await dialog.getByLabel('Name', { exact: true }).press('Control+Enter');

  // Both ask for it, and it is run once.
  const [onAlpha, onBeta] = ['alpha', 'beta'].map((name) =>
    dialog.getByRole('region', { name, exact: true }),
  ) as [typeof dialog, typeof dialog];
  await onAlpha.getByRole('button', { name: 'Run it on this computer…' }).click();
  await expect(onBeta).toContainText('“sh check.sh” has not passed');
  await expect(onBeta.getByRole('button', { name: 'Run it on this computer…' })).toHaveCount(0);
  const output = onAlpha.getByRole('region', { name: 'Output of the rehearsal' });
  await expect(output).toContainText('collected 3 tests');
  await expectAccessible(page, 'the rehearsal of a sweep');
  await onAlpha.getByRole('button', { name: 'Cancel rehearsal' }).click();
  await expect(onAlpha).toContainText('Cancelled. Nothing of it runs.');
  writeFileSync(join(project, 'ready'), '');
  await onAlpha.getByRole('button', { name: 'Run it again…' }).click();
  for (const share of [onAlpha, onBeta]) {
    await expect(share).toContainText('passed on this computer with this very code');
  }

  // Between the plan and the launch beta's disk becomes one that takes no run folder.
  const state = join(beta.home, '.local/state');
  mkdirSync(state, { recursive: true });
  writeFileSync(join(state, 'leasehold'), '');
  await dialog.getByRole('button', { name: 'Launch', exact: true }).click();
  await expect(dialog).toContainText('Begun on 1 of 2 boxes.');
  await expectAccessible(page, 'a sweep that began on one box alone');
  rmSync(join(state, 'leasehold'));
  await dialog.getByRole('button', { name: 'Try the others again' }).click();

  const table = page.getByRole('grid', { name: 'Cells' });
  const row = (name: string) =>
    table.getByRole('row').filter({ has: page.getByRole('gridcell', { name, exact: true }) });
  await expect(row('half=1')).toContainText('Done');
  await expect(row('half=2')).toContainText('Running');
  await network.refuse(true);
  network.cut();
  await expect(row('half=2')).toContainText('when last seen');
  await expect(page.getByText('beta is not reached')).toBeVisible();
  await expect(page.getByText('The check of the runs was stopped.')).toHaveCount(0);
  await expectAccessible(page, 'a sweep of which a box is gone');
  await page.getByRole('button', { name: 'Run 1 again…' }).click();
  await dialog.getByRole('button', { name: 'Show plan' }).click();
  await expect(onAlpha).toContainText('1 cell may still run on beta, which cannot be asked now.');
  await dialog.getByRole('button', { name: 'Back' }).click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(consoleErrors).toEqual([]);
});

test('a run that the box cut off is offered to be resumed, in the list and on its page', async ({
  boxes: { alpha },
}) => {
  const { page, consoleErrors } = await started();
  await addBoxAt(page, alpha.sshd);
  await page.getByRole('button', { name: 'Launch…' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('baseline');
  await dialog.getByLabel('Folder on the box').fill('~');
  await dialog
    .getByLabel('Command', { exact: true })
    .fill('echo step 1 loss 0.5; until [ -e go ]; do sleep 0.1; done # --resume');
  await page.keyboard.press('Control+Enter');
  await dialog.getByRole('button', { name: 'Launch', exact: true }).click();
  await expect(page.getByRole('region', { name: /^Log of/ })).toContainText('step 1');

  // As a box does that is about to restart.
  const runs = join(alpha.home, '.local/state/leasehold/runs');
  const [id = ''] = readdirSync(runs);
  process.kill(Number(readFileSync(join(runs, id, 'go'), 'utf8').split(' ')[1]), 'SIGTERM');
  const offer = page.getByRole('region', { name: 'Resume baseline' });
  await expect(page.getByRole('button', { name: 'Resume run…' })).toBeVisible();
  await expectAccessible(page, 'a run that was cut off');
  await page.getByRole('button', { name: 'All runs' }).click();
  await expect(offer).toBeVisible();
  await expectAccessible(page, 'the offer to resume a run');
  await offer.getByRole('button', { name: 'Resume run…' }).click();
  await expect(dialog).toContainText('Goes on from');
  await page.keyboard.press('Escape');
  await offer.getByRole('button', { name: 'Don’t resume' }).click();
  await expect(offer).toHaveCount(0);
  expect(consoleErrors).toEqual([]);
});
