import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense, type ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BoxMeter } from '../../shared/meter/box-meter.ts';
import type { Interval } from '../../shared/meter/interval.ts';
import { boundsOf } from '../../shared/meter/spend-days.ts';
import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import { CostCard } from '../box/cards/cost-card.tsx';
import { RailCost } from '../fleet/rail-cost.tsx';
import { LINK_UP, sampleEntry } from '../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../state/fake-bridge.fixture.ts';
import { openFeeds } from '../state/feeds.ts';
import { createStreamClient } from '../state/stream-client.ts';
import { StreamProvider } from '../state/stream-context.ts';
import { overlayOpened, useView, type PagePart } from '../state/view.ts';
import { openTestWindow, SAMPLE_SETTINGS } from '../test-window.fixture.ts';
import { CostsPage } from './costs-page.tsx';
import { sampleBoxClocks, sampleClock } from '../clocks/clocks.fixture.ts';
import { cny, hourly, sampleMeter, spent, unpricedMeter, usd } from './meter.fixture.ts';
import { PriceDialog } from './price/price-dialog.tsx';

const NOON = new Date(2026, 2, 30, 12).getTime();
const idOf = (n: number): string => `${String(n).padStart(8, '0')}-1111-4111-8111-111111111111`;
const BOX = idOf(0);
const entries = [
  sampleEntry({}, { id: BOX, name: 'train-a', platform: 'runpod', tags: ['paper'] }),
  sampleEntry({}, { id: idOf(1), name: 'autodl-3', platform: 'autodl', tags: ['paper'] }),
  sampleEntry({}, { id: idOf(2), name: 'lam-7', platform: 'lambda' }),
];

let bridge: FakeBridge;
let closeFeeds: () => void;

async function show(node: ReactNode, meters: Readonly<Record<string, BoxMeter>>): Promise<void> {
  bridge.serve('meter', { boxes: meters });
  const client = createStreamClient(bridge);
  await act(async () => {
    closeFeeds = openFeeds(client);
    await Promise.resolve();
    render(
      <StreamProvider value={client}>
        <Suspense fallback="…">{node}</Suspense>
      </StreamProvider>,
    );
  });
}

beforeEach(() => {
  vi.useFakeTimers({ now: NOON, toFake: ['Date'] });
  bridge = openTestWindow(entries);
  bridge.answer('meter:days', ok({ bounds: boundsOf(NOON, 30), boxes: [] }));
  bridge.answer('meter:budgets', ok([]));
});
afterEach(() => {
  cleanup();
  closeFeeds();
  vi.useRealTimers();
});

const at = (part: Partial<BoxMeter> = {}): BoxMeter => sampleMeter({ asOfMs: NOON, ...part });
const three = {
  [BOX]: at(),
  [idOf(1)]: sampleMeter(
    { asOfMs: NOON, today: spent([cny(2_080_000)]) },
    hourly(2_080_000, 'CNY'),
  ),
  [idOf(2)]: sampleMeter({ asOfMs: NOON }, hourly(1_290_000, 'EUR')),
};

const NO_AMOUNT = '–No price is set, or nobody saw whether it runs';

describe('bytes out of a box', () => {
  const counted = spent([], { receivedBytes: 1_230_000_000 });
  const panel = (): HTMLElement => screen.getByRole('region', { name: 'Bytes out of the box' });

  it('are shown with how they are known, and in no sum where nobody says what they cost', async () => {
    const meter = at({ total: counted, month: counted, today: spent([]) });
    await show(<CostsPage boxId={BOX} />, { [BOX]: meter });
    expect(panel().textContent).toMatch(/Today.*none seen.*This month.*1\.2\sGB.*In total/s);
    expect(panel().textContent).toContain('Measured by Leasehold');
    expect(panel().textContent).toContain('What other programs moved is not in it');
    expect(panel().textContent).toContain('not set');
  });

  it('have the price that was entered', async () => {
    const egressRate = { micros: 90_000, currency: 'USD', per: 'GB' } as const;
    const prices = { ...at().prices, egress: egressRate };
    await show(<CostsPage boxId={BOX} />, { [BOX]: at({ total: counted, egressRate, prices }) });
    expect(panel().textContent).toContain('$0.09 a GB, as you entered it');
  });
});

