import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CDPSession, Locator, Page } from '@playwright/test';
import { hasSshd } from '../src/main/ssh/sshd.fixture.ts';
import { expectAccessible } from './fixtures/accessibility.ts';
import { expect, startForFile, test } from './fixtures/app.ts';
import { addRealBox } from './fixtures/real-box.ts';

const started = startForFile({ hasDemo: false });

// The files of a box over a real sshd, as a person with a keyboard and one with a mouse look at them.

const SFTP = { configLines: ['Subsystem sftp internal-sftp'] };

const GIF = 'R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUQAOw==';

test.skip(!hasSshd, 'needs OpenSSH’s server');

let folder: string;
test.beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'leasehold-box-'))));
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Goes to a folder by its path, as a person types it. */
async function goTo(page: Page, path: string): Promise<void> {
  await page.getByRole('button', { name: 'Go to a folder…' }).click();
  await page.getByLabel('Path', { exact: true }).fill(path);
  await page.keyboard.press('Enter');
  await expect(entriesOf(page, path)).toBeFocused();
}

const entriesOf = (page: Page, path: string) =>
  page.getByRole('grid', { name: `Entries of ${path}`, exact: true });

/** As the desktop does it: with the mouse, and a file that lies on this computer. One session has all of a test's drops. */
async function drop(page: Page, session: CDPSession, onto: Locator, file: string): Promise<void> {
  const { x, y } = await onto.boundingBox().then((box) => box ?? { x: 0, y: 0 });
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  const at = { x: x + 40, y: y + 12, data };
  const hint = page.getByText(/^Drop to upload into/);
  await session.send('Input.dispatchDragEvent', { type: 'dragEnter', ...at });
  // The desktop says where the pointer is for as long as the button is held: what is taken only a moment later is taken, too.
  await expect(async () => {
    await session.send('Input.dispatchDragEvent', { type: 'dragOver', ...at });
    await expect(hint).toBeVisible({ timeout: 500 });
  }).toPass();
  await session.send('Input.dispatchDragEvent', { type: 'drop', ...at });
  await expect(hint).toHaveCount(0);
}

/** The list that is there goes, and comes again with what an act has changed. Who takes hold of a row before that holds nothing. */
async function untilListedAgain(page: Page, act: () => Promise<void>): Promise<void> {
  const before = await page.getByRole('grid').elementHandle();
  await act();
  await expect.poll(() => before?.evaluate(({ isConnected }) => isConnected)).toBe(false);
  await expect(page.getByRole('grid')).toBeVisible();
}

const names = (page: Page) =>
  page
    .locator('[role=grid] tbody tr[id] td:first-child')
    // A long one is there whole for whoever has it read aloud.
    .evaluateAll((cells) =>
      cells.map(
        (cell) => (cell.querySelector('.sr-only') ?? cell.querySelector('.mono'))?.textContent,
      ),
    );

