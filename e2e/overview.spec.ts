import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import type { DemoFault } from '../src/shared/demo/faults.ts';
import { expectAccessible } from './fixtures/accessibility.ts';
import { expect, startForFile, test } from './fixtures/app.ts';

const started = startForFile();

/** The driver's reasons are asked every 30 s. */
const REASON_WITHIN_MS = 90_000;

async function setFault(page: Page, fault: DemoFault, isOn: boolean): Promise<void> {
  const answer = await page.evaluate(
    ([name, on]) => window.leasehold.call('demo:set-fault', { fault: name, isOn: on }),
    [fault, isOn] as const,
  );
  expect(answer).toEqual({ ok: true, value: null });
}

async function setDemo(page: Page, gpuCount: number): Promise<void> {
  const answer = await page.evaluate(
    (count) =>
      window.leasehold.call('settings:change', {
        patch: { demo: { isOn: true, gpuModel: 'H100-80GB-HBM3', gpuCount: count } },
      }),
    gpuCount,
  );
  expect(answer).toMatchObject({ ok: true });
  // Not the mark of its alert, which names the card as well.
  const last = page.getByRole('button', { name: `GPU ${String(gpuCount - 1)}`, exact: true });
  await expect(last).toBeVisible();
}

const chart = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('the window zooms, pans, pauses and comes back, by pointer and by keyboard', async () => {
  const { page, consoleErrors } = await started();
  const clock = chart(page, 'SM clock');
  await expect(clock).toContainText(/1\W?410/);
  // Where it is by then: what is found on the box meanwhile takes room above it.
  const at = async (share: number): Promise<[number, number]> => {
    const area = await clock.locator('canvas').boundingBox();
    if (area === null) throw new Error('no plot');
    return [area.x + 36 + (area.width - 42) * share, area.y + 50];
  };

  // What is painted is seen: some pixel of the plot has the colour of the line.
  const painted = await clock.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
    const context = canvas.getContext('2d');
    const { data } = context?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
    return Array.from(data).some((value, i) => i % 4 === 3 && value > 0);
  });
  expect(painted).toBe(true);

  await page.mouse.move(...(await at(0.9)));
  await expect(chart(page, 'Power')).toContainText(/\d\d:\d\d:\d\d · /);
  const [from, to] = [await at(0.5), await at(0.8)];
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 4 });
  await page.mouse.up();
  await expect(page.getByText('Looking at the past')).toBeVisible();
  const span = page.getByText(/\d\d:\d\d:\d\d to \d\d:\d\d:\d\d \(/);
  const selected = await span.textContent();
  // The charts have the focus now, so the wheel is theirs.
  await page.mouse.wheel(0, 240);
  await expect(span).not.toHaveText(selected ?? '');
  await page.keyboard.press('Escape');
  await expect(page.getByText('Looking at the past')).toHaveCount(0);

  const slider = page.getByRole('slider', { name: 'Time cursor over all charts' });
  await slider.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await expect(slider).toHaveAttribute('aria-valuetext', /SM .*%.*Power .*W/);
  await page.keyboard.press('+');
  await expect(page.getByText('Looking at the past')).toBeVisible();
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText(/^Paused/)).toBeVisible();
  await expectAccessible(page, 'paused charts');
  await page.getByRole('button', { name: 'Back to live' }).click();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();

  for (const range of ['5 min', '1 h', '6 h', '24 h', '30 d']) {
    await page.getByRole('radio', { name: range, exact: true }).check({ force: true });
    const words = chart(page, 'SM').getByText(/^SM utilisation, last/);
    await expect(words).toContainText('mean');
    await expect(chart(page, 'SM')).toContainText(/9\d|100/);
  }
  expect(consoleErrors).toEqual([]);
});

test('a throttled card has its band with the reason in words @waits', async ({ apps }) => {
  const { page, consoleErrors } = await apps.start();
  const clock = chart(page, 'SM clock');
  await expect(clock).toContainText(/1\W?410/);
  await setFault(page, 'throttle', true);
  const words = clock.getByText(/^SM clock, last/);
  // At once what dmon says, and within a look of the slow probe what the driver says.
  await expect(words).toContainText(/Clock held: .*held by power and heat/);
  await expect(words).toContainText(/Clock held: .*power brake/, { timeout: REASON_WITHIN_MS });
  await expect(chart(page, 'VRAM').getByText(/^VRAM used, last/)).not.toContainText('held');

  const area = await clock.locator('canvas').boundingBox();
  if (area === null) throw new Error('no plot');
  await page.mouse.move(area.x + area.width - 8, area.y + 40);
  await expect(clock.getByText(/GPU 0: .*power brake/)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Events in this time' })).toContainText(
    /GPU 0 is held at \d+ % of its clock/,
    { timeout: REASON_WITHIN_MS },
  );
  await page.mouse.move(0, 0);
  await expectAccessible(page, 'charts of a throttled card');
  expect(consoleErrors).toEqual([]);
});

