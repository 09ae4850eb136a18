import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { shownOn } from '../src/main/ssh/shown-programs.fixture.ts';
import { openConnection } from '../src/main/storage/connection.ts';
import { openReadOnly } from '../src/main/storage/read-only.ts';
import { expect, type RunningApp } from './fixtures/app.ts';
import { acceptStrayFiles, endRunOfDemo, holdEnds } from './fixtures/demo-run.ts';
import { closeLaunchBox, openLaunchBox } from './fixtures/launch-box.ts';
import { test as base } from './fixtures/own-key-box.ts';
import { addBoxAt } from './fixtures/real-box.ts';
import {
  acceptElsewhere,
  acceptProcesses,
  answerDialogs,
  chooseVerb,
  launchHere,
  step,
} from './fixtures/teardown-steps.ts';

const PROGRAMS = shownOn('/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin');
const ORDERS = '.local/state/leasehold/teardown';

const test = base.extend({
  box: async ({ here, keyFile }, use) => {
    // Stands still in the middle of the note of an end, while the test wants that.
    const bin = join(here, 'bin');
    mkdirSync(bin);
    const date = `#!/bin/sh\nwhile [ -e ~/hold ] && [ -d ~/${ORDERS} ]; do touch ~/held; sleep 0.1; done\nPATH=${PROGRAMS} exec date "$@"\n`;
    writeFileSync(join(bin, 'date'), date, { mode: 0o755 });
    const box = await openLaunchBox('train-a', () => ({
      ...{ keyFile, env: { PATH: `${bin}:${PROGRAMS}` } },
    }));
    await use(box);
    rmSync(join(box.home, 'hold'), { force: true });
    await closeLaunchBox(box);
  },
});

test.use({ hasDemo: false });

/** Nobody is told, nothing is closed. */
async function kill({ app }: RunningApp): Promise<void> {
  const main = app.process();
  const gone = once(main, 'exit');
  main.kill('SIGKILL');
  await gone;
}

interface Step {
  readonly step: string;
  readonly actId?: string;
}

/** How far the end of the box is in the evidence. */
async function stepsIn(folder: string): Promise<readonly string[]> {
  return (await recordIn(folder)).map(({ step }) => step);
}

async function recordIn(folder: string): Promise<readonly Step[]> {
  const opened = openReadOnly(folder);
  if (!opened.ok) throw new Error(opened.error.message);
  const all = await opened.value.evidence.all();
  opened.value.close();
  if (!all.ok) throw new Error(all.error.message);
  return all.value.rows
    .filter(({ kind }) => kind === 'teardown')
    .map(({ body }) => JSON.parse(body) as Step);
}

async function openWizard(page: Page): Promise<void> {
  await page.getByRole('navigation').getByText('train-a', { exact: true }).click();
  await expect(page.getByText(/Connected/).first()).toBeVisible();
  await page.getByRole('tab', { name: 'Teardown' }).click();
}

