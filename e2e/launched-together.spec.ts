import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { startHookServer } from '../src/main/webhook/http-server.fixture.ts';
import { expectAccessible } from './fixtures/accessibility.ts';
import { expect, startForFile, test as base } from './fixtures/app.ts';
import { closeLaunchBox, openLaunchBox, type LaunchBox } from './fixtures/launch-box.ts';
import { addBoxAt } from './fixtures/real-box.ts';

// What goes on beside a run: the copies of its cells, what it tells by itself, and somebody else who launches it too.

const test = base.extend<{ box: LaunchBox }>({
  box: async ({}, use) => {
    // What waits on it looks at it more often than once in 15 s.
    const box = await openLaunchBox('train-a', () => ({ env: { LEASEHOLD_EVERY_S: '0.2' } }));
    await use(box);
    await closeLaunchBox(box);
  },
});

test.use({ hasDemo: false });
const started = startForFile({ hasDemo: false });

const WAITS = 'until [ -e ~/go ]; do sleep 0.2; done';

async function openForm(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Launch…' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await dialog.getByLabel('Folder on the box').fill('~');
  return dialog;
}

async function planIt(page: Page, dialog: Locator): Promise<void> {
  await page.keyboard.press('Control+Enter');
  await expect(dialog.getByRole('heading', { name: 'What runs' })).toBeVisible();
}

const launchButton = (dialog: Locator): Locator =>
  dialog.getByRole('button', { name: 'Launch', exact: true });

test('the results of a cell are copied, seen to be, and only then it is done and the next begins', async ({
  box: { home, sshd },
}) => {
  // Its `cp` waits until it may.
  const bin = join(home, 'bin');
  mkdirSync(bin);
  const waits = `until [ -e ${home}/go ] || [ -e ${home}/may-copy ]; do sleep 0.1; done`;
  writeFileSync(join(bin, 'cp'), `#!/bin/sh\n${waits}\nexec /bin/cp "$@"\n`, { mode: 0o755 });
  const { page, consoleErrors } = await started();
  await addBoxAt(page, sshd);
  const dialog = await openForm(page, 'kept seeds');
  await dialog.getByRole('radio', { name: 'A queue of cells' }).click();
  const cell = 'echo 0.25 >"$LEASEHOLD_CELL_RESULTS/loss"';
  await dialog.getByLabel('Cells', { exact: true }).fill(`one: ${cell}\ntwo: ${cell}`);
  await dialog.getByLabel('Results folder').fill('out/{cell}');
  await dialog.getByText('Data, disk, smoke command and copy of the results').click();
  await dialog.getByLabel('Copy results to').fill('~/durable');
  await dialog.getByLabel('Environment').fill(`PATH=${bin}:/usr/bin:/bin`);
  await planIt(page, dialog);
  await expectAccessible(page, 'the plan of a queue that copies');
  await launchButton(dialog).click();

  const queue = page.getByRole('region', { name: 'Queue', exact: true });
  const row = (name: string): Locator =>
    queue.getByRole('row').filter({ has: page.getByRole('cell', { name, exact: true }) });
  await expect(row('one')).toContainText('Copying results');
  await expect(row('two')).toContainText('Waiting');
  await expectAccessible(page, 'a queue that copies');
  writeFileSync(join(home, 'may-copy'), '');
  await expect(queue.getByRole('status')).toContainText('2 of 2 cells done');
  const [run = ''] = readdirSync(join(home, 'durable'));
  const copied = ['1-one', '2-two'].map((name) => join(home, 'durable', run, name, 'loss'));
  expect(copied.map((file) => readFileSync(file, 'utf8'))).toEqual(['0.25\n', '0.25\n']);
  expect(consoleErrors).toEqual([]);
});

