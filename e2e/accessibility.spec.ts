import { expectAccessibleInBothSizes } from './fixtures/accessibility.ts';
import { expect, test } from './fixtures/app.ts';
import { addBoxWithKey } from './fixtures/real-box.ts';

const TABS = ['Overview', 'Runs', 'Tunnels', 'Terminal', 'Files', 'Alerts', 'Teardown', 'Facts'];

test('every screen, dark and light, in the usual window and the smallest', async ({ apps }) => {
  // Each of its screens is judged four times.
  test.slow();
  const started = await apps.start();
  const { page } = started;
  await expect(page.getByText(/Connected/).first()).toBeVisible();
  for (const tab of TABS) {
    await page.getByRole('tab', { name: tab }).click();
    await expect(page.getByRole('tabpanel')).toBeVisible();
    await expectAccessibleInBothSizes(started, tab);
  }
  await page.getByRole('tab', { name: 'Runs' }).click();
  await page.getByRole('button', { name: 'New watch…' }).click();
  // The first choice where a patrol has seen the run already is that run.
  await page.getByLabel('Tell me when', { exact: true }).selectOption('file');
  await page.getByLabel('File or folder on the box').fill('/never/there');
  await expectAccessibleInBothSizes(started, 'what is waited for');
  await page.getByRole('button', { name: 'Tell me', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Active watches' })).toContainText('not there');
  await expectAccessibleInBothSizes(started, 'a sentinel');
  const danger = page.getByRole('region', { name: 'Danger clock' });
  await danger.getByRole('button', { name: /^(Add a deadline…|1 timer|All \d+ timers)$/ }).click();
  await page.getByRole('button', { name: 'Set a clock of your own…' }).click();
  await page.getByLabel('What happens then').fill('the paper is due');
  await page.getByRole('button', { name: 'Set this clock' }).click();
  await expect(page.getByRole('list', { name: 'Clocks' })).toContainText('the paper is due');
  await expectAccessibleInBothSizes(started, 'clocks');
  await page.keyboard.press('Escape');
  await expect(danger).toContainText(/the paper is due 23 h \d+ min left/);
  await page.getByRole('button', { name: 'Timeline' }).click();
  await expect(page.getByRole('table')).toContainText('the paper is due');
  await expectAccessibleInBothSizes(started, 'timeline');
  await page.getByRole('navigation').getByRole('button', { name: /demo/ }).click();
  const cost = page.getByRole('region', { name: 'Cost meter' });
  await cost.getByRole('button', { name: 'Details' }).click();
  await page.getByRole('button', { name: 'Set price…' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessibleInBothSizes(started, 'price');
  await page.getByRole('textbox', { name: 'Price per hour' }).fill('2.49');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('table', { name: 'Ledger' })).toBeVisible();
  // What the link itself has brought meanwhile (U14).
  await expect(page.getByRole('region', { name: 'Bytes out of the box' })).toContainText(/\d\skB/);
  await expectAccessibleInBothSizes(started, 'costs of a box');
  // The demo box is in no sum, so the page of all costs needs a box that is.
  await addBoxWithKey(page, 'far', { port: 1, user: 'root', keyFile: '/nowhere' });
  await page.getByRole('button', { name: 'Spend' }).click();
  const sums = page.getByRole('table', { name: /Costs by/ });
  await expect(sums).toContainText('far');
  await expect(sums).not.toContainText('demo');
  await expectAccessibleInBothSizes(started, 'costs');
  await page.getByRole('button', { name: 'Fleet' }).click();
  await expect(page.getByRole('grid', { name: 'Boxes' })).toContainText('$2.50/h');
  await expectAccessibleInBothSizes(started, 'fleet');

  await page.getByRole('button', { name: 'Facts', exact: true }).click();
  await expect(page.getByRole('rowheader', { name: 'RunPod Pods' })).toBeVisible();
  await expectAccessibleInBothSizes(started, 'facts about platforms');

  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
  await expectAccessibleInBothSizes(started, 'settings');

  await page.keyboard.press('F1');
  await page.getByRole('button', { name: /Xid 48 or 79/ }).click();
  await expect(page.getByRole('article', { name: /Xid 48 or 79/ })).toBeVisible();
  await expectAccessibleInBothSizes(started, 'handbook');

  await page.getByRole('button', { name: 'New entry' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('The lease is lost');
  await page.getByRole('textbox', { name: 'What you see' }).fill('The worker hangs.');
  await page.getByRole('textbox', { name: 'Why' }).fill('The broker restarts every night.');
  await page.getByRole('textbox', { name: 'What to do' }).fill('Start the worker again');
  await page.getByRole('radiogroup', { name: 'Is the cause known?' }).getByText('Yes').click();
  await page.getByRole('radiogroup', { name: 'Did it happen' }).getByText('Yes').click();
  await page.getByRole('radiogroup', { name: 'Can it happen' }).getByText('Yes').click();
  await expectAccessibleInBothSizes(started, 'an entry of one’s own');
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect(page.getByLabel('What is written')).toContainText('id: OWN1');
  await page.getByRole('button', { name: 'Keep entry' }).click();
  await expect(page.getByRole('article', { name: 'The lease is lost' })).toBeVisible();
  await expectAccessibleInBothSizes(started, 'an entry that was kept');

  await page.getByRole('button', { name: 'Add box' }).first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessibleInBothSizes(started, 'add box');
  await page.keyboard.press('Escape');

  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessibleInBothSizes(started, 'command palette');
});

test('everything that matters works from the keyboard', async ({ apps }) => {
  const { page } = await apps.start({ hasDemo: false });
  await expect(page.getByRole('navigation').first()).toBeVisible();

  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.type('dark');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => matchMedia('(prefers-color-scheme: dark)').matches);
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.type('add box');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  await page.keyboard.type('ssh root@192.0.2.7 -p 41022');
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1, name: /192\.0\.2\.7/ })).toBeVisible();

  await page.keyboard.press('F1');
  await expect(page.getByRole('status').filter({ hasText: 'All 168 entries' })).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('throttling');
  await page.keyboard.press('Enter');
  const entry = page.getByRole('article', { name: /throttling quietly takes/ });
  await expect(entry).toBeVisible();
  await entry.getByRole('link', { name: /U21/ }).press('Enter');
  await expect(page.getByRole('article', { name: /GPU utilisation percent/ })).toBeVisible();

  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.type('192.0.2.7');
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: 'Overview' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Runs' })).toHaveAttribute('aria-selected', 'true');
});
