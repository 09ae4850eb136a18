import {
  appendFileSync,
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
import { expectAccessible } from './fixtures/accessibility.ts';
import { expect, test as base } from './fixtures/app.ts';
import { closeLaunchBox, openLaunchBox, type LaunchBox } from './fixtures/launch-box.ts';
import { addBoxAt } from './fixtures/real-box.ts';

const test = base.extend<{ box: LaunchBox }>({
  box: async ({}, use) => {
    const box = await openLaunchBox('train-a');
    await use(box);
    await closeLaunchBox(box);
  },
});

test.use({ hasDemo: false });

test('new results of a run come home by themselves, also after the app was killed', async ({
  apps,
  box: { home, sshd },
}) => {
  const out = join(home, 'out');
  mkdirSync(out);
  const leave = (name: string, text: string): void => writeFileSync(join(out, name), text);
  leave('metrics.csv', 'step,loss\n1,0.9\n');
  leave('best.pt', 'the first best');
  // Electron has a meaning of its own for such a name.
  leave('viewer.asar', 'no archive');
  const results = mkdtempSync(join(tmpdir(), 'leasehold-results-'));
  const here = (name: string): string => readFileSync(join(results, name), 'utf8');
  const first = await apps.start();
  await first.app.evaluate(({ dialog: system }, folder) => {
    system.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [folder] });
  }, results);
  const { page } = first;
  await addBoxAt(page, sshd);
  await page.getByRole('button', { name: 'Launch…' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('a long one');
  await dialog.getByLabel('Folder on the box').fill('~');
  await dialog
    .getByLabel('Command', { exact: true })
    .fill('for i in $(seq 3000); do [ -e go ] && break; sleep 0.2; done; echo last >out/last.txt');
  await dialog.getByLabel('Results folder').fill('out');
  await page.keyboard.press('Control+Enter');
  await dialog.getByRole('button', { name: 'Launch', exact: true }).click();

  await page.getByRole('button', { name: 'Show results' }).click();
  await page.getByRole('button', { name: 'Keep bringing…' }).click();
  await expect(dialog).toContainText(results);
  await expect(dialog).toContainText('3 files');
  await dialog.getByLabel('At most', { exact: true }).selectOption('20 MB/s');
  await expectAccessible(page, 'what would come by itself');
  await dialog.getByRole('button', { name: 'Switch on' }).click();
  const line = page.getByRole('region', { name: 'New results by themselves' });
  await expect(line).toContainText('at most 20 MB/s');
  await expect(line).toContainText(/brought 3 files/);
  await expectAccessible(page, 'new results that come by themselves');
  expect(here('best.pt')).toBe('the first best');
  expect(here('viewer.asar')).toBe('no archive');

  const main = first.app.process();
  const gone = once(main, 'exit');
  main.kill('SIGKILL');
  await gone;
  appendFileSync(join(out, 'metrics.csv'), '2,0.8\n');
  leave('best.pt', 'a better one');
  const again = await apps.start({ folder: first.folder });
  await again.page.getByRole('navigation').getByText('real', { exact: true }).click();
  await expect(again.page.getByText(/Connected/).first()).toBeVisible();
  await again.page.getByRole('tab', { name: 'Runs' }).click();
  await again.page.getByRole('button', { name: 'a long one' }).click();
  await again.page.getByRole('button', { name: 'Show results' }).click();
  const kept = again.page.getByRole('region', { name: 'New results by themselves' });
  await expect(kept).toContainText('next in');
  await kept.getByRole('button', { name: 'Check now' }).click();
  await expect(kept).toContainText('1 earlier copy kept');
  expect(here('metrics.csv')).toBe('step,loss\n1,0.9\n2,0.8\n');
  expect(here('best.pt')).toBe('a better one');
  const earlier = readdirSync(join(results, '.leasehold-earlier'));
  expect(here(join('.leasehold-earlier', earlier[0] ?? '', 'best.pt'))).toBe('the first best');

  // What it leaves when it ends is not waited for.
  writeFileSync(join(home, 'go'), '');
  await expect.poll(() => existsSync(join(results, 'last.txt')), { timeout: 90_000 }).toBe(true);
  await kept.getByRole('button', { name: 'Switch off' }).click();
  await expect(again.page.getByRole('button', { name: 'Keep bringing…' })).toBeVisible();
  expect(again.consoleErrors).toEqual([]);
  rmSync(results, { recursive: true });
});