test('a run tells of a text in its log, and the box itself of its end', async ({
  box: { home, sshd },
}) => {
  const own = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal);
  test.skip(own === undefined, 'this machine has no address that is not its own loopback');
  const hook = await startHookServer(0, own?.address);
  try {
    const { page, consoleErrors } = await started();
    await addBoxAt(page, sshd);
    const set = await page.evaluate(
      (url) =>
        window.leasehold.call('webhook:set', {
          ...{ kind: 'json', url, token: '', isPlainAllowed: true },
        }),
      hook.url,
    );
    expect(set.ok).toBe(true);
    const dialog = await openForm(page, 'tells');
    await dialog
      .getByLabel('Command', { exact: true })
      .fill(`echo "step 7: loss is nan"; ${WAITS}`);
    await dialog.getByText('GPUs, secrets, time and more').click();
    await dialog.getByRole('checkbox', { name: /^When it ends/ }).check();
    await dialog.getByLabel('When its log has this text').fill('loss is nan');
    await planIt(page, dialog);
    const checks = dialog.getByRole('region', { name: 'Checks' });
    await expect(checks).toContainText(`The box posts to ${new URL(hook.url).host}`);
    await expect(checks).toContainText('the first line of its log with “loss is nan”');
    await expectAccessible(page, 'the plan of a run that tells');
    expect(await page.content()).not.toContain(new URL(hook.url).pathname);
    await launchButton(dialog).click();
    await expect(page.getByText('armed', { exact: true })).toBeVisible();
    const told = (): string => hook.received.map(({ body }) => body).join('\n');
    // It is looked for once a minute.
    await expect.poll(told, { timeout: 90_000 }).toContain('"about":"sentinel"');
    await page.getByRole('button', { name: 'All runs' }).click();
    await expect(page.getByText(/step 7: loss is nan/).first()).toBeVisible();
    expect(told()).not.toContain('"because":"ended"');
    writeFileSync(join(home, 'go'), '');
    await expect.poll(told).toContain('"because":"ended"');
    expect(consoleErrors).toEqual([]);
  } finally {
    await hook.stop();
  }
});

test('two apps launch the same request at once: it runs once, and both show which', async ({
  apps,
  box: { home, sshd },
}) => {
  const both = [await started(), await apps.start()];
  const dialogs: Locator[] = [];
  for (const [at, { page }] of both.entries()) {
    await addBoxAt(page, sshd);
    const dialog = await openForm(page, `of app ${String(at + 1)}`);
    await dialog.getByLabel('Command', { exact: true }).fill(`echo began >>~/began; ${WAITS}`);
    await dialog.getByLabel('Results folder').fill('out');
    await planIt(page, dialog);
    dialogs.push(dialog);
  }
  await Promise.all(dialogs.map((dialog) => launchButton(dialog).click()));
  const refusal = (dialog: Locator): Locator =>
    dialog.getByText(/“of app [12]” was launched in the meantime and saves into the same folder/);
  const isRefused = async (dialog: Locator): Promise<boolean> =>
    (await refusal(dialog).count()) > 0;
  const became = (): Promise<readonly boolean[]> => Promise.all(dialogs.map(isRefused));
  await expect.poll(became).toContain(true);
  const winner = (await became()).indexOf(false);
  const name = `of app ${String(winner + 1)}`;
  await expect(both[winner]!.page.getByRole('heading', { name })).toBeVisible();
  const loser = both[1 - winner]!.page;
  await expect(dialogs[1 - winner]!).toContainText(`“${name}” was launched in the meantime`);
  await expectAccessible(loser, 'a launch that somebody else was faster with');
  await loser.keyboard.press('Escape');
  await loser.getByRole('tab', { name: 'Runs' }).click();
  const runs = loser.getByRole('region', { name: '1 launched run' });
  await expect(runs.getByRole('button', { name })).toBeVisible();
  await expect(runs).toContainText('Running');
  const began = join(home, 'began');
  await expect.poll(() => (existsSync(began) ? readFileSync(began, 'utf8') : '')).toBe('began\n');
  expect(readdirSync(join(home, '.local/state/leasehold/runs'))).toHaveLength(1);
  writeFileSync(join(home, 'go'), '');
  for (const { page, consoleErrors } of both) {
    await expect(page.getByText('Done', { exact: true }).first()).toBeVisible();
    expect(consoleErrors).toEqual([]);
  }
});