test('an app that is killed at any step of the way loses nothing, and does nothing a second time', async ({
  apps,
  box,
  here,
}) => {
  test.slow(); // starts the app many times
  let running = await apps.start();
  const { folder } = running;
  const again = async (): Promise<Page> => {
    await kill(running);
    running = await apps.start({ folder });
    await openWizard(running.page);
    return running.page;
  };
  const prove = async (page: Page): Promise<void> => {
    await step(page, 'Prove it').click();
    await page.getByRole('button', { name: 'Read the copies again' }).click();
    await expect(page.getByRole('tabpanel')).toContainText('You may end this box');
  };
  const approve = async (page: Page): Promise<void> => {
    await step(page, 'Approve').click();
    await chooseVerb(page);
    await page.getByLabel('Type “train-a” to approve').fill('train-a');
    await page.getByRole('button', { name: /^Approve “/ }).click();
    await expect(page.getByRole('tabpanel')).toContainText('You approved');
  };
  await answerDialogs(running.app, here, '');
  await addBoxAt(running.page, box.sshd, box.sshd.port, box.name);
  await launchHere(running.page, 'mkdir -p out && echo "{\\"loss\\": 0.5}" >out/metrics.jsonl');
  await expect(running.page.getByText('Done', { exact: true }).first()).toBeVisible();
  await running.page.getByRole('tab', { name: 'Teardown' }).click();
  await running.page.getByRole('button', { name: 'Check the box' }).click();
  await acceptElsewhere(running.page);
  await acceptProcesses(running.page);
  await step(running.page, 'Bring it home').click();
  await running.page.getByRole('button', { name: 'Bring home…' }).click();
  await running.page
    .getByRole('dialog')
    .getByRole('button', { name: /^Bring home \d/ })
    .click();
  await expect(step(running.page, 'Bring it home')).toContainText('Nothing is missing');

  // What came home and what was accepted is there, and what only this app had read is not.
  let page = await again();
  await page.getByRole('button', { name: 'Check the box' }).click();
  await expect(step(page, 'Bring it home')).toContainText('Nothing is missing');
  await expect(step(page, 'Prove it')).toContainText('1 thing to settle');
  await prove(page);
  await approve(page);

  // A yes dies with the app.
  page = await again();
  await expect(page.getByRole('tabpanel')).toContainText('Not checked');
  expect(await stepsIn(folder)).toEqual([]);
  const older = join(here, 'older.db');
  await page.getByRole('button', { name: 'Check the box' }).click();
  await prove(page);
  await approve(page);
  const database = openConnection(join(folder, 'leasehold.db'), 10_000);
  database.run('VACUUM INTO ?', [older]);
  database.close();

  // In the evidence, and not yet noted on the box: nobody was told.
  writeFileSync(join(box.home, 'hold'), '');
  await page.getByRole('button', { name: 'Go ahead' }).click();
  await expect.poll(() => existsSync(join(box.home, 'held'))).toBe(true);
  page = await again();
  rmSync(join(box.home, 'hold'));
  await expect(page.getByRole('tabpanel')).toContainText(
    'Nothing has confirmed that this box is gone',
  );
  await expect(page.getByRole('button', { name: 'Go ahead' })).toHaveCount(0);
  expect(await stepsIn(folder)).toEqual(['approved']);
  await page.getByRole('button', { name: 'I did not do it' }).click();
  await expect(page.getByRole('tabpanel')).toContainText('Not checked');

  // In the middle of the end.
  await page.getByRole('button', { name: 'Check the box' }).click();
  await prove(page);
  await approve(page);
  await page.getByRole('button', { name: 'Go ahead' }).click();
  await page.getByRole('button', { name: 'I have done it – check' }).click();
  await expect(page.getByRole('tabpanel')).toContainText('The box still answers.');
  expect(await stepsIn(folder)).toEqual(['approved', 'called-off', 'approved']);
  expect(readdirSync(join(box.home, ORDERS))).toHaveLength(1);

  // The database is put back from before: neither the evidence nor the box lets the end begin once more.
  await kill(running);
  const file = join(folder, 'leasehold.db');
  const newer = ['', '-wal'].filter((suffix) => existsSync(file + suffix));
  for (const suffix of newer) copyFileSync(file + suffix, join(here, `newer${suffix}`));
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  copyFileSync(older, file);
  running = await apps.start({ folder });
  page = running.page;
  await openWizard(page);
  await page.getByRole('button', { name: 'Check the box' }).click();
  const content = page.getByRole('tabpanel');
  await expect(content).toContainText('Leasehold has no record of it here');
  await step(page, 'Prove it').click();
  await expect(content).toContainText('This is an older copy of the database');
  await expect(content).toContainText('move leasehold.db-evidence out of the data folder');

  // With what was written it goes on where it was, and is over once.
  await kill(running);
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  for (const suffix of newer) copyFileSync(join(here, `newer${suffix}`), file + suffix);
  running = await apps.start({ folder });
  page = running.page;
  await openWizard(page);
  await box.sshd.stop();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('button', { name: 'Check only' }).click();
  await expect(page.getByRole('tabpanel')).toContainText('That alone does not say');
  await page.getByRole('button', { name: 'I have done it – check' }).click();
  await expect(page.getByRole('tabpanel').or(page.getByRole('region'))).toContainText([
    'This box is gone.',
  ]);
  await kill(running);
  running = await apps.start({ folder });
  await running.page.getByRole('button', { name: 'Fleet' }).click();
  await running.page.getByRole('button', { name: /^Archive/ }).click();
  await expect(running.page.getByRole('row', { name: /train-a/ })).toBeVisible();
  expect(await stepsIn(folder)).toEqual(['approved', 'called-off', 'approved', 'gone']);
});

test('a provider goes on with what it was told while the app is killed, and is told nothing a second time', async ({
  apps,
}) => {
  const running = await apps.start({ hasDemo: true });
  const { page, folder } = running;
  const content = page.getByRole('tabpanel');
  await expect(page.getByText(/Connected/).first()).toBeVisible();
  await page.getByRole('tab', { name: 'Teardown' }).click();
  await page.getByRole('button', { name: 'Check the box' }).click();
  await expect(content).toContainText('Do not end this box yet');
  await endRunOfDemo(page);
  await acceptElsewhere(page);
  await acceptProcesses(page);
  await step(page, 'Approve').click();
  await page.getByRole('radio', { name: /^Destroy/ }).check();
  await acceptStrayFiles(page);
  await page.getByLabel('Type “demo” to approve').fill('demo');
  await page.getByRole('button', { name: 'Approve “destroy”' }).click();
  await holdEnds(running.app); // else it may be gone before the app is
  await page.getByRole('button', { name: 'Go ahead' }).click();
  await expect(content).toContainText('accepted the request');
  await kill(running);
  const [order, ...others] = await recordIn(folder);
  expect([order?.step, others]).toEqual(['approved', []]);

  const { page: again } = await apps.start({ folder });
  await expect.poll(() => stepsIn(folder)).toEqual(['approved', 'gone']);
  await again.getByRole('button', { name: 'Fleet' }).click();
  await again.getByRole('button', { name: /^Archive/ }).click();
  await again.getByRole('main').getByRole('button', { name: 'demo' }).click();
  await expect(again.getByText('This box is gone.')).toBeVisible();
  const told = JSON.parse(readFileSync(join(folder, 'demo-provider.json'), 'utf8')) as unknown;
  expect(told).toMatchObject({ told: [order?.actId] });
});
