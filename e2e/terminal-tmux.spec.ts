import type { Page } from '@playwright/test';
import { expectAccessible } from './fixtures/accessibility.ts';
import { expect, startForFile, test } from './fixtures/app.ts';
import { listBoxes } from './fixtures/boxes.ts';
import {
  addShell,
  chooseTerminal,
  openTerminalTab,
  openTmux,
  runLine,
  screenText,
  terminalTab,
} from './fixtures/terminal.ts';

const started = startForFile();

test.beforeEach(() => {
  test.skip(process.platform === 'win32', 'the demo box has no shell there');
});

/** A session that one test leaves on the demo box would be there for the next, too. */
async function killSessions(page: Page): Promise<void> {
  const [demo] = await listBoxes(page);
  const left = await page.evaluate(async (boxId) => {
    const listed = await window.leasehold.call('tmux:list', { boxId });
    if (!listed.ok) return [listed];
    const sessions = listed.value.kind === 'installed' ? listed.value.sessions : [];
    const kills = sessions.map(({ id, createdAtS }) =>
      window.leasehold.call('tmux:kill', { boxId, session: { id, createdAtS } }),
    );
    return (await Promise.all(kills)).filter(({ ok }) => !ok);
  }, demo?.id ?? '');
  expect(left).toEqual([]);
}

async function chooseFault(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('button', { name: /Faults/ }).click();
  await page.getByRole('menuitem', { name }).click();
}

test('a tmux session survives a dropped link, a plain shell says that it did not', async () => {
  const { page, consoleErrors } = await started();
  await openTmux(page);
  await runLine(page, 'KEPT=over-the-drop; echo ready-$((1+1))');
  await expect(screenText(page)).toContainText('ready-2');
  await addShell(page);
  await expect(terminalTab(page, /Shell 1, live/)).toBeVisible();

  await chooseFault(page, /drop/i);
  await expect(page.getByText('Connection lost, and this shell ended with it')).toBeVisible();
  await expect(terminalTab(page, /work, live/)).toBeVisible();
  await page.getByRole('button', { name: 'New shell' }).click();
  await expect(terminalTab(page, /Shell 1, live/)).toBeVisible();
  await runLine(page, 'echo again-$((2+2))');
  await expect(screenText(page)).toContainText('again-4');

  // What was seen of it above may have been from before the drop.
  await terminalTab(page, /work, live/).click();
  await runLine(page, 'echo "<$KEPT>"');
  await expect(screenText(page)).toContainText('<over-the-drop>');
  expect(consoleErrors).toEqual([]);
  await killSessions(page);
});

test('shows the last screen of a lost link and says what happens next', async () => {
  const { page } = await started();
  await openTmux(page);
  await runLine(page, 'echo last-$((3+3))');
  await expect(screenText(page)).toContainText('last-6');
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByText('Connection lost')).toBeVisible();
  await expect(screenText(page)).toContainText('last-6');
  await expectAccessible(page, 'a terminal without its link');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByText('Connection lost')).toBeHidden();
  await expect(terminalTab(page, /work, live/)).toBeVisible();
  await killSessions(page);
});

test('after a reload, tmux sessions are in the list; they are killed only after a question', async () => {
  const { page } = await started();
  await openTmux(page);
  await runLine(page, 'echo mark-$((4+4))');
  await expect(screenText(page)).toContainText('mark-8');
  await page.reload();
  await openTerminalTab(page);
  await expect(screenText(page)).toContainText('mark-8'); // the session of before, and no second one
  await chooseTerminal(page);
  const row = page.getByRole('row', { name: /work/ });
  await expect(row).toHaveCount(1);
  await expectAccessible(page, 'new terminal');
  await row.getByRole('button', { name: 'Attach' }).click();
  // One that is killed while it opens was never attached.
  await expect(terminalTab(page, /work, live/)).toHaveCount(2);
  await expect(screenText(page)).toContainText('mark-8');

  await chooseTerminal(page);
  await row.getByRole('button', { name: 'Kill…' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('work');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(row).toBeVisible();
  await row.getByRole('button', { name: 'Kill…' }).click();
  await dialog.getByRole('button', { name: 'Kill session' }).click();
  await expect(page.getByText('No session runs on this box.')).toBeVisible();
  // The one that the reload attached by itself, and the one from the list.
  await expect(terminalTab(page, /work, ended/)).toHaveCount(2);
});

test('the wheel scrolls in a session that was made here, and types at no prompt of another', async () => {
  const { page } = await started();
  await openTmux(page);
  await runLine(page, 'clear; seq 900 999; echo end-$((1+1))');
  await expect(screenText(page)).toContainText('end-2');
  await page.locator('.xterm-screen').first().hover();
  // tmux takes the first turn for the wish to look back, and scrolls with each that follows.
  for (let turn = 0; turn < 3; turn += 1) await page.mouse.wheel(0, -2000);
  await expect(screenText(page)).not.toContainText('end-2');
  await page.keyboard.press('q');
  await expect(screenText(page)).toContainText('end-2');

  // As in a session of the person's own, whose tmux knows nothing of a mouse.
  await runLine(page, 'tmux set-option mouse off; clear; echo quiet-$((2+2))');
  await expect(screenText(page)).toContainText('quiet-4');
  await page.mouse.wheel(0, -2000);
  await runLine(page, 'echo typed-nothing');
  await expect(screenText(page)).toContainText(/[$#%>] echo typed-nothing/);
  await expect(screenText(page)).not.toContainText('set-option');
  await killSessions(page);
});

test('has at least 28 lines in the smallest window', async () => {
  const { app, page } = await started();
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setSize(1024, 700));
  await openTmux(page);
  const rows = () => screenText(page).evaluate((screen) => screen.childElementCount);
  await expect.poll(rows).toBeGreaterThanOrEqual(28);
  const cards = page.getByRole('region', { name: 'Danger clock' }).locator('..');
  const strip = await cards.boundingBox();
  expect(strip?.height ?? 99).toBeLessThanOrEqual(36);
  await killSessions(page);
});
