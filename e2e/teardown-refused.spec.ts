import { spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication, Locator, Page } from '@playwright/test';
import { startSshd } from '../src/main/ssh/sshd.fixture.ts';
import { openConnection } from '../src/main/storage/connection.ts';
import type { TeardownView } from '../src/shared/teardown/teardown-view.ts';
import { expect } from './fixtures/app.ts';
import { closeLaunchBox, openLaunchBox, type LaunchBox } from './fixtures/launch-box.ts';
import { test as base } from './fixtures/own-key-box.ts';
import { addBoxAt } from './fixtures/real-box.ts';
import { answerDialogs, launchHere, step } from './fixtures/teardown-steps.ts';

/** What the box’s kernel says of itself, which a test may replace. */
class Kernel {
  readonly #folder: string;
  readonly env: Readonly<Record<string, string>>;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder);
    const [table, mounts] = [join(folder, 'proc'), join(folder, 'mountinfo')];
    symlinkSync('/proc', table);
    writeFileSync(mounts, readFileSync('/proc/self/mountinfo'));
    this.env = {
      ...{ LEASEHOLD_PROC_ROOT: table, LEASEHOLD_MOUNTINFO: mounts },
      // Runs are looked up where they are: a box that hides those is not looked at at all.
      LEASEHOLD_RUN_PROC_ROOT: '/proc',
    };
  }

  /** As it is. */
  isReal(): void {
    this.#shows('/proc');
  }

  /** Of a machine that was started anew, and runs more than one look tells. */
  isNew(): void {
    const shown = this.#copyBut((name) => name === 'sys' || /^\d+$/.test(name));
    mkdirSync(join(shown, 'sys/kernel/random'), { recursive: true });
    const boot = '5f1d7a52-3c0e-4a5b-9d2f-0b8f6f2f6a11\n';
    writeFileSync(join(shown, 'sys/kernel/random/boot_id'), boot);
    for (let pid = 1; pid <= 2100; pid += 1) {
      mkdirSync(join(shown, String(pid)));
      const stat = `${String(pid)} (job) S ${['0', ...Array<string>(48).fill('1')].join(' ')}\n`;
      writeFileSync(join(shown, String(pid), 'stat'), stat);
    }
    this.#shows(shown);
  }

  /** A card is held by this process. */
  hasGpuHeldBy(pid: number): void {
    const own = String(pid);
    const shown = this.#copyBut((name) => name === own);
    mkdirSync(join(shown, own, 'fd'), { recursive: true });
    symlinkSync('/dev/nvidia0', join(shown, own, 'fd/3'));
    for (const name of ['stat', 'status', 'cmdline', 'exe', 'cwd']) {
      symlinkSync(join('/proc', own, name), join(shown, own, name));
    }
    this.#shows(shown);
  }

  /** This folder lies on a server that other machines mount as well. */
  mounts(folder: string): void {
    const line = `9001 1 0:999 / ${folder} rw,relatime - nfs4 nas:/shared rw\n`;
    appendFileSync(join(this.#folder, 'mountinfo'), line);
  }

  /** With links to what is real, and room for the rest. */
  #copyBut(isOwn: (name: string) => boolean): string {
    const copy = mkdtempSync(join(this.#folder, 'copy-'));
    for (const name of readdirSync('/proc')) {
      if (!isOwn(name)) symlinkSync(join('/proc', name), join(copy, name));
    }
    return copy;
  }

  #shows(folder: string): void {
    rmSync(join(this.#folder, 'proc'));
    symlinkSync(folder, join(this.#folder, 'proc'));
  }
}

const test = base.extend<{ kernel: Kernel }>({
  kernel: async ({ here }, use) => use(new Kernel(join(here, 'kernel'))),
  box: async ({ keyFile, kernel }, use) => {
    const box = await openLaunchBox('train-a', () => ({ keyFile, env: kernel.env }));
    await use(box);
    await closeLaunchBox(box);
  },
});

test.use({ hasDemo: false });

const VERB = 'provider stop or destroy';

/** The box that is open, as main knows it. */
class Wizard {
  readonly page: Page;
  #boxId = '';

  constructor(page: Page) {
    this.page = page;
  }

  async open(): Promise<void> {
    await this.page.getByRole('tab', { name: 'Teardown' }).click();
    this.#boxId = (await boxIds(this.page))[0] ?? '';
  }

  /** Answers once the look is over. */
  async check(): Promise<void> {
    const boxId = this.#boxId;
    const looked = await this.page.evaluate(
      (id) => window.leasehold.call('teardown:inspect', { boxId: id }),
      boxId,
    );
    expect(looked).toEqual({ ok: true, value: null });
  }

  item(says: RegExp): Locator {
    return this.page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: says });
  }

  /** After a look the wizard says this and what to do about it, and takes no yes; nor does main, which does not take the window's word for it. */
  async refuses(at: string, says: RegExp, way: string | RegExp): Promise<void> {
    await this.check();
    await step(this.page, at).click();
    await expect(this.item(says).first()).toContainText(way);
    await step(this.page, 'Say yes').click();
    await expect(this.page.getByLabel('Type “train-a” to approve')).toBeDisabled();
    const said = await this.page.evaluate(
      async ([boxId, verb]) => {
        const opened = await window.leasehold.call('stream:open', { stream: 'teardowns', key: '' });
        if (!opened.ok) throw new Error(opened.error.message);
        const { boxes } = opened.value.state as { boxes: Record<string, TeardownView> };
        const gate = boxes[boxId]?.gate;
        const digest = gate?.kind === 'shut' ? (gate.inspection?.digest ?? '') : '';
        const yes = { boxId, verb, digest, typed: 'train-a' };
        const answers = [
          await window.leasehold.call('teardown:approve', yes),
          await window.leasehold.call('teardown:begin', { boxId }),
        ];
        return answers.map((answer) => (answer.ok ? 'done' : answer.error.message));
      },
      [this.#boxId, VERB] as const,
    );
    expect(said).toEqual([
      'Something has to be settled before this box can be ended.',
      'Ending this box has not been approved.',
    ]);
  }

  /** What was in the way is not any more. */
  async isFree(at: string, says: RegExp): Promise<void> {
    await this.check();
    await step(this.page, at).click();
    await expect(this.item(says)).toHaveCount(0);
  }

  async bringHome(): Promise<void> {
    const { page } = this;
    await step(page, 'Bring it home').click();
    await page.getByRole('button', { name: 'Bring home…' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Bring home \d/ })
      .click();
    await expect(step(page, 'Bring it home')).toContainText('Nothing is missing');
  }

  async prove(): Promise<void> {
    await step(this.page, 'Prove it').click();
    await this.page.getByRole('button', { name: 'Read the copies again' }).click();
    await expect(this.page.getByRole('button', { name: 'Read the copies again' })).toBeEnabled();
    await expect(this.item(/have to be read again/)).toHaveCount(0);
  }
}

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
  await wizard.bringHome();
  await wizard.refuses(THERE, /not known to be uploaded/, 'wandb sync');
  await wizard.refuses('Prove it', /cannot be loaded/, 'accept it on the page of its run');
  rmSync(home('out/wandb'), { recursive: true });
  rmSync(home('out/model.safetensors'));
  await wizard.isFree('Prove it', /cannot be loaded/);
  await wizard.isFree(THERE, /not known to be uploaded/);
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
  await step(page, 'Say yes').click();
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
    await expect(page.getByText(/Link up/).first()).toBeVisible();
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

/** Of all boxes, as they came. */
async function boxIds(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const opened = await window.leasehold.call('stream:open', { stream: 'fleet', key: '' });
    if (!opened.ok) throw new Error(opened.error.message);
    const { entries } = opened.value.state as { entries: readonly { box: { id: string } }[] };
    return entries.map(({ box }) => box.id);
  });
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