describe('the cost card', () => {
  it('says what it burns, has cost and would cost, and how that is known', async () => {
    const idle = { sinceMs: NOON - 1000, wasted: [usd(1000)] };
    const total = spent([usd(10_000_000)], { wasted: [usd(3_200_000)], wastedMs: 1 });
    await show(<CostCard boxId={BOX} link={LINK_UP} />, { [BOX]: at({ idle, total }) });
    const card = screen.getByRole('region', { name: 'Cost meter' });
    expect(card.textContent).toContain('$3.60/h');
    expect(card.textContent).toContain('Today $10.00 · total $10.00');
    expect(card.textContent).toContain('Storage after stop or destroy: no price set');
    expect(card.textContent).toContain('Metered live');
    expect(card.textContent).toContain('idle waste $3.20');
    await userEvent.setup().click(screen.getByRole('button', { name: 'Details' }));
    expect(useView.getState().page).toEqual({ kind: 'costs', boxId: BOX });
  });

  it('does not say of a stopped box whose disks nobody entered that it costs nothing', async () => {
    const nothing = { money: [], isPartly: false };
    const stopped = at({ phase: 'stopped', charges: [], burnPerHour: nothing });
    await show(<CostCard boxId={BOX} link={LINK_UP} />, { [BOX]: stopped });
    const card = screen.getByRole('region', { name: 'Cost meter' });
    expect(card.querySelector('.figures')?.textContent).toBe('no price set');
    cleanup();
    await show(<CostsPage boxId={null} />, { [BOX]: stopped });
    expect(
      within(screen.getByRole('table', { name: /Costs by/ })).getByRole('row', {
        name: /train-a no price set/,
      }),
    ).toBeDefined();
  });

  it.each([
    ['of which nobody knows whether it runs', { phase: null, burnPerHour: null }, NO_AMOUNT],
    ['that is stopped, with disks that nobody entered', { phase: 'stopped' }, 'no price set'],
    ['that is destroyed', { phase: 'destroyed' }, 'nothing'],
  ] as const)(
    'says what a box %s has cost, as far as that is known',
    async (_what, part, words) => {
      const meter = at({ ...part, charges: [], today: spent([]), month: spent([]) });
      await show(<CostCard boxId={BOX} link={LINK_UP} />, { [BOX]: meter });
      const card = screen.getByRole('region', { name: 'Cost meter' });
      expect(card.textContent).toContain(`Today ${words} · month ${words} · total $10.00`);
    },
  );

  it('says that no price is set, offers to set it, and shows no amount at all', async () => {
    await show(<CostCard boxId={BOX} link={LINK_UP} />, { [BOX]: unpricedMeter({ asOfMs: NOON }) });
    const card = screen.getByRole('region', { name: 'Cost meter' });
    expect(card.textContent).toContain('No price set');
    expect(card.textContent).not.toMatch(/[$€¥]|\b0\b/);
    await userEvent.setup().click(screen.getByRole('button', { name: 'Set price…' }));
    expect(useView.getState().overlay).toEqual({ kind: 'set-price', boxId: BOX });
  });

  it('never counts what nobody saw, names it beside the sums, and marks a price that is old', async () => {
    const total = spent([usd(1_000_000)], {
      unresolved: [usd(2_500_000)],
      unresolvedMs: 7_200_000,
    });
    const pricedAtMs = NOON - 300 * 86_400_000;
    await show(<CostCard boxId={BOX} link={LINK_UP} />, {
      [BOX]: at({ source: 'unresolved', total, pricedAtMs }),
    });
    const card = screen.getByRole('region', { name: 'Cost meter' });
    expect(card.textContent).toContain('total $1.00');
    expect(card.textContent).toContain('Not seen now');
    const beside = within(card).getByTitle(/2\sh not metered, at most \$2\.50 more/);
    expect(beside).toBeDefined();
    expect(within(card).getByText('old price').title).toContain(
      'The prices were entered in 2025-06.',
    );
  });
});

