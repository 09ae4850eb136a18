import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '../fixtures/app.ts';
import { shoot } from '../fixtures/shoot.ts';
import { openShell, runLine, screenText } from '../fixtures/terminal.ts';

// The pictures of docs/results.md that are about folders which no launched run has told of.

test('takes the pictures of folders to bring home', async ({ apps }) => {
  const { app, page } = await apps.start();
  await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.setContentSize(1440, 900),
  );
  const folder = mkdtempSync(join(tmpdir(), 'results-'));
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
  }, folder);
  await openShell(page);
  await runLine(
    page,
    'mkdir -p old/eval; seq 90000 >old/eval/scores.csv; echo 1 >old/a.json; ls old',
  );
  await expect(screenText(page)).toContainText('a.json');
  await page.getByRole('tab', { name: 'Runs' }).click();
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Add a folder to bring home…' }).click();
  await dialog.getByLabel('Folder on the box').fill('~/old');
  await expect(dialog.getByRole('heading', { name: 'Likely places' })).toBeVisible();
  await shoot(page, 'folder-name');
  await dialog.getByRole('button', { name: 'Add the folder' }).click();
  await page.getByRole('button', { name: 'Show files' }).click();
  await expect(page.getByRole('table', { name: 'Files' })).toBeVisible();
  await shoot(page, 'folders');
  rmSync(folder, { recursive: true, force: true });
});