test('a lost card is an event with its Xid, and a gap in its own lines only @waits', async ({
  apps,
}) => {
  const { page } = await apps.start();
  await expect(chart(page, 'SM')).toContainText(/9\d/);
  await setFault(page, 'xid-79', true);
  const events = page.getByRole('region', { name: 'Events in this time' });
  const event = events.getByRole('button', { name: /Xid 79/ });
  await expect(event).toBeVisible({ timeout: REASON_WITHIN_MS });
  await event.focus();
  await expect(page.getByRole('slider')).toHaveAttribute('aria-valuetext', /Xid 79/);
  await expectAccessible(page, 'charts with events');
});

// With another demo box, which is as much to start as an app.
test('eight GPUs in lines and as heat strips, in a small window', async ({ apps }) => {
  const { app, page, consoleErrors } = await apps.start();
  await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.setContentSize(1024, 700),
  );
  await setDemo(page, 8);
  await expect(chart(page, 'SM').getByText(/8 GPUs: /)).toBeAttached();
  await page.getByRole('radio', { name: 'Heat strip' }).check({ force: true });
  const strip = page.getByRole('region', { name: /^SM clock, lowest/ });
  await expect(strip).toContainText('GPU 7');
  await expectAccessible(page, 'heat strips');
  // Nothing hangs over the edge of a small window.
  const overhang = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overhang).toBe(0);
  await page.getByRole('radio', { name: 'GPU 3' }).check({ force: true });
  await expect(chart(page, 'SM')).toContainText(/mem \d/);
  expect(consoleErrors).toEqual([]);
});

/** Answers the system's save dialog, which no test can reach, with a file. */
async function saveTo(app: ElectronApplication, file: string | null): Promise<void> {
  await app.evaluate(({ dialog }, path) => {
    dialog.showSaveDialog = () =>
      Promise.resolve({ canceled: path === null, filePath: path ?? '' });
  }, file);
}

test('values, CSV and a picture leave the window', async () => {
  const { app, page, consoleErrors } = await started();
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-export-'));
  const exportAs = async (item: RegExp): Promise<void> => {
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  try {
    await expect(chart(page, 'SM')).toContainText(/9\d/);

    await exportAs(/Copy values/);
    await expect(page.getByText('Values copied')).toBeVisible();
    const copied = await app.evaluate(({ clipboard }) => clipboard.readText());
    expect(copied).toMatch(/SM utilisation, last .*\n(?:.*\n)*Power, last/);

    // The same by keyboard alone, at a cursor that was left there; the focus is never lost.
    await page.getByRole('slider', { name: 'Time cursor over all charts' }).focus();
    for (const key of ['ArrowLeft', 'Enter']) await page.keyboard.press(key);
    const button = page.getByRole('button', { name: 'Export' });
    await button.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: /Copy values.*at cursor/ })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(button).toBeFocused();
    const pointed = () => app.evaluate(({ clipboard }) => clipboard.readText());
    // The window said of the values before already that they were copied.
    await expect.poll(pointed).not.toContain('last');
    expect(await pointed()).toMatch(/SM.*%/);
    await page.getByRole('button', { name: 'Dismiss' }).focus();
    await page.keyboard.press('Enter');
    await expect(button).toBeFocused();

    const csv = join(folder, 'gpus.csv');
    await saveTo(app, csv);
    await exportAs(/CSV/);
    await expect(page.getByText(/rows, .*written to/)).toBeVisible();
    const [head, ...rows] = readFileSync(csv, 'utf8').trimEnd().split('\r\n');
    expect(head).toMatch(/^time,time_ms,gpu,gpu_index,smPct,/);
    expect(rows.length).toBeGreaterThan(2);

    const png = join(folder, 'charts.png');
    await saveTo(app, png);
    await exportAs(/Picture/);
    await expect(page.getByText(/Picture, .*written to/)).toBeVisible();
    expect(readFileSync(png).subarray(0, 8)).toEqual(Buffer.from('89504e470d0a1a0a', 'hex'));
    expect(statSync(png).size).toBeGreaterThan(20_000);

    await saveTo(app, null);
    await exportAs(/CSV/);
    await expect(page.getByText(/written to|Writing/)).toHaveCount(0);

    const taken = join(folder, 'taken');
    writeFileSync(taken, '');
    await saveTo(app, join(taken, 'inside.csv'));
    await exportAs(/CSV/);
    await expect(page.getByText(/export was not written/i)).toBeVisible();
    expect(existsSync(join(taken, 'inside.csv'))).toBe(false);
    expect(consoleErrors).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
