import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expectAccessible } from './fixtures/accessibility.ts';
import { expect } from './fixtures/app.ts';
import { acceptStrayFiles, endRunOfDemo, holdEnds } from './fixtures/demo-run.ts';
import { test } from './fixtures/own-key-box.ts';
import { addBoxAt } from './fixtures/real-box.ts';
import {
  acceptElsewhere,
  acceptProcesses,
  answerDialogs,
  chooseVerb,
  launchHere,
  step,
} from './fixtures/teardown-steps.ts';

/** From the step that brings results home. */
async function bringHomeAndProve(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Bring home…' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Bring home \d/ })
    .click();
  await step(page, 'Prove it').click();
  const content = page.getByRole('tabpanel');
  await expect(content).toContainText('have to be read again');
  await page.getByRole('button', { name: 'Read the copies again' }).click();
  await expect(content).toContainText('You may end this box');
  await step(page, 'Approve').click();
}

/** The provider of the demo box has another machine of the account for it, or the first one again. */
async function swapMachine(page: Page, isOn: boolean): Promise<void> {
  const set = await page.evaluate(
    (on) => window.leasehold.call('demo:set-fault', { fault: 'provider-swaps', isOn: on }),
    isOn,
  );
  expect(set).toEqual({ ok: true, value: null });
}

/** The one on the box that a test has put there. */
async function removeSecret(page: Page, name: string): Promise<void> {
  await step(page, 'Secrets').click();
  await page.getByRole('button', { name: 'Search for secrets' }).click();
  await expectAccessible(page, 'secrets');
  await page.getByRole('checkbox', { name }).check();
  await page.getByRole('button', { name: 'Remove 1 file…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete on the box' }).click();
  await expect(step(page, 'Secrets')).toContainText('1 file removed');
}

test('a box is inspected, its results come home and are proven, and it ends by hand once all of that holds', async ({
  apps,
  box,
  here,
}) => {
  const { app, page, folder } = await apps.start({ hasDemo: false });
  const receipt = join(here, 'receipt.md');
  const again = join(here, 'again');
  mkdirSync(again);
  await answerDialogs(app, here, receipt);
  await addBoxAt(page, box.sshd, box.sshd.port, box.name);
  await launchHere(
    page,
    'mkdir -p out && echo "{\\"loss\\": 0.5}" >out/metrics.jsonl && echo done',
  );
  await expect(page.getByText('Done', { exact: true }).first()).toBeVisible();

  await page.getByRole('tab', { name: 'Teardown' }).click();
  const content = page.getByRole('tabpanel');
  await expect(content).toContainText('Not checked: do not end this box yet.');
  // What is above the tabs leaves the page to what it is about.
  const strip = page.locator('[data-strip="true"]');
  await expect(strip).toHaveCount(1);
  await expect.poll(async () => (await strip.boundingBox())?.height).toBeLessThanOrEqual(36);
  await page.getByRole('button', { name: 'Check the box' }).click();
  await expect(content).toContainText('Do not end this box yet');
  await expectAccessible(page, 'teardown');
  await acceptElsewhere(page);
  await acceptProcesses(page);
  await step(page, 'Bring it home').click();
  await expect(content).toContainText('The results of “baseline” were never brought home');
  await bringHomeAndProve(page);
  writeFileSync(join(box.home, '.netrc'), 'machine a password b');
  await removeSecret(page, '.netrc');
  expect(existsSync(join(box.home, '.netrc'))).toBe(false);

  await step(page, 'Approve').click();
  await expectAccessible(page, 'teardown');
  await chooseVerb(page);
  const name = page.getByLabel('Type “train-a” to approve');
  const approve = page.getByRole('button', { name: /^Approve “/ });
  await name.fill('train-b');
  await expect(approve.last()).toBeDisabled();
  await name.fill('train-a');
  await approve.last().click();
  await expect(content).toContainText('You approved');

  // Something writes among the results after the yes: the yes is worth nothing any more.
  appendFileSync(join(box.home, 'out/metrics.jsonl'), '{"loss": 0.4}\n');
  await page.getByRole('button', { name: 'Go ahead' }).click();
  await expect(content).toContainText('Do not end this box yet');
  // What came home first is never written over.
  await app.evaluate(({ dialog }, folder) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [folder] });
  }, again);
  await step(page, 'Bring it home').click();
  await page.getByRole('button', { name: 'Bring home…' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Bring home \d/ })
    .click();
  await expect(step(page, 'Bring it home')).toContainText('Nothing is missing');
  await step(page, 'Prove it').click();
  await page.getByRole('button', { name: 'Read the copies again' }).click();
  await expect(content).toContainText('You may end this box');
  await step(page, 'Approve').click();
  await chooseVerb(page);
  await name.fill('train-a');
  await approve.last().click();
  await page.getByRole('button', { name: 'Go ahead' }).click();

  await page.getByRole('button', { name: 'I have done it – check' }).click();
  await expect(content).toContainText('The box still answers.');
  await box.sshd.stop();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('button', { name: 'Check only' }).click();
  await expect(content).toContainText('That alone does not say that it is gone.');
  await expectAccessible(page, 'teardown');
  await page.getByRole('button', { name: 'I have done it – check' }).click();
  await expect(content).toContainText('This box is gone.');
  await page.getByRole('button', { name: 'Save receipt…' }).click();
  await expect
    .poll(() => (existsSync(receipt) ? readFileSync(receipt, 'utf8') : ''))
    .toContain('the home folder; only code');
  expect(readFileSync(receipt, 'utf8')).toContain('metrics.jsonl');

  // It is in the archive, also at the next start, and nobody tries to reach it any more.
  await expectArchived(page, again);
  await app.close();
  const restarted = await apps.start({ folder });
  await restarted.page.getByRole('button', { name: 'Fleet' }).click();
  await restarted.page.getByRole('button', { name: /^Archive/ }).click();
  await restarted.page.getByRole('button', { name: 'train-a' }).click();
  await expectArchived(restarted.page, again);
});