test('a folder is listed, sorted, entered and left by keyboard and by mouse', async () => {
  mkdirSync(join(folder, 'runs/seed-0'), { recursive: true });
  for (const step of [9, 10])
    writeFileSync(join(folder, `step-${String(step)}.pt`), 'x'.repeat(step));
  writeFileSync(join(folder, '.hidden'), '');
  writeFileSync(join(folder, 'two\nlines'), 'hostile');
  symlinkSync('runs', join(folder, 'latest'));
  symlinkSync('nowhere', join(folder, 'zz-broken'));
  utimesSync(join(folder, 'step-9.pt'), 1, 1);
  const { page, consoleErrors } = await started();
  const sshd = await addRealBox(page, SFTP);
  await page.getByRole('tab', { name: 'Files' }).click();
  await expect(page.getByRole('grid')).toBeVisible();
  await goTo(page, folder);
  const shown = ['runs', 'latest', 'step-9.pt', 'step-10.pt', 'two<U+000A>lines', 'zz-broken'];
  await expect.poll(() => names(page)).toEqual(shown);
  await expect(page.getByRole('row', { name: /latest/ })).toContainText('Link to a folder');
  await expect(page.getByRole('row', { name: /zz-broken/ })).toContainText('Broken link');
  await expectAccessible(page, 'files of a box');

  await page.getByRole('button', { name: 'Hidden files' }).click();
  await expect.poll(() => names(page)).toContain('.hidden');
  await page.getByRole('button', { name: 'Changed' }).click();
  await expect.poll(async () => (await names(page)).indexOf('step-9.pt')).toBe(1);

  // Several by keyboard, with one between them left out.
  await entriesOf(page, folder).focus();
  for (const key of ['Home', 'Control+ArrowDown', 'Control+ArrowDown', 'Control+Space']) {
    await page.keyboard.press(key);
  }
  await expect(page.locator('[role=grid] [aria-selected=true]')).toHaveCount(2);
  await expect(page.getByText(/^2 chosen/)).toBeVisible();

  // By keyboard: into a folder, into an empty one, and back to where one came from.
  await entriesOf(page, folder).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(entriesOf(page, join(folder, 'runs'))).toBeFocused();
  await page.keyboard.press('s');
  await page.keyboard.press('Enter');
  await expect(page.getByText('This folder is empty')).toBeVisible();
  await expectAccessible(page, 'an empty folder');
  await page.keyboard.press('Backspace');
  await expect(page.getByRole('row', { name: /seed-0/ })).toHaveAttribute('aria-selected', 'true');

  // By mouse: up by the way that is shown, and into a link.
  await page
    .getByRole('navigation', { name: 'Folder' })
    .getByRole('button', { name: folder.split('/').at(-1) as string })
    .click();
  await page.getByRole('row', { name: /latest/ }).dblclick();
  await expect(entriesOf(page, join(folder, 'latest'))).toBeVisible();
  await expect.poll(() => names(page)).toEqual(['seed-0']);

  // By name, in all that the folder holds: found, opened, and shown where it lies.
  writeFileSync(join(folder, 'runs/seed-0/Best.ckpt'), 'x');
  await goTo(page, folder);
  await page.keyboard.press('/');
  await page.keyboard.type('best');
  await page.keyboard.press('Enter');
  const found = page.getByRole('grid', { name: `Found in ${folder} by “best”`, exact: true });
  await expect(found).toBeFocused();
  await expect.poll(() => names(page)).toEqual(['runs/seed-0/Best.ckpt']);
  await expect(page.getByText('1 found')).toBeVisible();
  await expectAccessible(page, 'what a search found');
  await page.keyboard.press('Home');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('row', { name: /Best\.ckpt/ })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await expect(entriesOf(page, join(folder, 'runs/seed-0'))).toBeFocused();
  await page.getByLabel('Search by name in this folder').fill('*.none');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No such name in this folder')).toBeVisible();
  await page.keyboard.press('Backspace');
  await expect(entriesOf(page, join(folder, 'runs/seed-0'))).toBeFocused();
  expect(consoleErrors).toEqual([]);
  await sshd.stop();
});

test('a file is looked into, renamed by its key, and a folder made from the menu', async () => {
  writeFileSync(join(folder, 'train.log'), 'epoch 1\n\u001b[31mloss 1.7\n');
  writeFileSync(join(folder, 'chart.gif'), Buffer.from(GIF, 'base64'));
  const { page, consoleErrors } = await started();
  const sshd = await addRealBox(page, SFTP);
  await page.getByRole('tab', { name: 'Files' }).click();
  await expect(page.getByRole('grid')).toBeVisible();
  await goTo(page, folder);
  await page.keyboard.press('t');
  await page.keyboard.press('Enter');
  const preview = page.getByRole('complementary', { name: /^Preview of/ });
  await expect(preview).toContainText('<ESC>[31mloss 1.7');
  await expectAccessible(page, 'the preview of a text');
  await page.getByRole('row', { name: /chart\.gif/ }).dblclick();
  await expect(preview).toContainText('1 × 1 pixels');
  const isDrawn = (): Promise<boolean> =>
    preview.getByRole('img', { name: 'chart.gif' }).evaluate((canvas: HTMLCanvasElement) => {
      const { width, height } = canvas;
      const [, , , opacity = 0] = canvas.getContext('2d')?.getImageData(0, 0, 1, 1).data ?? [];
      return width === 1 && height === 1 && opacity > 0;
    });
  await expect.poll(isDrawn).toBe(true);

  await page.keyboard.press('F2');
  await page.getByLabel('Name', { exact: true }).fill('first.gif');
  await expectAccessible(page, 'another name for a file');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row', { name: /first\.gif/ })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  expect(existsSync(join(folder, 'first.gif'))).toBe(true);

  await page.getByRole('row', { name: /train\.log/ }).click({ button: 'right' });
  await expectAccessible(page, 'what can be done with a file');
  await page.getByRole('menuitem', { name: 'New folder…' }).click();
  await page.getByLabel('Name', { exact: true }).fill('kept');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row', { name: /kept/ })).toHaveAttribute('aria-selected', 'true');
  expect(statSync(join(folder, 'kept')).isDirectory()).toBe(true);
  expect(consoleErrors).toEqual([]);
  await sshd.stop();
});