describe('the rail', () => {
  it('stands currencies side by side, and says how many boxes are not in it', async () => {
    await show(<RailCost />, { ...three, [idOf(2)]: unpricedMeter({ asOfMs: NOON }) });
    const rail = screen.getByRole('region', { name: 'Cost' });
    expect(rail.textContent).toContain('CN¥2.08/hCN¥2.08');
    expect(rail.textContent).toContain('$3.60/h$10.00');
    expect(rail.textContent).toContain('1 box not counted: no price or not connected');
    await userEvent.setup().click(screen.getByRole('button', { name: 'Spend' }));
    expect(useView.getState().page).toEqual({ kind: 'costs', boxId: null });
  });

  it('counts a box of the archive that is still billed, and has no boxes without one', async () => {
    const gone = sampleEntry({}, { id: BOX, platform: 'runpod', archivedAtMs: NOON });
    bridge = openTestWindow([gone]);
    await show(<RailCost />, { [BOX]: at() });
    expect(screen.getByRole('region', { name: 'Cost' }).textContent).toBe(
      'Spendtoday$3.60/h$10.00',
    );
    cleanup();
    closeFeeds();
    const nothing = { money: [], isPartly: false };
    await show(<RailCost />, { [BOX]: at({ burnPerHour: nothing, today: spent([]) }) });
    expect(screen.getByRole('region', { name: 'Cost' }).textContent).toBe('SpendNo boxes');
  });

  it('says less than a hundredth in a few letters, which are not cut', async () => {
    const little = sampleMeter({ asOfMs: NOON, today: spent([cny(2_083)]) }, hourly(4_166, 'CNY'));
    await show(<RailCost />, { [idOf(1)]: little });
    expect(screen.getByRole('region', { name: 'Cost' }).textContent).toContain(
      '<CN¥0.01/h<CN¥0.01',
    );
  });
});

