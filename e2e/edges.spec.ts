import type { ElectronApplication, Page } from '@playwright/test';
import { expect, startForFile, test } from './fixtures/app.ts';
import { addBoxWithKey } from './fixtures/real-box.ts';

const started = startForFile();

/** Each tab with what stands on it when all of it is there. */
const TABS = {
  Overview: 'Throttle reason',
  Runs: 'Watches',
  Tunnels: 'Listening on the box',
  Terminal: null,
  Files: /^Entries of/,
  Alerts: 'History',
  Teardown: 'What is there',
  Facts: 'Secrets sent to it',
} as const;

/** A column to read, which is as wide as it is read: of these the header is looked at, and the answers above the tabs. */
const TO_READ = new Set(['Teardown', 'Handbook', 'Settings']);
/** Besides these a terminal, and what is empty here. */
const WITHOUT_BLOCKS = [
  'Terminal',
  'Teardown',
  'Handbook',
  'Settings',
  'page of Sweeps',
  'page of Archive',
];

const SIZES: readonly (readonly [number, number])[] = [
  [1024, 700],
  [1440, 900],
];

/** Whether what it stands in shows all of it. */
function isInside(each: Element): boolean {
  const [of, within] = [each, each.parentElement].map((one) => one?.getBoundingClientRect());
  return (
    of !== undefined &&
    within !== undefined &&
    of.right <= within.right &&
    of.bottom <= within.bottom
  );
}

/** Whether so many of its first characters can be read. */
function showsFirst(each: Element, count: number): boolean {
  const [text] = each.childNodes;
  if (text === undefined) return false;
  const range = document.createRange();
  range.setStart(text, 0);
  range.setEnd(text, count);
  const [of, within] = [range.getBoundingClientRect(), each.getBoundingClientRect()];
  return of.right <= within.right + 1 && of.bottom <= within.bottom + 1;
}

interface Edges {
  /** What ends elsewhere than the header does. */
  readonly strays: readonly string[];
  /** How much of what the page is about was looked at. */
  readonly blocks: number;
}

/** Whether all that is as wide as the page ends where its header does: what has nothing to its right, and stands in no frame. */
function edgesOf(page: Page, where: string): Promise<Edges> {
  const content = TO_READ.has(where) ? '[data-strip] > section' : 'section, article, table, dl';
  return page.evaluate((selector) => {
    const rightOf = (element: Element): number => {
      const { borderRightWidth, paddingRight } = getComputedStyle(element);
      // Of what shows no edge of its own, what stands in it ends the line.
      const inside = borderRightWidth === '0px' ? parseFloat(paddingRight) : 0;
      return Math.round(element.getBoundingClientRect().right - inside);
    };
    const isFrame = (element: Element): boolean =>
      element.matches('table') || getComputedStyle(element).borderRightWidth !== '0px';
    const isBeside = (one: Element, other: Element): boolean => {
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
      return b.left >= a.right - 1 && b.top < a.bottom && b.bottom > a.top;
    };
    const header = document.querySelector('header');
    if (header === null) throw new Error('no header');
    const shown = [
      ...document.querySelectorAll(`header > div:last-child, main :is(${selector})`),
    ].filter(
      (element) =>
        element.getClientRects().length > 0 &&
        element.clientHeight > 1 &&
        // What stands in the middle has no edge.
        getComputedStyle(element).textAlign !== 'center',
    );
    const outer = shown.filter(
      (element) =>
        !shown.some((each) => each !== element && each.contains(element) && isFrame(each)) &&
        !shown.some((each) => isBeside(element, each)),
    );
    const line = rightOf(header);
    return {
      strays: outer
        .filter((element) => rightOf(element) !== line)
        .map(
          (element) =>
            `${element.tagName} “${element.textContent.slice(0, 40)}”: ${rightOf(element)}, not ${line}`,
        ),
      blocks: outer.filter((element) => element.closest('header, [data-strip]') === null).length,
    };
  }, content);
}