async function expectArchived(page: Page, folder: string): Promise<void> {
  await expect(page.getByText('This box is gone.')).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Boxes' })).not.toContainText('train-a');
  for (const name of ['Connect', 'Retry now', 'Disconnect', 'Terminal']) {
    await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0);
  }
  await expectAccessible(page, 'archived box');
  await page.getByRole('tab', { name: 'Results' }).click();
  await expect(page.getByRole('tabpanel')).toContainText(folder);
  await page.getByRole('tab', { name: 'Charts' }).click();
  await expect(page.getByRole('tabpanel')).toContainText(/This box is gone|No readings were kept/);
  await page.getByRole('tab', { name: 'Alerts' }).click();
  await expect(page.getByRole('tabpanel')).toContainText('History');
  await page.getByRole('button', { name: 'All archived boxes' }).click();
  await expect(page.getByRole('row', { name: /train-a/ })).toContainText(folder);
  await expectAccessible(page, 'archive');
}

test('the demo box goes the whole way on a fresh machine, and its provider ends it', async ({
  apps,
  here,
}) => {
  const { app, page } = await apps.start();
  const receipt = join(here, 'receipt.md');
  await answerDialogs(app, here, receipt);
  await expect(page.getByText(/Connected/).first()).toBeVisible();
  await launchHere(
    page,
    'mkdir -p out && echo "{\\"loss\\": 0.5}" >out/metrics.jsonl && echo done',
  );
  await expect(page.getByText('Done', { exact: true }).first()).toBeVisible();

  await page.getByRole('tab', { name: 'Teardown' }).click();
  const content = page.getByRole('tabpanel');
  await page.getByRole('button', { name: 'Check the box' }).click();
  await expect(content).toContainText('Do not end this box yet');
  await endRunOfDemo(page);
  await acceptElsewhere(page);
  await acceptProcesses(page);
  await step(page, 'Bring it home').click();
  await bringHomeAndProve(page);
  // The account has another machine for this address by now: what was proven was on the one before.
  await swapMachine(page, true);
  await step(page, 'What is there').click();
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect(content).toContainText('yet: 2 things to settle');
  await step(page, 'Prove it').click();
  await expect(content).toContainText('Your provider account has another machine for this box');
  await expect(content).toContainText('Make sure that this is the right box.');
  await step(page, 'Approve').click();
  await page.getByRole('radio', { name: /^Destroy/ }).check();
  await expect(page.getByLabel('Type “demo” to approve')).toBeDisabled();
  await swapMachine(page, false);
  await step(page, 'What is there').click();
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect(content).toContainText('You may end this box');
  await step(page, 'Approve').click();
  await page.getByRole('radio', { name: /^Destroy/ }).check();
  await acceptStrayFiles(page);
  await page.getByLabel('Type “demo” to approve').fill('demo');
  await page.getByRole('button', { name: 'Approve “destroy”' }).click();
  await expect(content).toContainText('sends the request to Demo provider');
  const letEnd = await holdEnds(app);
  await page.getByRole('button', { name: 'Go ahead' }).click();

  await expect(page.getByRole('list', { name: 'What the provider said' })).toContainText(
    'accepted the request',
  );
  await expect(content).toContainText('Demo provider is ending this box');
  await expect(content).toContainText('Cost of waiting: $');
  const clock = page.getByRole('region', { name: 'Danger clock' });
  await expect(clock).toContainText('End not confirmed');
  await expectAccessible(page, 'teardown');
  await letEnd();
  await expect(content).toContainText('This box is gone.');
  // Nobody tries to reach it any more, and it is not in the list.
  await expect(page.getByRole('button', { name: 'Connect', exact: true })).toHaveCount(0);
  await expect(page.getByRole('navigation', { name: 'Boxes' })).toContainText('No boxes');
  await page.getByRole('button', { name: 'Save receipt…' }).click();
  await expect
    .poll(() => (existsSync(receipt) ? readFileSync(receipt, 'utf8') : ''))
    .toContain('Demo provider says so: gone');
  expect(readFileSync(receipt, 'utf8')).toContain('metrics.jsonl');
  // The same to print: what the system's dialog would be given is saved as a file.
  const pdf = join(here, 'receipt.pdf');
  await answerDialogs(app, here, pdf);
  await page.getByRole('button', { name: 'Receipt', exact: true }).click();
  await expect(page.getByRole('article', { name: 'Receipt' })).toContainText('metrics.jsonl');
  await expectAccessible(page, 'receipt');
  await page.getByRole('button', { name: 'Save as PDF…' }).click();
  await expect
    .poll(() => (existsSync(pdf) ? readFileSync(pdf, 'latin1').slice(0, 5) : ''))
    .toBe('%PDF-');
  // What it cost was nobody's.
  await expect(page.getByRole('region', { name: 'Cost', exact: true })).not.toContainText(
    /\$[1-9]/,
  );
});