describe('the page of costs', () => {
  const tile = (name: string) => screen.getAllByText(name)[0]?.parentElement as HTMLElement;
  const never = at({ phase: null, burnPerHour: null, charges: [], source: null });
  const unseen = { ...never, today: spent([]) };

  it('has what sets the price where the burn rate would stand, and dashes for the sums', async () => {
    const unpriced = unpricedMeter({ asOfMs: NOON, today: spent([], { unpricedMs: 60_000 }) });
    await show(<CostsPage boxId={BOX} />, { [BOX]: unpriced });
    expect(tile('Today').textContent).toContain(`Today${NO_AMOUNT}`);
    const burn = within(tile('Burn rate'));
    await userEvent.setup().click(burn.getByRole('button', { name: 'Set price…' }));
    expect(useView.getState().overlay).toEqual({ kind: 'set-price', boxId: BOX });
  });

  it('has what tells whether a box runs, in its tile and in no cell a bare word', async () => {
    bridge = openTestWindow([
      sampleEntry({ link: { kind: 'idle' } }, { id: BOX, platform: 'runpod' }),
    ]);
    bridge.answer('meter:days', ok({ bounds: boundsOf(NOON, 30), boxes: [] }));
    bridge.answer('meter:budgets', ok([]));
    await show(<CostsPage boxId={null} />, { [BOX]: unseen });
    const cells = within(screen.getByRole('table', { name: /Costs by/ })).getAllByRole('cell');
    const [now, today] = cells.map((cell) => cell.textContent);
    expect([now, today]).toEqual(['–Connect to see whether it runs', NO_AMOUNT]);
    const burn = within(tile('Burn rate'));
    await userEvent.setup().click(burn.getByRole('button', { name: 'Connect to check' }));
    expect(bridge.callsTo('link:connect')).toEqual([{ boxId: BOX }]);
  });

  it('sums up by box, tag and platform, with a forgotten box, each currency by itself', async () => {
    const gone = spent([usd(5_000_000)]);
    bridge.answer(
      'meter:days',
      ok({
        bounds: boundsOf(NOON, 30),
        boxes: [
          {
            boxId: idOf(8),
            name: 'train-z',
            platform: 'runpod',
            tags: ['paper'],
            spent: { today: spent([]), week: gone, month: gone, total: gone },
            byKind: {},
            unresolved: {},
          },
          {
            boxId: idOf(9),
            name: null,
            platform: null,
            tags: [],
            spent: { today: spent([]), week: gone, month: gone, total: gone },
            byKind: {
              compute: { USD: Array.from({ length: 30 }, (_, i) => (i === 3 ? 5_000_000 : 0)) },
            },
            unresolved: {},
          },
        ],
      }),
    );
    await show(<CostsPage boxId={null} />, three);
    const user = userEvent.setup();
    const table = () => screen.getByRole('table', { name: /Costs by/ });
    expect(within(table()).getByRole('row', { name: /train-a \$3\.60\/h \$10\.00/ })).toBeDefined();
    expect(
      within(table()).getByRole('row', { name: /forgotten box 00000009 – nothing \$5\.00/ }),
    ).toBeDefined();
    expect(
      within(table()).getByRole('row', { name: /train-z \(forgotten\) – nothing \$5\.00/ }),
    ).toBeDefined();
    const tiles = screen.getByText('In total').parentElement;
    expect(tiles?.textContent).toContain('CN¥10.00 + €10.00 + $20.00');
    await user.click(screen.getByRole('radio', { name: 'Tag' }));
    expect(
      within(table()).getByRole('row', { name: /^paper CN¥2\.08\/h \+ \$3\.60\/h.*\$15\.00/ }),
    ).toBeDefined();
    await user.click(screen.getByRole('radio', { name: 'Platform' }));
    expect(within(table()).getByRole('row', { name: /^Forgotten boxes/ })).toBeDefined();
    expect(
      await screen.findByRole('application', {
        name: /\$5\.00 since .* Largest part: Forgotten boxes/,
      }),
    ).toBeDefined();
    await user.click(screen.getByRole('radio', { name: 'Table' }));
    expect(
      screen.getByRole('group', { name: 'Spend over time, as a table' }).textContent,
    ).toContain('$5.00');
  });

  it('adds currencies only at rates that were entered, marks that, and names what is missing', async () => {
    const rates = { CNY: 140_000 };
    bridge.serve('settings', {
      ...SAMPLE_SETTINGS,
      costs: { sumIn: 'USD', rates, ratesAtMs: NOON },
    });
    bridge.answer('settings:change', ok(SAMPLE_SETTINGS));
    await show(<CostsPage boxId={null} />, three);
    const section = screen.getByRole('region', { name: 'In one currency' });
    expect(section.textContent).toContain('needs a rate for EUR');
    const user = userEvent.setup();
    await user.click(within(section).getByRole('button', { name: 'Change rates…' }));
    await user.type(within(section).getByRole('textbox', { name: '1 EUR in USD' }), '1.10');
    await user.click(within(section).getByRole('button', { name: 'Save rates' }));
    expect(bridge.callsTo('settings:change')).toEqual([
      {
        patch: {
          costs: { sumIn: 'USD', rates: { CNY: 140_000, EUR: 1_100_000 }, ratesAtMs: NOON },
        },
      },
    ]);
    const costs = { sumIn: 'USD', rates: { CNY: 140_000, EUR: 1_100_000 }, ratesAtMs: NOON };
    act(() => bridge.publish('settings', [{ ...SAMPLE_SETTINGS, costs }]));
    expect(section.textContent).toContain('≈ $');
    expect(section.textContent).toContain('at your rates');
  });

  it('says where the ledger was written to, or why it was not', async () => {
    bridge.answer(
      'meter:export',
      ok({ kind: 'saved', file: '/home/me/costs.csv', rows: 12, bytes: 3400 }),
    );
    await show(<CostsPage boxId={null} />, three);
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Export CSV…' }));
    expect(screen.getByRole('status').textContent).toBe(
      '12 rows, 3.4\u00a0kB, written to /home/me/costs.csv',
    );
    bridge.answer('meter:export', err(problem('disk-full', 'No room for it.')));
    await user.click(screen.getByRole('button', { name: 'Export CSV…' }));
    expect(screen.getByRole('alert').textContent).toContain('No room for it.');
  });

  it('keeps budgets: names what is wrong with one, saves it, and says whether it is kept', async () => {
    await show(<CostsPage boxId={null} />, three);
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Add budget…' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Add a budget' }));
    await user.selectOptions(dialog.getByRole('combobox', { name: 'For' }), 'Tag paper');
    await user.type(dialog.getByRole('textbox', { name: 'At most' }), '-5');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(dialog.getByText('An amount cannot be negative.')).toBeDefined();
    expect(bridge.callsTo('meter:set-budgets')).toEqual([]);
    await user.clear(dialog.getByRole('textbox', { name: 'At most' }));
    await user.type(dialog.getByRole('textbox', { name: 'At most' }), '200');
    const budget = {
      id: idOf(7),
      scope: { kind: 'tag' as const, tag: 'paper' },
      per: 'month' as const,
      limit: cny(200_000_000),
    };
    const because = 'USD was spent as well';
    bridge.answer(
      'meter:budgets',
      ok([
        {
          budget,
          boxName: null,
          answer: { kind: 'unsure', spent: cny(1), because },
          course: { bounds: [0, 3_600_000, 7_200_000], spentMicros: [0, 1_000_000, null] },
        },
      ]),
    );
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(bridge.callsTo('meter:set-budgets')).toMatchObject([
      { budgets: [{ scope: budget.scope, per: 'month', limit: { micros: 200_000_000 } }] },
    ]);
    const section = screen.getByRole('region', { name: 'Budgets' });
    expect(section.textContent).toContain('not certain, because USD was spent as well');
    await user.click(within(section).getByText('Spent this month, day by day'));
    const picture = await within(section).findByRole('application');
    expect(picture.getAttribute('aria-label')).toMatch(
      /^Tag paper: .*1\.00 of .*200\.00 spent, at this pace .*2\.00 by its end$/,
    );
    await user.click(
      within(section).getByRole('button', { name: 'Remove the budget of Tag paper' }),
    );
    expect(bridge.callsTo('meter:set-budgets').at(-1)).toEqual({ budgets: [] });
  });
});

