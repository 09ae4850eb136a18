import type { Page } from '@playwright/test';
import type { DemoFault } from '../src/shared/demo/faults.ts';
import { expectAccessible } from './fixtures/accessibility.ts';
import { expect, test } from './fixtures/app.ts';

async function setFault(page: Page, fault: DemoFault, isOn: boolean): Promise<void> {
  const answer = await page.evaluate(
    ([name, on]) => window.leasehold.call('demo:set-fault', { fault: name, isOn: on }),
    [fault, isOn] as const,
  );
  expect(answer).toEqual({ ok: true, value: null });
}

test('a dropped link is seen, named, and comes back by itself', async ({ apps }) => {
  const { page } = await apps.start();
  await expect(page.getByText(/Connected/).first()).toBeVisible();
  const states = page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const seen: string[] = [];
        window.leasehold.on('stream:batch', ({ deltas }) => {
          for (const delta of deltas as { part?: { link?: { kind: string } } }[]) {
            const kind = delta.part?.link?.kind;
            if (kind !== undefined) seen.push(kind);
          }
          if (seen.at(-1) === 'up') resolve(seen);
        });
      }),
  );
  await setFault(page, 'link-drop', true);
  expect(await states).toEqual(['waiting', 'connecting', 'up']);
  await expect(page.getByText(/Connected/).first()).toBeVisible();
});

test('a changed host key stops everything, shows both keys, and has no way to accept', async ({
  apps,
}) => {
  const { page } = await apps.start();
  await expect(page.getByText(/Connected/).first()).toBeVisible();
  await setFault(page, 'host-key-change', true);
  await expect(page.getByRole('heading', { name: /host key.*changed/i })).toBeVisible();
  await expect(page.getByText(/SHA256:/)).toHaveCount(2);
  await expect(page.getByRole('button', { name: /trust|accept/i })).toHaveCount(0);
  await expectAccessible(page, 'changed host key');
});

test('throttling and a lost card show in the figures @waits', async ({ apps }) => {
  const { page } = await apps.start();
  const clock = page.getByRole('region', { name: 'SM clock', exact: true });
  await expect(clock).toContainText(/1\W?410/);
  await setFault(page, 'throttle', true);
  await expect(clock).toContainText(/\d{3}–1\W?410|\b[6-9]\d\d\b/);
  await setFault(page, 'throttle', false);

  await setFault(page, 'xid-79', true);
  // A card that stopped reporting is unknown, not at zero, and the rail says why.
  const lost = page.getByRole('row', { name: /^GPU 1/ });
  await expect(lost).toContainText('–');
  await expect(lost).not.toContainText('0 %');
  await expect(page.getByRole('navigation')).toContainText(/GPU error/);
});

test('a killed run is missed with its proven cause, and its load of zero is shown as zero @waits', async ({
  apps,
}) => {
  const { page } = await apps.start();
  const sm = page.getByRole('region', { name: 'SM', exact: true });
  await expect(sm).toContainText(/9\d/);
  await page.getByRole('tab', { name: 'Runs' }).click();
  const panel = page.getByRole('tabpanel');
  const patrolNow = panel.getByRole('button', { name: 'Check now' });
  await patrolNow.click();
  await expect(panel.getByRole('article', { name: /train\.sh/ })).toContainText('train.log');
  await setFault(page, 'run-killed', true);
  await patrolNow.click();
  const gone = panel.getByRole('article', { name: 'Run killed (SIGTERM, SIGKILL or SIGINT)' });
  await expect(gone.locator('[data-verdict="proven"]')).toContainText(
    'its log ends with: Terminated',
  );
  await expect(panel.getByText('No run is going on')).toBeVisible();
  await expectAccessible(page, 'a run that is gone');
  await gone.getByRole('button', { name: /^Dismiss/ }).click();
  await expect(gone).toHaveCount(0);

  await page.getByRole('tab', { name: 'Overview' }).click();
  await expect(sm).toContainText('SM0 %');
});