test('files are downloaded, uploaded and deleted', async () => {
  mkdirSync(join(folder, 'old/deep'), { recursive: true });
  writeFileSync(join(folder, 'old/deep/a.txt'), 'aaa');
  const here = mkdtempSync(join(tmpdir(), 'leasehold-here-'));
  writeFileSync(join(here, 'mine.py'), 'print(1)');
  const { app, page, consoleErrors } = await started();
  const sshd = await addRealBox(page, SFTP);
  await app.evaluate(({ dialog }, at) => {
    dialog.showOpenDialog = (...args: unknown[]) => {
      const { properties } = args.at(-1) as { properties: readonly string[] };
      const isFolder = properties.includes('openDirectory');
      return Promise.resolve({ canceled: false, filePaths: [isFolder ? at : `${at}/mine.py`] });
    };
  }, here);
  await page.getByRole('tab', { name: 'Files' }).click();
  await expect(page.getByRole('grid')).toBeVisible();
  await goTo(page, folder);
  await page.getByRole('row', { name: /^old/ }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Download…' }).click();
  await expect(page.getByText(/1 file, 3.B, copied to/)).toBeVisible();
  expect(readFileSync(join(here, 'old/deep/a.txt'), 'utf8')).toBe('aaa');

  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Files…' }).click();
  await expect(page.getByRole('row', { name: /mine\.py/ })).toBeVisible();
  await expect.poll(() => readFileSync(join(folder, 'mine.py'), 'utf8')).toBe('print(1)');
  await expectAccessible(page, 'what came of an upload');

  // From the desktop onto the row of a folder, and a folder onto the list: each only once the person has seen what goes.
  const asked = await app.evaluateHandle(({ dialog }) => {
    const questions: string[] = [];
    dialog.showMessageBox = (...args: unknown[]) => {
      questions.push((args.at(-1) as { detail: string }).detail);
      return Promise.resolve({ response: 1, checkboxChecked: false });
    };
    return questions;
  });
  mkdirSync(join(here, 'configs'));
  writeFileSync(join(here, 'configs/base.yaml'), 'lr: 3e-4');
  const session = await page.context().newCDPSession(page);
  await untilListedAgain(page, () =>
    drop(page, session, page.getByRole('row', { name: /^old/ }), join(here, 'mine.py')),
  );
  await expect(page.getByText(`copied to ${join(folder, 'old')}.`)).toBeVisible();
  expect(existsSync(join(folder, 'old/mine.py'))).toBe(true);
  await untilListedAgain(page, () =>
    drop(page, session, page.getByRole('row', { name: /mine\.py/ }), join(here, 'configs')),
  );
  await expect(page.getByRole('row', { name: /configs/ })).toBeVisible();
  // Until it is told what came of the upload, nothing else is begun, and a drag out of the window is.
  await expect(page.getByText(`copied to ${folder}.`)).toBeVisible();
  expect(existsSync(join(folder, 'configs/base.yaml'))).toBe(true);
  const [first, second] = await asked.evaluate((questions) => questions);
  expect(first).toContain(`${join(here, 'mine.py')}\n\nInto ${join(folder, 'old')}.`);
  expect(second).toContain(`${join(here, 'configs')}\n\nInto ${folder}.`);
  rmSync(join(folder, 'old/mine.py'));

  // Out of the window: what is dragged is brought first, and handed to the system while the button is held.
  const taken = await app.evaluateHandle(({ BrowserWindow }) => {
    const files: string[] = [];
    const [window] = BrowserWindow.getAllWindows();
    if (window !== undefined) window.webContents.startDrag = (item) => void files.push(item.file);
    return files;
  });
  await page.getByRole('row', { name: /^old/ }).hover();
  await page.mouse.down();
  await page.mouse.move(2, 2, { steps: 5 });
  await expect.poll(() => taken.evaluate((files) => files.length)).toBe(1);
  await page.mouse.up();
  const [held = ''] = await taken.evaluate((files) => files);
  expect(readFileSync(join(held, 'deep/a.txt'), 'utf8')).toBe('aaa');
  await expect(page.getByRole('row', { name: /^old/ })).toHaveAttribute('aria-selected', 'true');

  // As long as the window has not heard what came of the drag, no key begins anything.
  await expect(page.getByRole('button', { name: 'Upload', exact: true })).toBeEnabled();
  await page.getByRole('row', { name: /^old/ }).click();
  await page.keyboard.press('Delete');
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText(/1 file of 3.B, 2 folders\./);
  await expectAccessible(page, 'the question before deleting');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('3 entries deleted.')).toBeVisible();
  await expect(page.getByRole('row', { name: /^old/ })).toHaveCount(0);
  expect(existsSync(join(folder, 'old'))).toBe(false);
  expect(consoleErrors).toEqual([]);
  rmSync(here, { recursive: true });
  await sshd.stop();
});