describe('the costs of one box', () => {
  const line = (no: number, part: Partial<Interval> = {}): Interval => ({
    no,
    fromMs: NOON - no * 3_600_000,
    ms: 3_600_000,
    phase: 'running',
    source: 'observed',
    charges: [{ kind: 'compute', what: 'GPU time', rate: hourly(3_600_000) }],
    life: null,
    ...part,
  });
  const ledger = {
    intervals: [line(1), line(2, { source: 'unresolved' }), line(3)],
    transfers: [],
    corrections: [{ no: 4, voids: 3, atMs: NOON, by: 'person' as const, reason: 'it was free' }],
  };

  it('lists its lines, settles what nobody saw, and keeps what was taken out with its reason', async () => {
    bridge.answer('meter:ledger', ok(ledger));
    await show(<CostsPage boxId={BOX} />, three);
    const user = userEvent.setup();
    const list = () => within(screen.getByRole('table', { name: 'Ledger' }));
    expect(list().getAllByRole('row')).toHaveLength(3);
    expect(list().getByText('at most $3.60', { exact: false })).toBeDefined();
    await user.click(screen.getByRole('button', { name: /^Settle the line/ }));
    await user.click(await screen.findByRole('menuitem', { name: /It was stopped/ }));
    expect(bridge.callsTo('meter:settle')).toEqual([{ boxId: BOX, no: 2, as: 'stopped' }]);
    await user.click(screen.getByRole('radio', { name: 'All ever written' }));
    expect(list().getByText(/Taken out by you, .*: it was free/)).toBeDefined();
  });

  it('corrects a line only with a reason, and adds one only of a time that is over', async () => {
    bridge.answer('meter:ledger', ok(ledger));
    await show(<CostsPage boxId={BOX} />, three);
    const user = userEvent.setup();
    await user.click(screen.getAllByRole('button', { name: /^Correct the line/ })[0]!);
    const dialog = within(screen.getByRole('dialog', { name: 'Correct a line' }));
    await user.clear(dialog.getByRole('textbox', { name: 'An hour' }));
    await user.click(dialog.getByRole('button', { name: 'Correct' }));
    expect(dialog.getByText(/Enter a reason/)).toBeDefined();
    await user.type(dialog.getByRole('textbox', { name: 'Why' }), 'a credit');
    await user.click(dialog.getByRole('button', { name: 'Correct' }));
    expect(bridge.callsTo('meter:correct')).toEqual([
      {
        boxId: BOX,
        no: 1,
        reason: 'a credit',
        fromMs: NOON - 3_600_000,
        ms: 3_600_000,
        phase: 'running',
        charges: [],
      },
    ]);
    await user.click(screen.getByRole('button', { name: 'Add a line…' }));
    const add = within(screen.getByRole('dialog', { name: 'Add a line' }));
    await user.type(add.getByRole('textbox', { name: 'Lasted, hours' }), '2');
    await user.click(add.getByRole('button', { name: 'Add' }));
    expect(add.getByText('It would end in the future.')).toBeDefined();
    expect(bridge.callsTo('meter:add-line')).toEqual([]);
  });

  it('says what its runs have cost and will cost, and what of it is unknown', async () => {
    bridge.answer('meter:ledger', ok(ledger));
    const run = {
      bootId: 'b1',
      startTicks: 1,
      holdsGpu: true,
      command: 'python train.py',
      isLater: false,
      sinceMs: NOON - 7_200_000,
      outlook: null,
    };
    const progress = { unit: 'step', atLeast: 123, total: 500 } as const;
    const outlook = { progress, end: { fromMs: NOON + 7_200_000, toMs: NOON + 10_800_000 } };
    const costs = [
      { ...run, pid: 4711, spent: spent([usd(7_200_000)]), outlook },
      { ...run, pid: 4712, command: null, isLater: true, spent: spent([usd(1_000_000)]) },
      {
        ...run,
        pid: 4713,
        command: 'sleep 1',
        sinceMs: null,
        spent: null,
        holdsGpu: false,
      },
    ];
    const runs = { seenAtMs: NOON, costs, more: 2 };
    await show(<CostsPage boxId={BOX} />, { [BOX]: at({ runs }) });
    const section = screen.getByRole('region', { name: 'What its runs have cost' });
    const text = section.textContent.replace(/\u00a0/g, ' ');
    expect(text).toMatch(/python train\.py\$7\.20 in 2 h process 4711/);
    expect(text).toMatch(/process 4712at least \$1\.00 in 2 h/);
    expect(text).toMatch(/sleep 1–Nobody saw it start, or no price is set\s+process 4713, no GPU/);
    expect(text).toContain('Runs that share a box share this money. 2 more are not listed.');
    expect(text).toContain('An end is estimated only where its log counts to one.');
    expect(text).toMatch(
      /process 4711\. Step 123 of 500, estimated to end between 30 Mar 2026, 14:00 and/,
    );
    const ahead = () => screen.getByRole('region', { name: 'Projections' }).textContent;
    // Two hold a GPU: until which of them ends?
    expect(ahead()).not.toContain('Until its run ends');
    cleanup();
    await show(<CostCard boxId={BOX} link={LINK_UP} />, { [BOX]: at({ runs }) });
    // Two hold a GPU: none of them is "this run".
    const card = () => screen.getByRole('region', { name: 'Cost meter' }).textContent;
    expect(card()).not.toContain('· run');
    cleanup();
    const only = { ...runs, costs: [costs[0]!, costs[2]!] };
    await show(<CostCard boxId={BOX} link={LINK_UP} />, { [BOX]: at({ runs: only }) });
    expect(card()).toContain('· run $7.20');
    cleanup();
    await show(<CostsPage boxId={BOX} />, { [BOX]: at({ runs: only }) });
    expect(ahead()).toMatch(
      /Until its run ends\$7\.20 to \$10\.80 more; it ends .* Estimated from its log: step 123 of 500\./,
    );
    cleanup();
    // What is missing for a sum stands in its place: never a bare "unknown", and never nothing.
    await show(<CostsPage boxId={BOX} />, { [BOX]: at({ runs: only, phase: null }) });
    expect(ahead()).toContain('Until its run endsNo cost before the box is connected; it ends');
    cleanup();
    await show(<CostsPage boxId={BOX} />, { [BOX]: unpricedMeter({ asOfMs: NOON, runs: only }) });
    expect(ahead()).toContain('Until its run endsNo price set; it ends');
    cleanup();
    const blind = { ...runs, costs: [{ ...costs[0]!, outlook: { progress, end: null } }] };
    await show(<CostsPage boxId={BOX} />, { [BOX]: at({ runs: blind }) });
    expect(ahead()).toContain('Until its run endsIts log says step 123 of 500, and nothing yet');
    cleanup();
    const unsaid = { ...runs, costs: [{ ...costs[0]!, outlook: null }] };
    await show(<CostsPage boxId={BOX} />, { [BOX]: at({ runs: unsaid }) });
    expect(ahead()).toContain('Until its run endsIts log does not count to an end');
  });

  it('names what the nearest deadline is, and what the box costs until then', async () => {
    bridge.answer('meter:ledger', ok(ledger));
    const atMs = NOON + 2 * 3_600_000;
    const release = sampleClock({
      event: 'Auto release',
      due: { kind: 'at', atMs, isEstimate: false },
    });
    bridge.serve('clocks', { boxes: { [BOX]: sampleBoxClocks([release]) } });
    await show(<CostsPage boxId={BOX} />, { [BOX]: at() });
    expect(screen.getByRole('region', { name: 'Projections' }).textContent).toMatch(
      /Until: Auto release\$7\.20 more, if nothing changes before/,
    );
  });

  it('says what hours would cost, and that bytes without a price are not in it', async () => {
    bridge.answer('meter:ledger', ok(ledger));
    await show(<CostsPage boxId={BOX} />, three);
    const user = userEvent.setup();
    const group = within(screen.getByRole('group', { name: 'What a run would cost' }));
    await user.type(group.getByRole('textbox', { name: 'Planned run (hours)' }), '2.5');
    expect(group.getByRole('status').textContent).toBe('would cost $9.00');
    await user.type(group.getByRole('textbox', { name: 'Data to download (GB)' }), '41');
    expect(group.getByRole('status').textContent).toBe('would cost at least $9.00');
  });
});