/** Whether the page of the shown tab is longer than its place. */
function isScrolling(page: Page): Promise<boolean> {
  return page
    .getByRole('tabpanel')
    .first()
    .evaluate((panel) => {
      let at: Element | null = panel;
      while (at !== null && getComputedStyle(at).overflowY !== 'auto') at = at.parentElement;
      if (at === null) throw new Error('nothing scrolls here');
      return at.scrollHeight > at.clientHeight;
    });
}

async function resize(
  app: ElectronApplication,
  page: Page,
  size: readonly [number, number],
): Promise<void> {
  await app.evaluate(
    ({ BrowserWindow }, wanted) => BrowserWindow.getAllWindows()[0]?.setContentSize(...wanted),
    size,
  );
  await expect.poll(() => page.evaluate(() => innerWidth)).toBe(size[0]);
}

for (const size of [
  [1440, 900],
  [1024, 700],
] as [number, number][]) {
  test(`right edges are in one line, whether a page scrolls or not, at ${size.join(' by ')}`, async () => {
    const { app, page } = await started();
    await resize(app, page, size);
    await page.getByRole('navigation').getByRole('button', { name: /demo/ }).click();
    await expect(page.getByText(/Connected/).first()).toBeVisible();
    const found: Record<string, Edges> = {};
    const scrolls: Record<string, boolean> = {};
    for (const [tab, content] of Object.entries(TABS)) {
      await page.getByRole('tab', { name: tab }).click();
      const panel = page.getByRole('tabpanel').first();
      const whole =
        content === null
          ? page.locator('.xterm-screen').first()
          : panel.getByText(content).or(panel.getByLabel(content)).first();
      await expect(whole).toBeVisible();
      await expect(page.getByText('Opening…')).toHaveCount(0);
      found[tab] = await edgesOf(page, tab);
      scrolls[tab] = await isScrolling(page);
    }
    await addBoxWithKey(page, 'far', { port: 1, user: 'root', keyFile: '/nowhere' });
    await page.getByRole('button', { name: 'Spend' }).click();
    await expect(page.getByRole('table', { name: /Costs by/ })).toContainText('far');
    found['Costs'] = await edgesOf(page, 'Costs');
    const header = page.locator('header');
    for (const [name, content] of [
      ['Fleet', page.getByRole('grid', { name: 'Boxes' })],
      ['Timeline', page.getByRole('table', { name: 'What comes to each box' })],
      ['Handbook', page.getByRole('region', { name: 'Find an entry' })],
      ['Settings', page.getByRole('heading', { name: 'Danger clocks' })],
    ] as const) {
      await page.getByRole('navigation').getByRole('button', { name, exact: true }).click();
      await expect(content).toBeVisible();
      found[name] = await edgesOf(page, name);
    }
    for (const name of ['Sweeps', 'Archive', 'Facts'] as const) {
      await page
        .getByRole('navigation')
        .getByRole('button', { name: 'Fleet', exact: true })
        .click();
      await header.getByRole('button', { name }).click();
      await expect(header).toContainText(name === 'Facts' ? 'Facts about platforms' : name);
      // What is known of platforms is read when it is asked for; the others are empty here.
      if (name === 'Facts')
        await expect(page.getByRole('rowheader', { name: 'RunPod Pods' })).toBeVisible();
      found[`page of ${name}`] = await edgesOf(page, name);
    }
    const strays = Object.entries(found).flatMap(([where, edges]) =>
      edges.strays.map((stray) => `${where}: ${stray}`),
    );
    expect(strays).toEqual([]);
    const bare = Object.keys(found).filter((where) => found[where]?.blocks === 0);
    expect(bare).toEqual(WITHOUT_BLOCKS);
    // Else the one place of the scrollbar would be no question here.
    expect(scrolls).toMatchObject({ Facts: true, Terminal: false });
  });
}