test('what cannot be listed says why, and leads out again', async () => {
  const { page } = await started();
  const sshd = await addRealBox(page, SFTP);
  await page.getByRole('tab', { name: 'Files' }).click();
  await expect(page.getByRole('grid')).toBeVisible();
  await page.getByRole('button', { name: 'Go to a folder…' }).click();
  await page.getByLabel('Path', { exact: true }).fill(join(folder, 'none'));
  await page.keyboard.press('Enter');
  await expect(page.getByText(/“.*none” is not on the box\./)).toBeVisible();
  await expectAccessible(page, 'a folder that is not there');
  await page.getByRole('button', { name: 'Up one folder' }).last().click();
  await expect(entriesOf(page, folder)).toBeVisible();
  await sshd.stop();
});

test('a box without SFTP says so, and what to do', async () => {
  const { page } = await started();
  const sshd = await addRealBox(page);
  await page.getByRole('tab', { name: 'Files' }).click();
  await expect(page.getByText('The box has no SFTP.')).toBeVisible();
  await expect(page.getByText(/have SFTP switched on/)).toBeVisible();
  await sshd.stop();
});

test('the tree of folders is walked by keyboard, beside the list', async () => {
  for (const path of ['trainings/seed-0', 'trainings/seed-1', 'corpus/train'])
    mkdirSync(join(folder, path), { recursive: true });
  const { app, page, consoleErrors } = await started();
  await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.setContentSize(1440, 900),
  );
  const sshd = await addRealBox(page, SFTP);
  await page.getByRole('tab', { name: 'Files' }).click();
  await goTo(page, join(folder, 'corpus'));
  const tree = page.getByRole('tree', { name: 'Folders' });
  const item = (name: string) => tree.getByRole('treeitem', { name, exact: true });
  // The way to the folder that is listed is open.
  await expect(item('corpus')).toHaveAttribute('aria-selected', 'true');
  await expect(item('trainings')).toHaveAttribute('aria-expanded', 'false');

  await page.keyboard.press('Shift+Tab');
  while (!(await tree.evaluate((element) => element === document.activeElement)))
    await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await expect(item('seed-1')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('seed-1');
  // Walking shows nothing else yet.
  await expect(entriesOf(page, join(folder, 'corpus'))).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(entriesOf(page, join(folder, 'trainings/seed-1'))).toBeVisible();
  await expect(tree).toBeFocused();
  await expect(item('seed-1')).toHaveAttribute('aria-selected', 'true');
  await expectAccessible(page, 'the tree of folders');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(item('trainings')).toHaveAttribute('aria-expanded', 'false');
  await item('trainings').getByText('trainings').click();
  await expect(entriesOf(page, join(folder, 'trainings'))).toBeVisible();

  await page.getByRole('button', { name: 'Folder tree' }).click();
  await expect(tree).toHaveCount(0);
  expect(consoleErrors).toEqual([]);
  await sshd.stop();
});