describe('the form for prices', () => {
  const fill = async (name: string, text: string): Promise<void> => {
    const field = screen.getByRole('textbox', { name });
    await userEvent.clear(field);
    if (text !== '') await userEvent.type(field, text);
  };
  const HOUR = 'Price per hour';
  const openMore = () => userEvent.click(screen.getByText(/^More: disks/));

  it.each([
    ['-1', 'USD', 'An amount cannot be negative.'],
    ['2,49', 'USD', 'Write 2.49 with a point.'],
    ['249000000', 'USD', 'More than 100000 USD a hour cannot be right. Look for the point.'],
    ['2.49', 'RMB', '“RMB” is not a currency code. Use one like USD, EUR or CNY.'],
    ['0.0000001', 'USD', 'An amount has at most six digits after the point.'],
  ])('refuses %s %s by name and saves nothing', async (amount, currency, why) => {
    await show(<PriceDialog boxId={BOX} onClose={() => undefined} />, { [BOX]: unpricedMeter() });
    await fill(HOUR, amount);
    await userEvent.clear(screen.getByRole('combobox', { name: 'Currency' }));
    await userEvent.type(screen.getByRole('combobox', { name: 'Currency' }), currency);
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(screen.getByText(why)).toBeDefined();
    expect(bridge.callsTo('meter:set-prices')).toEqual([]);
  });

  it('takes a price for each GPU, and says what that is for the box', async () => {
    await show(<PriceDialog boxId={BOX} onClose={() => undefined} />, { [BOX]: at() });
    const price = () => screen.getByRole<HTMLInputElement>('textbox', { name: HOUR });
    await userEvent.click(screen.getByRole('radio', { name: 'per GPU' }));
    // What is known is said anew; what was typed stays as it was typed.
    expect(price().value).toBe('1.80');
    await fill(HOUR, '2.5');
    expect(screen.getByText('= $5.00/h for the box')).toBeDefined();
    await fill('GPUs', '');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(screen.getByText('How many GPUs, 1 to 1024.')).toBeDefined();
    expect(bridge.callsTo('meter:set-prices')).toEqual([]);
    await fill('GPUs', '4');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(bridge.callsTo('meter:set-prices')).toMatchObject([
      { prices: { compute: hourly(10_000_000) } },
    ]);
  });

  it('asks for one price first, and unfolds the rest where something of it is wrong', async () => {
    await show(<PriceDialog boxId={BOX} onClose={() => undefined} />, { [BOX]: unpricedMeter() });
    const more = () => screen.getByText(/^More: disks/).closest('details');
    expect(more()?.open).toBe(false);
    const fields = screen.getAllByRole('textbox').map((each) => more()?.contains(each));
    expect(fields.filter((isFolded) => isFolded === false)).toHaveLength(1);
    await openMore();
    await fill('Data out of the datacenter, USD per GB', '-1');
    await openMore();
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(more()?.open).toBe(true);
    expect(screen.getByText('An amount cannot be negative.')).toBeDefined();
  });

  it('prices all the time so far at the first time, and from now on later, as it says', async () => {
    await show(<PriceDialog boxId={BOX} onClose={() => undefined} />, { [BOX]: unpricedMeter() });
    await fill(HOUR, '2.49');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(bridge.callsTo('meter:set-prices')).toMatchObject([
      { boxId: BOX, fromMs: 0, prices: { compute: hourly(2_490_000), egress: null } },
    ]);
    cleanup();
    closeFeeds();
    await show(<PriceDialog boxId={BOX} onClose={() => undefined} />, { [BOX]: at() });
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: HOUR }).value).toBe('3.60');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(bridge.callsTo('meter:set-prices').at(-1)).toMatchObject({ fromMs: null });
  });

  it('takes another currency for all but the hour, and gives it back as it was', async () => {
    await show(<PriceDialog boxId={BOX} onClose={() => undefined} />, { [BOX]: at() });
    const other = () =>
      screen.getByRole<HTMLInputElement>('combobox', { name: 'Currency for other charges' });
    await openMore();
    expect(other().placeholder).toBe('USD');
    await fill('Data out of the datacenter, USD per GB', '0.05');
    await userEvent.type(other(), 'rm');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(screen.getByText(/“RM” is not a currency code/)).toBeDefined();
    await userEvent.clear(other());
    await userEvent.type(other(), 'cny');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    const prices = {
      compute: hourly(3_600_000),
      egress: { micros: 50_000, currency: 'CNY', per: 'GB' } as const,
    };
    expect(bridge.callsTo('meter:set-prices')).toMatchObject([{ boxId: BOX, prices }]);
    cleanup();
    closeFeeds();
    const meter = at();
    const known = { ...meter, prices: { ...meter.prices, ...prices } };
    await show(<PriceDialog boxId={BOX} onClose={() => undefined} />, { [BOX]: known });
    expect(other().value).toBe('CNY');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(bridge.callsTo('meter:set-prices').at(-1)).toMatchObject({ prices });
  });

  it('takes disks with both prices or none, and shows what main refuses', async () => {
    await show(<PriceDialog boxId={BOX} onClose={() => undefined} />, { [BOX]: at() });
    await openMore();
    await userEvent.click(screen.getByRole('button', { name: 'Add disk' }));
    await userEvent.type(screen.getByRole('combobox', { name: 'Disk' }), 'my disk');
    await fill('Size, GB', '1.5');
    await fill('A GB a month, running', '0.10');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(screen.getByText('Write the size in whole GB, such as 200.')).toBeDefined();
    expect(screen.getByText(/Enter both, or neither/)).toBeDefined();
    await fill('Size, GB', '200');
    await fill('stopped', '0.20');
    bridge.answer('meter:set-prices', err(problem('disk-full', 'No room for it.')));
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    const perGB = {
      running: { micros: 100_000, currency: 'USD', per: 'month' },
      stopped: { micros: 200_000, currency: 'USD', per: 'month' },
    };
    expect(bridge.callsTo('meter:set-prices')).toMatchObject([
      { prices: { disks: [{ tier: 'my disk', sizeGB: 200, perGB }] } },
    ]);
    expect(screen.getByRole('alert').textContent).toContain('No room for it.');
  });
});

describe('what the palette asks of the costs', () => {
  const ask = (part: PagePart): void => act(() => overlayOpened({ kind: 'on-page', part }));

  it('is a file of all of it, the rates, and a budget', async () => {
    bridge.answer('meter:export', ok({ kind: 'cancelled' }));
    await show(<CostsPage boxId={null} />, three);
    ask('costs-csv');
    expect(bridge.callsTo('meter:export')).toEqual([{ boxId: null }]);
    ask('rates');
    expect(screen.getByRole('group', { name: 'Rates' })).toBeDefined();
    ask('new-budget');
    expect(screen.getByRole('dialog', { name: 'Add a budget' })).toBeDefined();
  });

  it('is a line or a transfer of one box', async () => {
    await show(<CostsPage boxId={BOX} />, three);
    ask('new-line');
    expect(screen.getByRole('dialog', { name: 'Add a line' })).toBeDefined();
    ask('new-transfer');
    expect(screen.getByRole('dialog').textContent).toContain('transfer');
    await userEvent.setup().keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(useView.getState().overlay.kind).toBe('none');
  });
});
