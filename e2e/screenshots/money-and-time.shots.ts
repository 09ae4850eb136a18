import type { Page } from '@playwright/test';
import { startFarm } from '../../src/main/demo/box-farm.fixture.ts';
import { expect, test } from '../fixtures/app.ts';
import { writeFarmFolder } from '../fixtures/farm-folder.ts';
import { shoot } from '../fixtures/shoot.ts';

// The pictures of clocks, costs and facts: three rentals on three platforms, in three currencies, each with a past and an end.

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const RENTALS = [
  {
    name: 'train-a',
    platform: 'runpod',
    model: 'H100-80GB-HBM3',
    gpuCount: 4,
    rate: 11.96,
    in: 'USD',
  },
  {
    name: 'sweep-lr',
    platform: 'autodl',
    model: 'GeForce-RTX-4090',
    gpuCount: 2,
    rate: 4.16,
    in: 'CNY',
  },
  { name: 'eval-b', platform: 'generic-ssh', model: 'L40S', gpuCount: 1, rate: 1.05, in: 'EUR' },
] as const;

async function price(page: Page, boxId: string, rental: (typeof RENTALS)[number]): Promise<void> {
  const rate = { micros: Math.round(rental.rate * 1e6), currency: rental.in, per: 'hour' } as const;
  const prices = { compute: rate, disks: [], others: [], egress: null };
  const priced = await page.evaluate(
    (wanted) => window.leasehold.call('meter:set-prices', wanted),
    { boxId, prices, fromMs: null },
  );
  expect(priced).toEqual({ ok: true, value: null });
  // Twelve days on which nobody had Leasehold open, as the person remembers them.
  for (let day = 12; day > 0; day -= 1) {
    const line = {
      boxId,
      fromMs: Date.now() - day * DAY_MS - HOUR_MS,
      ms: (5 + ((day * 7) % 11)) * HOUR_MS,
      phase: 'running' as const,
      charges: [{ kind: 'compute' as const, what: 'the whole box', rate }],
    };
    const added = await page.evaluate(
      (wanted) => window.leasehold.call('meter:add-line', wanted),
      line,
    );
    expect(added).toEqual({ ok: true, value: null });
  }
}

async function setEnd(page: Page, boxId: string, what: string, inMs: number): Promise<void> {
  const entries = {
    isSpot: null,
    starts: {},
    times: {},
    warningLeadMs: null,
    prepaidUntilMs: null,
    deadlines: [{ id: 'shown', what, atMs: Date.now() + inMs }],
    quotaUsed: null,
    extensions: [],
  };
  const set = await page.evaluate((wanted) => window.leasehold.call('clocks:set-entries', wanted), {
    boxId,
    entries,
  });
  expect(set).toEqual({ ok: true, value: null });
}

test('takes the pictures of clocks, costs and facts', async ({ apps }) => {
  test.setTimeout(240_000);
  const farm = await startFarm(RENTALS.map((rental) => ({ ...rental, load: 'training' })));
  const folder = apps.makeFolder();
  const ids = writeFarmFolder(folder, farm, { hasPast: true });
  const { app, page } = await apps.start({ folder });
  try {
    await app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.setContentSize(1440, 900),
    );
    for (const [i, boxId] of ids.entries()) {
      const rental = RENTALS[i];
      if (rental === undefined) throw new Error('more boxes than rentals');
      await price(page, boxId, rental);
      await setEnd(page, boxId, 'Rental ends', (0.4 + i * 3.7) * DAY_MS);
    }
    const boxes = page.getByRole('navigation', { name: 'Boxes' });
    await boxes.getByText('train-a', { exact: true }).click();
    const danger = page.getByRole('region', { name: 'Danger clock' });
    await expect(danger).toContainText('Rental ends');
    await shoot(page, 'clock-and-meter');
    await danger.getByRole('button', { name: /^All \d+ timers$/ }).click();
    await expect(page.getByRole('list', { name: 'Clocks' })).toBeVisible();
    await shoot(page, 'clocks');
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Facts' }).click();
    await expect(page.getByRole('tabpanel')).toContainText('RunPod');
    await shoot(page, 'facts-of-a-box');
    await page.getByRole('button', { name: 'Timeline' }).click();
    await expect(page.getByRole('table')).toContainText('Rental ends');
    await shoot(page, 'timeline');
    await page.getByRole('button', { name: 'Spend' }).click();
    await expect(page.getByRole('table', { name: /Costs by/ })).toContainText('€');
    await shoot(page, 'costs');
    await page.getByRole('button', { name: 'Fleet', exact: true }).click();
    await page.getByRole('button', { name: 'Facts', exact: true }).click();
    await expect(page.getByRole('rowheader', { name: 'RunPod Pods' })).toBeVisible();
    await shoot(page, 'facts');
    await page.keyboard.press('F1');
    await page.getByRole('button', { name: /Xid 48 or 79/ }).click();
    await expect(page.getByRole('article', { name: /Xid 48 or 79/ })).toBeVisible();
    await shoot(page, 'handbook');
  } finally {
    await farm.stop();
  }
});
