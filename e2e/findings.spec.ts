import { expectAccessible } from './fixtures/accessibility.ts';
import { expect, test } from './fixtures/app.ts';
import { screenText } from './fixtures/terminal.ts';

/** A mean over 30 s must fall, and the fall must hold for 10 s. */
const FOUND_WITHIN_MS = 90_000;

const HELD = /^GPU 0 is held (at|below)/;

test('a throttled card is told in alerts, card, rail and fleet table @waits', async ({ apps }) => {
  const { page, consoleErrors } = await apps.start();
  await expect(page.getByText(/Connected/).first()).toBeVisible();
  await page.getByRole('tab', { name: /^Alerts/ }).click();
  const panel = page.getByRole('tabpanel');
  // Before the faults: what was looked at is said, and what was not.
  await expect(panel.getByRole('article', { name: /^GPU 1 may draw/ })).toBeVisible({
    timeout: FOUND_WITHIN_MS,
  });
  await expect(panel.getByText(/checks? couldn’t run/)).toBeVisible();
  await expectAccessible(page, 'alerts with a note');

  const answer = await page.evaluate(() =>
    window.leasehold.call('demo:set-fault', { fault: 'throttle', isOn: true }),
  );
  expect(answer).toEqual({ ok: true, value: null });
  const finding = panel.getByRole('article', { name: HELD });
  await expect(finding).toBeVisible({ timeout: FOUND_WITHIN_MS });
  await expect(finding).toContainText('U23');
  await expect(page.getByRole('tab', { name: /^Alerts/ })).toContainText('2');
  await expect(page.getByRole('region', { name: 'Alerts' })).toContainText(
    /GPU 0 is held (at|below)/,
  );
  await expect(
    page.getByRole('navigation', { name: 'Boxes' }).getByText('throttled'),
  ).toBeVisible();
  await finding.getByText('Clues').focus();
  await page.keyboard.press('Enter');
  await expect(finding.getByText('SM clock', { exact: true })).toBeVisible();
  await expectAccessible(page, 'alerts with a finding');

  // Put off, it is kept and counts no more; taken back, it does.
  await finding.getByRole('button', { name: 'Snooze…' }).press('Enter');
  await expectAccessible(page, 'putting an alert off');
  await page.getByRole('menuitem', { name: '8 hours' }).press('Enter');
  await expect(finding).toContainText('Snoozed until');
  await expect(page.getByRole('tab', { name: /^Alerts/ })).toContainText('1');
  await finding.getByRole('button', { name: 'End snooze' }).press('Enter');
  await expect(page.getByRole('tab', { name: /^Alerts/ })).toContainText('2');

  await page.getByRole('button', { name: 'Fleet' }).click();
  const cell = page.getByRole('grid', { name: 'Boxes' }).getByRole('button', { name: /throttled/ });
  await expect(cell).toContainText('GPU 0');
  await expectAccessible(page, 'fleet with a finding');
  await cell.press('Enter');
  await expect(finding).toBeVisible();

  // A command stands at a shell's prompt and is not run.
  await finding.getByRole('button', { name: /terminal: nvidia-smi -q -d PERFORMANCE$/ }).click();
  await expect(screenText(page)).toHaveText(/[$#%>]\s*nvidia-smi -q -d PERFORMANCE\s*$/);

  // What only the patrol can see is told in the same place.
  await page.getByRole('tab', { name: 'Runs' }).click();
  const checkNow = panel.getByRole('button', { name: 'Check now' });
  // A check that is under way, which may have passed by the disk already, would be the answer.
  await expect(checkNow).toBeVisible();
  await page.evaluate(() =>
    window.leasehold.call('demo:set-fault', { fault: 'disk-full', isOn: true }),
  );
  await checkNow.click();
  await page.getByRole('tab', { name: /^Alerts/ }).click();
  const full = panel.getByRole('article', { name: /home is full\.$/ });
  await expect(full).toContainText('U6');
  await expect(page.getByRole('tab', { name: /^Alerts/ })).toContainText(/[2-5]/);
  expect(consoleErrors).toEqual([]);
});
