import { spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { startSshd } from '../src/main/ssh/sshd.fixture.ts';
import { openConnection } from '../src/main/storage/connection.ts';
import { expect } from './fixtures/app.ts';
import { Kernel } from './fixtures/box-kernel.ts';
import { closeLaunchBox, openLaunchBox, type LaunchBox } from './fixtures/launch-box.ts';
import { test as base } from './fixtures/own-key-box.ts';
import { addBoxAt } from './fixtures/real-box.ts';
import { answerDialogs, launchHere, step } from './fixtures/teardown-steps.ts';
import { boxIds, Wizard } from './fixtures/wizard.ts';

const test = base.extend<{ kernel: Kernel }>({
  kernel: async ({ here }, use) => use(new Kernel(join(here, 'kernel'))),
  box: async ({ keyFile, kernel }, use) => {
    const box = await openLaunchBox('train-a', () => ({ keyFile, env: kernel.env }));
    await use(box);
    await closeLaunchBox(box);
  },
});

test.use({ hasDemo: false });

test('a box is refused for each thing in the way in turn, with what to do about it', async ({
  apps,
  box,
  kernel,
  here,
}) => {
  test.slow(); // makes one state after the other real
  const { app, page, folder } = await apps.start();
  const home = (...path: readonly string[]): string => join(box.home, ...path);
  await answerDialogs(app, here, '');
  await addBoxAt(page, box.sshd, box.sshd.port, box.name);
  await launchHere(
    page,
    'mkdir -p out && echo "{\\"loss\\": 0.5}" >out/metrics.jsonl && until [ -e ended ]; do sleep 0.1; done',
  );
  const wizard = new Wizard(page);
  await wizard.open();

  const THERE = 'What is there';
  await wizard.refuses(THERE, /“baseline” is still running/, 'end it on the Runs tab');
  writeFileSync(home('ended'), '');
  await nothingRuns(box);
  await wizard.isFree(THERE, /is still running/);
  await wizard.refuses(THERE, /looks only for large files/, 'Look through the box');

  await wizard.refuses('Bring it home', /were never brought home/, 'Bring the results home.');
  mkdirSync(home('out/wandb/offline-run-20260101_000000-abc'), { recursive: true });
  writeFileSync(home('out/wandb/offline-run-20260101_000000-abc/run-abc.wandb'), ':W&B');
  writeFileSync(home('out/model.safetensors'), 'no weights');
  // A pickle that calls a program: its bytes can be proven, and nobody here loads it.
  writeFileSync(home('out/odd.pt'), '\x80\x02cposix\nsystem\nX\x04\0\0\0true\x85R.', 'latin1');
  await wizard.bringHome();
  await wizard.refuses(THERE, /not known to be uploaded/, 'wandb sync');
  await wizard.refuses('Prove it', /cannot be loaded/, 'accept it on the page of its run');
  rmSync(home('out/wandb'), { recursive: true });
  rmSync(home('out/model.safetensors'));
  await wizard.isFree('Prove it', /cannot be loaded/);
  await wizard.isFree(THERE, /not known to be uploaded/);
  const elsewhere = join(here, 'checkpoints');
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, home('out/best'));
  await wizard.refuses(
    'Bring it home',
    /1 link among the results of “baseline” leads out of them/,
    'Add the folder that it leads to',
  );
  rmSync(home('out/best'));
  await wizard.isFree('Bring it home', /leads out of them/);
  await wizard.refuses('Prove it', /have to be read again/, 'Read the copies again.');

  appendFileSync(home('out/metrics.jsonl'), '{"loss": 0.4}\n');
  await wizard.refuses('Bring it home', /not proven to be on this computer/, 'home again');
  const again = join(here, 'again');
  mkdirSync(again);
  await answerDialogs(app, again, '');
  await wizard.bringHome();
  await wizard.prove();

  // A copy that is written to, by whatever runs on this computer.
  const [name = ''] = readdirSync(again, { recursive: true, encoding: 'utf8' }).filter((each) =>
    each.endsWith('metrics.jsonl'),
  );
  const copy = join(again, name);
  const bytes = readFileSync(copy);
  writeFileSync(copy, 'other bytes');
  await wizard.refuses('Prove it', /have to be read again/, 'Read the copies again.');
  await wizard.prove();
  await wizard.refuses('Prove it', /no longer what was proven/, 'Bring the results home again.');
  writeFileSync(copy, bytes);
  await wizard.check();
  await wizard.prove();

  // What one action does.
  await step(page, 'Approve').click();
  await page.getByRole('radio').first().check();
  await expect(wizard.item(/does not stop billing/)).toContainText('goes on billing');
  writeFileSync(home('model.pt'), Buffer.alloc(1_200_000));
  await wizard.check();
  await expect(wizard.item(/may delete the root\/home disk/)).toContainText('Add their folder');
  rmSync(home('model.pt'));

  const note = home('.local/state/leasehold/teardown/theirs');
  mkdirSync(home('.local/state/leasehold/teardown'), { recursive: true });
  writeFileSync(note, '1 Terminate\n');
  await wizard.refuses(THERE, /“Terminate” was approved/, 'on the computer that approved it');
  rmSync(note);
  await wizard.isFree(THERE, /“Terminate” was approved/);

  // A reading of the copies holds for an hour, and is made no younger by a clock that is set back.
  for (const hours of [2, -2]) {
    await setClock(app, hours);
    await wizard.refuses('Prove it', /have to be read again/, 'Read the copies again.');
  }
  await setClock(app, 0);
  await wizard.isFree('Prove it', /have to be read again/);

  // Of what runs there since its restart not all is told.
  kernel.isNew();
  await wizard.refuses(THERE, /Whether anything else still runs is not known/, 'The Alerts tab');
  await wizard.refuses('Prove it', /was restarted since/, 'this is the right box');
  const held = spawn('sleep', ['100000']);
  try {
    kernel.hasGpuHeldBy(held.pid ?? 0);
    await wizard.refuses(
      THERE,
      /did not launch, is still running and holds a GPU/,
      'in a terminal',
    );
  } finally {
    held.kill();
  }
  kernel.isReal();
  await wizard.isFree('Prove it', /was restarted since/);
  await wizard.isFree(THERE, /holds a GPU|Whether anything else/);

  // What it had, and has no more.
  renameSync(home('out'), home('unmounted'));
  await wizard.refuses(
    'Bring it home',
    /is not there, and was when they were brought home. What was brought home is here and proven: 2 files/,
    'If nothing more can come from there, accept that',
  );
  renameSync(home('unmounted'), home('out'));
  await wizard.isFree('Bring it home', /is not there/);
  const state = home('.local/state/leasehold');
  renameSync(join(state, 'runs'), join(state, 'unmounted'));
  await wizard.refuses(
    THERE,
    /1 run that was launched on this box is not there any more/,
    'whether its home folder is mounted',
  );
  renameSync(join(state, 'unmounted'), join(state, 'runs'));
  await wizard.isFree(THERE, /is not there any more/);
  const asks = (proofNeeds: 'hashed' | 'loaded'): Promise<unknown> =>
    page.evaluate(
      (needs) => window.leasehold.call('settings:change', { patch: { proofNeeds: needs } }),
      proofNeeds,
    );
  await asks('loaded');
  await wizard.refuses('Prove it', /not loaded as you ask for/, 'or ask for less under Settings');
  await asks('hashed');
  await wizard.isFree('Prove it', /not loaded as you ask for/);

  const shared = join(here, 'shared');
  mkdirSync(shared);
  kernel.mounts(shared);
  const other = await openLaunchBox('train-b');
  try {
    await addBoxAt(page, other.sshd, other.sshd.port, other.name);
    await nameFolder(page, shared);
    await page.getByRole('navigation').getByText(box.name, { exact: true }).click();
    await wizard.open();
    await wizard.refuses(THERE, /Results of train-b lie on storage/, 'keeps the shared storage');
    // Cells of one sweep on both: nothing of the other box’s has come home.
    await launchSweep(page, 'on both', 'echo {half} >{results}/out');
    for (const each of [box, other]) await nothingRuns(each);
    await page.getByRole('navigation').getByText(box.name, { exact: true }).click();
    await wizard.open();
    await wizard.refuses('Bring it home', /“on both” has 1 cell on another box/, 'wait for');
    await forgetLast(page);
    await wizard.isFree(THERE, /Results of train-b/);
  } finally {
    await closeLaunchBox(other);
  }

  // A sweep on this very box: a queue with a cell that waits, and one that failed.
  await launchSweep(
    page,
    'two cells',
    'until [ -e go ]; do sleep 0.1; done; echo {half} >{results}/out; exit {half}',
  );
  await page.getByRole('navigation').getByText(box.name, { exact: true }).click();
  await wizard.open();
  await wizard.refuses(THERE, /The queue “two cells”/, 'Let the queue finish');
  await wizard.refuses(THERE, /The sweep “two cells”/, 'Run the missing cells');
  writeFileSync(home('go'), '');
  await nothingRuns(box);
  await wizard.isFree(THERE, /is still running/);
  await wizard.refuses(THERE, /The sweep “two cells”/, 'Run the missing cells');

  const runs = home('.local/state/leasehold/runs');
  for (const id of readdirSync(runs)) rmSync(join(runs, id, 'about'), { force: true });
  await wizard.refuses(THERE, /cannot be read: its file “about” is missing/, 'from a terminal');

  // Another machine behind the same address.
  await page.getByRole('button', { name: 'Disconnect' }).first().click();
  await box.sshd.stop();
  const replaced = await startSshd({
    ...{ home: box.home, port: box.sshd.port, keyFile: box.sshd.keyFile },
  });
  try {
    await page.getByRole('button', { name: 'Connect', exact: true }).first().click();
    await page.getByRole('button', { name: /This is a new machine/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill(replaced.fingerprint);
    await dialog.getByRole('button', { name: 'Replace the identity' }).click();
    await expect(page.getByText(/Connected/).first()).toBeVisible();
    await wizard.open();
    await wizard.refuses('Prove it', /has a different host key/, 'this is the right box');

    // The evidence is what all of it rests on.
    const database = openConnection(join(folder, 'leasehold.db'), 10_000);
    database.exec('DROP TRIGGER evidence_stays');
    database.run("UPDATE evidence SET body = body || ' ' WHERE seq = ?", [1]);
    database.close();
    await wizard.refuses('Prove it', /was changed after it was written/, 'from your newest backup');
  } finally {
    await replaced.stop();
  }

  // And of a box that is silent nothing is known.
  await page.getByRole('button', { name: 'Disconnect' }).first().click();
  await wizard.refuses(THERE, /not connected/, 'Connect to the box, and check it again.');
  await step(page, THERE).click();
  await expect(page.getByRole('button', { name: 'Check again' })).toBeDisabled();
});

/** For Leasehold, so many hours from what it is. */
async function setClock(app: ElectronApplication, hours: number): Promise<void> {
  await app.evaluate((_electron, byMs) => {
    const clock = Date as typeof Date & { real?: () => number };
    const real = (clock.real ??= Date.now.bind(Date));
    Date.now = () => real() + byMs;
  }, hours * 3_600_000);
}

/** A folder whose files are to come home. */
async function nameFolder(page: Page, folder: string): Promise<void> {
  const named = await page.evaluate((wanted) => window.leasehold.call('runs:name-folder', wanted), {
    boxId: (await boxIds(page)).at(-1) ?? '',
    folder,
  });
  expect(named).toMatchObject({ ok: true });
}

async function forgetLast(page: Page): Promise<void> {
  const boxId = (await boxIds(page)).at(-1) ?? '';
  const forgotten = await page.evaluate(
    (id) => window.leasehold.call('box:forget', { boxId: id }),
    boxId,
  );
  expect(forgotten).toMatchObject({ ok: true });
}

async function nothingRuns({ home }: LaunchBox): Promise<void> {
  const runs = join(home, '.local/state/leasehold/runs');
  const isOver = () => readdirSync(runs).every((id) => existsSync(join(runs, id, 'end')));
  await expect.poll(isOver).toBe(true);
}

async function launchSweep(page: Page, name: string, command: string): Promise<void> {
  await page.getByRole('navigation').getByRole('button', { name: /Fleet/ }).first().click();
  await page.getByRole('button', { name: 'Sweeps' }).click();
  await page.getByRole('button', { name: 'Launch a sweep…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await dialog.getByLabel('Folder on the boxes').fill('~');
  await dialog.getByLabel('Parameters', { exact: true }).fill('half: 1, 2');
  await dialog.getByLabel('Command of each cell').fill(command);
  await dialog.getByLabel('Name', { exact: true }).press('Control+Enter');
  const launch = dialog.getByRole('button', { name: 'Launch', exact: true });
  await launch.click();
  await expect(page.getByRole('grid', { name: 'Cells' })).toBeVisible();
}
