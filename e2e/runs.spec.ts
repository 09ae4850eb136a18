import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './fixtures/accessibility.ts';
import { expect, startForFile, test as base } from './fixtures/app.ts';
import { closeLaunchBox, openLaunchBox, type LaunchBox } from './fixtures/launch-box.ts';
import { addBoxAt } from './fixtures/real-box.ts';
import { screenText } from './fixtures/terminal.ts';

const test = base.extend<{ box: LaunchBox }>({
  box: async ({}, use) => {
    const box = await openLaunchBox('train-a');
    await use(box);
    await closeLaunchBox(box);
  },
});

test.use({ hasDemo: false });
const started = startForFile({ hasDemo: false });

interface Wanted {
  readonly name: string;
  readonly command: string;
  readonly results?: string;
  readonly successLine?: string;
}

/** From the header's button to what a launch would do. */
async function plan(page: Page, { name, command, results, successLine }: Wanted): Promise<Locator> {
  await page.getByRole('button', { name: 'Launch…' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await dialog.getByLabel('Folder on the box').fill('~');
  await dialog.getByLabel('Command', { exact: true }).fill(command);
  if (results !== undefined) await dialog.getByLabel('Results folder').fill(results);
  if (successLine !== undefined) {
    await dialog.getByLabel('Succeeded when the log says').fill(successLine);
  }
  await page.keyboard.press('Control+Enter');
  await expect(dialog.getByRole('heading', { name: 'What runs' })).toBeVisible();
  return dialog;
}

async function launch(page: Page, wanted: Wanted): Promise<void> {
  const dialog = await plan(page, wanted);
  await dialog.getByRole('button', { name: 'Launch', exact: true }).click();
  await expect(page.getByRole('heading', { name: wanted.name })).toBeVisible();
}

const logOf = (page: Page): Locator => page.getByRole('region', { name: /^Log of/ });

test('a run is planned, launched, followed over a lost link, finished, and its results are listed', async ({
  apps,
}) => {
  const { app, page, consoleErrors } = await apps.start({ hasDemo: true });
  await expect(page.getByText(/Connected/).first()).toBeVisible();

  // What cannot be a request is said beside its field, and nothing is asked of the box.
  await page.getByRole('button', { name: 'Launch…' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Folder on the box').fill('train');
  await page.keyboard.press('Control+Enter');
  await expect(dialog.getByText('Start the path with / or ~/.')).toBeVisible();
  await dialog.getByLabel('Progress lines').fill('step {step}/{total} loss={loss}');
  await dialog.getByLabel('Try a line of your log').fill('step 120/1000 loss=0.42');
  await expect(dialog.getByText('Reads step 120 of 1000, loss 0.42.')).toBeVisible();
  await expectAccessible(page, 'launch form');
  await dialog.getByLabel('Progress lines').fill('');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  const shown = await plan(page, {
    name: 'sixty steps',
    command:
      'mkdir -p out\nfor i in $(seq 60); do echo "step $i loss 0.$i"; echo $i >out/last.txt; sleep 0.1; done\necho half >out/out.tmp\necho \'{"loss": 0.6}\' >out/metrics.json\necho all is well',
    results: 'out',
    successLine: 'all is well',
  });
  await expect(shown).toContainText('can be entered and written');
  await expect(shown).toContainText('keeper.sh');
  await expectAccessible(page, 'launch plan');
  await shown.getByRole('button', { name: 'Launch', exact: true }).click();

  await expect(logOf(page)).toContainText(/step \d+ loss/);
  const loss = page.getByRole('figure').filter({ hasText: 'Loss' });
  await expect(loss.locator('.recharts-line path')).toHaveAttribute('d', /L/);
  await expect(page.getByRole('region', { name: 'Training' })).toContainText(/Step \d+/);
  const dropped = await page.evaluate(() =>
    window.leasehold.call('demo:set-fault', { fault: 'link-drop', isOn: true }),
  );
  expect(dropped).toEqual({ ok: true, value: null });
  await expect(page.getByText('Done', { exact: true })).toBeVisible();
  // Each line once: read on from where it was, on a link of its own.
  await expect(logOf(page)).toContainText('all is well');
  await expect(page.getByRole('region', { name: 'Training' })).toContainText('Step 60');
  await expect(page.getByRole('application', { name: 'Loss over steps, 60 points' })).toBeVisible();
  await page.getByRole('button', { name: 'Show results' }).click();
  await expect(page.getByRole('cell', { name: 'last.txt' })).toBeVisible();
  await expectAccessible(page, 'a run that is over');

  // What is not here stands on the clock, and so does that all of it is.
  const clock = page.getByRole('region', { name: 'Danger clock' });
  await expect(clock).toContainText(/You are 3 files and \d+.B behind/);

  // Home: chosen in the system's dialog, shown whole, then hashed on both sides, loaded, and kept as evidence.
  const results = mkdtempSync(join(tmpdir(), 'leasehold-home-'));
  await app.evaluate(({ dialog: system }, folder) => {
    system.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [folder] });
  }, results);
  await page.getByRole('button', { name: 'Bring home…' }).click();
  await expect(dialog).toContainText(results);
  await dialog.getByRole('checkbox', { name: 'out.tmp' }).uncheck();
  await dialog.getByRole('radio', { name: 'Scratch' }).check();
  await expectAccessible(page, 'what bringing results home would do');
  await dialog.getByRole('button', { name: /^Bring home \d/ }).click();
  const proofOf = (name: string) =>
    page
      .getByRole('row')
      .filter({ has: page.getByRole('cell', { name }) })
      .getByRole('cell')
      .last();
  await expect(proofOf('metrics.json')).toHaveText('Loaded');
  await expect(proofOf('last.txt')).toHaveText('Hashed');
  await expect(proofOf('out.tmp')).toHaveText('Left on the box');
  await expect(page.getByText('Evidence no. 1')).toBeVisible();
  expect(readdirSync(results).sort()).toEqual(['last.txt', 'metrics.json']);
  expect(readFileSync(join(results, 'metrics.json'), 'utf8')).toBe('{"loss": 0.6}\n');
  await expect(clock).toContainText('All known results are backed up');
  await expectAccessible(page, 'results that are home');

  // What is reported is picked from what came home, and read again from there.
  await page.getByRole('button', { name: 'Choose numbers…' }).click();
  await dialog.getByRole('checkbox', { name: 'loss' }).check();
  await dialog.getByLabel('Name', { exact: true }).fill('final loss');
  await dialog.getByLabel('As you report it').fill('60 %');
  await expect(dialog).toContainText('Equal to the file.');
  await expectAccessible(page, 'the choice of numbers');
  await dialog.getByRole('button', { name: 'Read again and keep' }).click();
  const reported = page.getByRole('region', { name: 'Reported numbers', exact: true });
  await expect(reported).toContainText('Re-read, equal');
  await expect(proofOf('metrics.json')).toHaveText('Re-read');
  await expectAccessible(page, 'numbers that were read again');

  // The record is whole, and one page about this pull is taken along.
  const receipt = join(results, 'receipt.md');
  await app.evaluate(({ dialog: system }, filePath) => {
    system.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
  }, receipt);
  await page.getByRole('button', { name: 'Evidence no. 1' }).click();
  await expect(dialog).toContainText('2 entries, each as it was written.');
  await expectAccessible(page, 'evidence');
  await dialog.getByRole('button', { name: 'Save receipt…' }).click();
  await expect(dialog.getByRole('status', { name: 'What was saved' })).toContainText(receipt);
  expect(readFileSync(receipt, 'utf8')).toContain('Left on the box: scratch');
  expect(readFileSync(receipt, 'utf8')).toContain('re-read, equal');
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  // A later look tells what somebody has changed since.
  writeFileSync(join(results, 'metrics.json'), '{"loss": 0.7}\n');
  await reported.getByRole('button', { name: 'Read again' }).click();
  await expect(reported).toContainText('Changed since');
  await expect(proofOf('metrics.json')).toHaveText('Loaded');
  rmSync(results, { recursive: true });

  await page.getByRole('button', { name: 'All runs' }).click();
  await launch(page, { name: 'a long one', command: 'echo here; sleep 600' });
  await expect(logOf(page)).toContainText('here');
  // Its tmux session shows what it prints, and what is pressed there does not end it: a person does, and is told so below.
  await page.getByRole('button', { name: 'Attach', exact: true }).click();
  await expect(screenText(page)).toContainText('here');
  await page.keyboard.press('Control+c');
  await page.getByRole('tab', { name: 'Runs' }).click();
  await page.getByRole('button', { name: 'End run…' }).click();
  await expect(page.getByRole('button', { name: 'Keep it running' })).toBeFocused();
  await expectAccessible(page, 'question before the end of a run');
  await page.getByRole('button', { name: 'End run', exact: true }).click();
  await expect(page.getByText('Ended by you', { exact: true })).toBeVisible();
  expect(consoleErrors).toEqual([]);
});

test('a run outlives an app that is killed, and is there again', async ({ apps, box }) => {
  const { sshd, home } = box;
  const first = await apps.start();
  await addBoxAt(first.page, sshd);
  await launch(first.page, {
    name: 'outlives all',
    command:
      'echo before; for i in $(seq 3000); do [ -e go ] && break; sleep 0.2; done; echo after; exit 3',
  });
  await expect(logOf(first.page)).toContainText('before');
  const main = first.app.process();
  const gone = once(main, 'exit');
  main.kill('SIGKILL');
  await gone;

  const { page, consoleErrors } = await apps.start({ folder: first.folder });
  await page.getByRole('navigation').getByText('real', { exact: true }).click();
  await expect(page.getByText(/Connected/).first()).toBeVisible();
  await page.getByRole('tab', { name: 'Runs' }).click();
  await page.getByRole('button', { name: 'outlives all' }).click();
  await expect(page.getByText('Running', { exact: true })).toBeVisible();
  await expect(logOf(page)).toContainText('before');
  writeFileSync(join(home, 'go'), '');
  await expect(logOf(page)).toContainText('after');
  await expect(page.getByText('Failed (exit 3)', { exact: true })).toBeVisible();
  expect(consoleErrors).toEqual([]);
});

test('code is pushed before a run, and only what changed is sent again', async ({ box }) => {
  const { sshd, home } = box;
  const code = mkdtempSync(join(tmpdir(), 'leasehold-code-'));
  try {
    mkdirSync(join(code, 'lib'));
    writeFileSync(join(code, 'lib', 'odd name’s.py'), 'print(1)\n');
    writeFileSync(join(code, 'hello.sh'), 'echo "from $(ls lib)"\n');
    writeFileSync(join(code, 'notes.tmp'), 'not this\n');
    const { app, page, consoleErrors } = await started();
    await app.evaluate(({ dialog }, folder) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [folder] });
    }, code);
    await addBoxAt(page, sshd);
    const push = async (name: string): Promise<Locator> => {
      await page.getByRole('button', { name: 'Launch…' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name', { exact: true }).fill(name);
      await dialog.getByLabel('Folder on the box').fill('~/code');
      await dialog.getByLabel('Command', { exact: true }).fill('sh hello.sh');
      // The form remembers the folder of the last launch.
      const isAgain = await dialog.getByText(code).isVisible();
      if (!isAgain) await dialog.getByRole('button', { name: 'Choose a folder…' }).click();
      await dialog.getByLabel('Leave out').fill('*.tmp');
      await page.keyboard.press('Control+Enter');
      await expect(dialog.getByRole('heading', { name: 'What runs' })).toBeVisible();
      return dialog;
    };
    const first = await push('pushed');
    await expectAccessible(page, 'a plan that pushes code');
    await expect(first.getByRole('region', { name: 'Code that is pushed' })).toContainText(
      '2 files',
    );
    await first.getByRole('button', { name: 'Launch', exact: true }).click();
    await expect(logOf(page)).toContainText('from odd name’s.py');
    expect(existsSync(join(home, 'code', 'notes.tmp'))).toBe(false);
    await page.getByRole('button', { name: 'All runs' }).click();
    const second = await push('again');
    await expect(second.getByRole('region', { name: 'Code that is pushed' })).toContainText(
      /nothing/i,
    );
    await second.getByRole('button', { name: 'Launch', exact: true }).click();
    await expect(logOf(page)).toContainText('from odd name’s.py');
    expect(consoleErrors).toEqual([]);
  } finally {
    rmSync(code, { recursive: true, force: true });
  }
});

test('a queue runs its cells one after another, waits when told so, and takes more', async ({
  box,
}) => {
  const { page, consoleErrors } = await started();
  await addBoxAt(page, box.sshd);
  await page.getByRole('button', { name: 'Launch…' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('three seeds');
  await dialog.getByLabel('Folder on the box').fill('~');
  await dialog.getByRole('radio', { name: 'A queue of cells' }).click();
  await dialog
    .getByLabel('Cells', { exact: true })
    .fill('one: echo one\ntwo: exit 3\nthree: until [ -e go ]; do sleep 0.2; done');
  // Only planned: the crontab of this box is that of whoever runs the tests. reboot-box.test.ts launches it.
  const startsAgain = dialog.getByRole('switch', {
    name: 'Start again after a restart of the box',
  });
  await expect(startsAgain).not.toBeChecked();
  await startsAgain.focus();
  await page.keyboard.press('Space');
  await expect(startsAgain).toBeChecked();
  await expectAccessible(page, 'the form of a queue');
  await page.keyboard.press('Control+Enter');
  await expect(dialog.getByRole('region', { name: 'Checks' })).toContainText(
    'Starts again after a restart',
  );
  await expectAccessible(page, 'the plan of a queue that starts again');
  await dialog.getByRole('button', { name: 'Back' }).click();
  await startsAgain.press('Space');
  await page.keyboard.press('Control+Enter');
  await expect(dialog.getByRole('table', { name: 'Cells' })).toContainText('three');
  await expect(dialog.getByRole('region', { name: 'Checks' })).not.toContainText('Starts again');
  await expectAccessible(page, 'the plan of a queue');
  await dialog.getByRole('button', { name: 'Launch', exact: true }).click();

  const queue = page.getByRole('region', { name: 'Queue', exact: true });
  const row = (name: string): Locator =>
    queue.getByRole('row').filter({ has: page.getByRole('cell', { name, exact: true }) });
  await expect(row('one')).toContainText('Done');
  await expect(row('two')).toContainText('exit 3');
  await expect(row('three')).toContainText('Running');
  await expectAccessible(page, 'a queue');
  await queue.getByRole('button', { name: 'one', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Log of cell 1, one' })).toContainText('one');
  await page.getByRole('button', { name: 'Log of the queue' }).click();
  await expect(page.getByRole('region', { name: 'Log of three seeds' })).toContainText('cell 1');
  await queue.getByRole('button', { name: 'Pause' }).click();
  await expect(queue.getByRole('button', { name: 'Continue' })).toBeVisible();
  await queue.getByRole('button', { name: 'Add cells…' }).click();
  await page.getByRole('dialog').getByLabel('Cells', { exact: true }).fill('four: echo four');
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: false }).click();
  await expect(row('four')).toContainText('Waiting');
  await queue.getByRole('button', { name: 'Continue' }).click();
  writeFileSync(join(box.home, 'go'), '');
  await expect(row('four')).toContainText('Done');
  expect(consoleErrors).toEqual([]);
});

test('curves come from the log or a file, are zoomed with the pointer, and leave as a picture', async ({
  box,
}) => {
  const { app, page, consoleErrors } = await started();
  await addBoxAt(page, box.sshd);
  await launch(page, {
    name: 'curves',
    command:
      'mkdir -p out; { echo step,score; seq -f "%.0f,0.5" 0 99; } >out/metrics.csv; i=0; while [ $i -lt 200 ]; do echo "step $i loss $((200 - i))"; i=$((i + 1)); done',
    results: 'out',
  });
  const training = page.getByRole('region', { name: 'Training' });
  const chart = training.getByRole('application', { name: /^Loss over steps, 200 points/ });
  await expect(chart).toBeVisible();
  // What is said of a run that is over takes its room above the chart first.
  await expect(page.getByText('Done', { exact: true }).first()).toBeVisible();
  await chart.scrollIntoViewIfNeeded();
  const place = await chart.boundingBox();
  if (place === null) throw new Error('the chart has no place');
  const across = place.y + place.height / 2;
  await page.mouse.move(place.x + place.width * 0.4, across);
  await page.mouse.down();
  await page.mouse.move(place.x + place.width * 0.5, across, { steps: 4 });
  await page.mouse.move(place.x + place.width * 0.6, across, { steps: 4 });
  await page.mouse.up();
  const all = training.getByRole('button', { name: /show all/ });
  await expect(all).toBeVisible();

  const folder = mkdtempSync(join(tmpdir(), 'leasehold-picture-'));
  const file = join(folder, 'loss.png');
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
  }, file);
  await training.getByRole('button', { name: 'Save Loss as a picture' }).click();
  await expect(training.getByText(/written to/)).toBeVisible();
  // Its size stands behind the signature and the name of the first block.
  expect(readFileSync(file).readUInt32BE(16)).toBeGreaterThan(400);
  rmSync(folder, { recursive: true, force: true });

  await all.click();
  await training.getByRole('checkbox', { name: 'Table' }).check();
  await expect(training.getByRole('table', { name: 'Values of Loss' })).toContainText('step 199');
  await expectAccessible(page, 'curves as a table');
  await training.getByLabel('Figures from').selectOption('csv metrics.csv');
  await expect(training.getByRole('table', { name: 'Values of score' })).toContainText('step 99');
  expect(consoleErrors).toEqual([]);
});
