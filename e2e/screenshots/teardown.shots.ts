import { rmSync } from 'node:fs';
import { expect, test } from '../fixtures/app.ts';
import { acceptStrayFiles, endRunOfDemo } from '../fixtures/demo-run.ts';
import { launchOnDemo } from '../fixtures/launch-on-demo.ts';
import { shootSmallToo } from '../fixtures/shoot.ts';

// The pictures of docs/teardown.md: the way to the end of a box, a step after the other.

const COMMAND = `mkdir -p out/checkpoints && cd out
for step in 1000 2000 3000; do echo "{\\"step\\": $step, \\"loss\\": 1.$((9000 - step))}"; done >metrics.jsonl
head -c 400000 /dev/urandom >checkpoints/step-003000.bin
head -c 300000 /dev/urandom >optimizer.tmp
ln -s checkpoints/step-003000.bin latest
cd ~ && mkdir -p .aws .config/rclone work && touch .netrc .aws/credentials .config/rclone/rclone.conf work/.env
echo done`;

test('takes the pictures of the end of a box', async ({ apps }) => {
  const started = await launchOnDemo(apps, COMMAND);
  const { page, dialog, folder } = started;
  const shoot = (name: string): Promise<void> => shootSmallToo(started, name);
  await expect(page.getByText('Done', { exact: true })).toBeVisible();

  await page.getByRole('tab', { name: 'Teardown' }).click();
  const content = page.getByRole('tabpanel');
  const step = (name: string): Promise<void> =>
    page
      .getByRole('navigation', { name: 'Steps of the teardown' })
      .getByRole('button', { name })
      .click();
  await page.getByRole('button', { name: 'Check the box' }).click();
  await expect(content).toContainText('to settle');
  await shoot('teardown-inventory');
  await endRunOfDemo(page);
  await page.getByRole('button', { name: 'I have looked…' }).click();
  await dialog.getByLabel('What you have looked at').fill('the home folder; only code is there');
  await dialog.getByRole('button', { name: 'Nothing else is needed' }).click();
  await expect(dialog).toBeHidden();
  // Of this step alone: once all is settled, the window goes on to the next one, which has its own.
  const losses = page
    .getByRole('region', { name: 'What is there' })
    .getByRole('button', { name: 'Accept the loss…' });
  for (let left = await losses.count(); left > 0; left -= 1) {
    await losses.first().click();
    await dialog.getByLabel('Why it may be lost').fill('they belong to the machine');
    await dialog.getByRole('button', { name: 'Accept the loss' }).click();
    await expect(dialog).toBeHidden();
    await expect(losses).toHaveCount(left - 1);
  }
  await step('Bring it home');
  await shoot('teardown-pulled');
  await page.getByRole('button', { name: 'Bring home…' }).click();
  await dialog.getByRole('checkbox', { name: 'optimizer.tmp' }).uncheck();
  await dialog.getByRole('radio', { name: 'Scratch' }).check();
  await dialog.getByRole('button', { name: /^Bring home \d/ }).click();
  await expect(content).toContainText('Nothing is missing');
  await step('Prove it');
  await shoot('teardown-proven');
  await page.getByRole('button', { name: 'Read the copies again' }).click();
  await expect(content).toContainText('You may end this box');
  await step('What stays behind');
  await shoot('teardown-left');
  await step('Secrets');
  await page.getByRole('button', { name: 'Search for secrets' }).click();
  await expect(content).toContainText('~/work/.env');
  await page.getByRole('checkbox', { name: '.netrc' }).check();
  await shoot('teardown-secrets');
  await page.getByRole('button', { name: 'Leave them there' }).click();
  await step('What it costs');
  await expect(content).toContainText('What is left afterwards');
  await shoot('teardown-costs');
  await step('Approve');
  await page.getByRole('radio', { name: /^Destroy/ }).check();
  await acceptStrayFiles(page);
  await shoot('teardown-approve');
  const know = page.getByRole('button', { name: 'I know about it…' });
  if ((await know.count()) > 0) {
    await know.click();
    await dialog.getByLabel('Which of these exist, and what happens to them').fill('there is none');
    await dialog.getByRole('button', { name: 'I know' }).click();
    await expect(dialog).toBeHidden();
  }
  await page.getByLabel(/^Type “/).fill('demo');
  await page.getByRole('button', { name: 'Approve “destroy”' }).click();
  await expect(content).toContainText('You approved');
  await page.getByRole('button', { name: 'Go ahead' }).click();
  await expect(content).toContainText('Demo provider is ending this box');
  await expect(page.getByRole('region', { name: 'Danger clock' })).toContainText(
    'End not confirmed',
  );
  await shoot('teardown-act');
  await expect(content).toContainText('This box is gone.');
  await shoot('teardown-gone');
  await page.getByRole('button', { name: 'Receipt', exact: true }).click();
  await expect(page.getByRole('article', { name: 'Receipt' })).toContainText('metrics.jsonl');
  await shoot('receipt');
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'All archived boxes' }).click();
  await expect(page.getByRole('table', { name: 'Archived boxes' })).toBeVisible();
  await shoot('archive');
  rmSync(folder, { recursive: true });
});