test('a narrow line says of a clock what makes it true, and how many others may run', async () => {
  const { app, page } = await started();
  await resize(app, page, [1024, 700]);
  const boxId = await addBoxWithKey(page, 'far', { port: 1, user: 'root', keyFile: '/nowhere' });
  await page.evaluate(async (id) => {
    const { call } = window.leasehold;
    await call('box:set-platform', { boxId: id, platform: 'colab' });
    const told = await call('clocks:entries', { boxId: id });
    if (!told.ok) throw new Error(told.error.message);
    const { startsSaidAtMs: _, ...entries } = told.value;
    const starts = { started: Date.now() - 3_600_000 };
    await call('clocks:set-entries', { boxId: id, entries: { ...entries, starts } });
  }, boxId);
  await page.getByRole('navigation').getByText('far', { exact: true }).click();
  await page.getByRole('tab', { name: 'Files' }).click();
  const card = page.getByRole('region', { name: 'Danger clock' });
  const left = card.getByText(/^~10.h left$/);
  await expect(left).toBeVisible();
  await expect(card.getByText('left (estimate)')).toBeHidden();
  const event = card.getByText('Runtime lost at its limit');
  expect(await event.evaluate((each) => each.scrollWidth <= each.clientWidth)).toBe(true);
  const also = card.getByText('+1 may run');
  await expect(also).toBeVisible();
  // None of it is under the link beside it.
  const [end, link] = await Promise.all(
    [also, card.getByRole('button', { name: 'All 4 timers' })].map((each) => each.boundingBox()),
  );
  expect((end?.x ?? NaN) + (end?.width ?? NaN)).toBeLessThanOrEqual(link?.x ?? NaN);

  // In the list of the fleet a long name takes a second line, and the time is whole.
  const lent = await addBoxWithKey(page, 'lent', { port: 2, user: 'root', keyFile: '/nowhere' });
  await page.evaluate(
    (id) => window.leasehold.call('box:set-platform', { boxId: id, platform: 'runpod' }),
    lent,
  );
  await page.getByRole('button', { name: 'Fleet', exact: true }).click();
  const rows = page.getByRole('grid', { name: 'Boxes' }).getByRole('row');
  const row = rows.filter({ hasText: 'far' });
  const long = rows.filter({ hasText: 'lent' }).locator('span[title] > span:not(.sr-only)').first();
  for (const size of SIZES) {
    await resize(app, page, size);
    const cell = row.getByRole('gridcell').filter({ hasText: 'Runtime lost at its limit' });
    await expect(cell.getByText(/^~10.h$/)).toBeVisible();
    expect(await cell.getByText(/^~10.h$/).evaluate(isInside)).toBe(true);
    expect(await cell.getByText('Runtime lost at its limit').evaluate(showsFirst, 25)).toBe(true);
    await expect(long).toHaveText(/\w/);
    expect(await long.evaluate(isInside)).toBe(true);
    expect(await row.evaluate((each) => each.getBoundingClientRect().height)).toBeLessThan(53);
  }
  await page.getByRole('navigation').getByText('far', { exact: true }).click();

  // In the header its event stands whole beside its time, before the GPU line and with the name of the box.
  const chip = page.getByRole('button', { name: /^Danger clock: Runtime lost at its limit/ });
  for (const size of SIZES) {
    await resize(app, page, size);
    await expect(chip.getByText('Runtime lost at its limit')).toBeVisible();
    const whole = await chip.evaluate((each) =>
      [each, ...each.children, each.closest('header'), each.closest('header')?.querySelector('h1')]
        .filter((part) => part?.classList.contains('sr-only') === false)
        .map((part) => (part?.scrollWidth ?? NaN) <= (part?.clientWidth || Infinity)),
    );
    expect({ size, whole }).toEqual({ size, whole: whole.map(() => true) });
  }
});
