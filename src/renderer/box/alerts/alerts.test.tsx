import { takeCopies } from '../../ui/take-copies.fixture.ts';
import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { advance, openAlert } from '../../../shared/alerts/advance.ts';
import type { Alert } from '../../../shared/alerts/alert.ts';
import type { Blind, BoxFindings } from '../../../shared/detectors/box-findings.ts';
import { detectors } from '../../../shared/detectors/catalog.ts';
import { detectorIds, type Finding } from '../../../shared/detectors/finding.ts';
import { problem } from '../../../shared/problem.ts';
import { LOOKLESS } from '../../../shared/gotchas/catalog.fixture.ts';
import { err } from '../../../shared/result.ts';
import { App } from '../../app/app.tsx';
import { CONCERNS_HOLDERS, CONCERNS_MACHINE, CONCERNS_SECRETS } from './card-actions.ts';
import { fixPlacesOf } from './fix-actions.ts';
import { sampleEntry, SEEN_MS } from '../../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../../state/fake-bridge.fixture.ts';
import { openFeeds } from '../../state/feeds.ts';
import { createStreamClient } from '../../state/stream-client.ts';
import { openTestWindow } from '../../test-window.fixture.ts';

const A = '11111111-1111-4111-8111-111111111111';
const B = '21111111-1111-4111-8111-111111111111';

const THROTTLED: Finding = {
  detector: 'U23',
  title: 'Thermal or power throttling quietly takes 25-40%',
  short: 'throttled',
  subject: { kind: 'gpu', index: 0, uuid: 'GPU-a' },
  severity: 'critical',
  headline: 'GPU 0 is held at 50 % of its clock: power brake.',
  means: 'The power supply of the machine pulled the brake.',
  fix: ['Confirm from clocks', 'Rent a healthier box'],
  commands: ['nvidia-smi -q -d PERFORMANCE', 'nvidia-smi -L'],
  wastedShare: 0.25,
  clues: [
    { kind: 'figure', label: 'SM clock', value: 705.5, unit: 'MHz', windowMs: 30_000 },
    { kind: 'line', line: 'clocks 0x88 <b>\u202Egnp.exe\u0007' },
  ],
  caveat: null,
  sinceMs: SEEN_MS - 240_000,
  lastSeenMs: SEEN_MS - 1000,
  costPerHour: null,
  notSeenBecause: null,
};
const CAPPED: Finding = {
  ...THROTTLED,
  detector: 'power-cap',
  title: 'Power cap',
  severity: 'info',
  headline: 'GPU 1 is capped.',
  subject: { kind: 'gpu', index: 1, uuid: 'GPU-b' },
  wastedShare: null,
};
const BLIND: readonly Blind[] = [
  { detector: 'U38', title: '0% GPU', because: 'the CPU use is not known', gpus: [0, 1] },
  { detector: 'U38', title: '0% GPU', because: 'no reading', gpus: [2] },
  { detector: 'U40', title: 'Thread pools', because: 'the control group is not read', gpus: [] },
];
const BLIND_DISK: Blind = {
  detector: 'U40',
  title: 'Thread pools',
  because: 'it did not answer in time',
  gpus: [],
  subject: { kind: 'mount', path: '/data' },
};
const ALL_BLIND: readonly Blind[] = detectorIds.map((detector) => ({
  detector,
  title: detector,
  because: 'the box is not connected',
  gpus: [],
}));

const report = (part: Partial<BoxFindings> = {}): BoxFindings => ({
  atMs: SEEN_MS,
  findings: [],
  unknown: [],
  clear: [],
  ...part,
});

const closers: (() => void)[] = [];

/** Two boxes, so that the window begins with the fleet's table. */
async function openApp(boxes: Readonly<Record<string, BoxFindings>>): Promise<FakeBridge> {
  const bridge = openTestWindow([
    sampleEntry({}, { id: A, name: 'train-a' }),
    sampleEntry({}, { id: B, name: 'sweep-2' }),
  ]);
  bridge.serve('findings', { boxes });
  await show(bridge);
  return bridge;
}

async function show(bridge: FakeBridge): Promise<void> {
  const client = createStreamClient(bridge);
  await act(async () => {
    closers.push(openFeeds(client));
    await Promise.resolve();
    render(<App streams={client} />);
  });
  await screen.findByRole('heading', { level: 1 });
}

async function openAlerts(boxes: Readonly<Record<string, BoxFindings>>): Promise<FakeBridge> {
  const bridge = await openApp(boxes);
  await chooseAlerts();
  return bridge;
}

async function chooseAlerts(): Promise<void> {
  const user = userEvent.setup();
  await user.click(rail().getByRole('button', { name: /train-a/ }));
  await user.click(screen.getByRole('tab', { name: /^Alerts/ }));
}

const rail = () => within(screen.getByRole('navigation', { name: 'Boxes' }));
const panel = () => within(screen.getByRole('tabpanel'));
const plain = (element: HTMLElement): string => element.textContent.replace(/[\u202f\u00a0]/g, ' ');
const tableRow = (name: RegExp): HTMLElement =>
  within(screen.getByRole('grid')).getByRole('row', { name });

beforeEach(() => void vi.useFakeTimers({ now: SEEN_MS + 1000, toFake: ['Date'] }));
afterEach(() => {
  cleanup();
  for (const close of closers.splice(0)) close();
  vi.useRealTimers();
});

it('counts the very checks that the catalog holds', () => {
  expect([...detectorIds].sort()).toEqual(detectors.map(({ id }) => id).sort());
});

describe('the Alerts tab', () => {
  it('tells each finding, the worst first, with all that is known of it', async () => {
    await openAlerts({ [A]: report({ findings: [THROTTLED, CAPPED], unknown: BLIND }) });
    const [worst, mild] = await panel().findAllByRole('article');
    expect(worst).toBe(panel().getByRole('article', { name: THROTTLED.headline }));
    const told = plain(worst as HTMLElement);
    expect(told).toContain('Critical');
    expect(told).toContain('for 4 min · last seen 2 s ago · set a price to see what it costs');
    expect(told).toContain(THROTTLED.means);
    for (const step of THROTTLED.fix) expect(told).toContain(step);
    expect(plain(mild as HTMLElement)).toContain('Note');
    expect(plain(mild as HTMLElement)).not.toContain('cost');
    const id = within(worst as HTMLElement).getByTitle(/^Thermal or power throttling.*\(U23\)/);
    expect(id.textContent).toBe('U23');
    expect(plain(screen.getByRole('tabpanel'))).toContain('2 alerts · 63 of 65 checks ran');
    expect(plain(screen.getByRole('tabpanel'))).toMatch(/Latest reading: just now/);
  });

  it('says what it costs where the price is known', async () => {
    const costPerHour = { micros: 830_000, currency: 'USD' };
    await openAlerts({ [A]: report({ findings: [{ ...THROTTLED, costPerHour }] }) });
    const card = plain(await panel().findByRole('article'));
    expect(card).toContain('costs about $0.83 per hour');
    expect(card).not.toContain('set a price');
  });

  it('hands out the commands to look oneself', async () => {
    const copied: string[] = [];
    takeCopies(copied);
    await openAlerts({ [A]: report({ findings: [THROTTLED] }) });
    const [copy] = await panel().findAllByRole('button', { name: 'Copy' });
    await userEvent.setup().click(copy as HTMLElement);
    expect(copied).toEqual(['nvidia-smi -q -d PERFORMANCE']);
  });

  it('leads to the entry of the handbook, also where the rule is called by a word', async () => {
    await openAlerts({ [A]: report({ findings: [THROTTLED, CAPPED] }) });
    const links = await panel().findAllByRole('link', { name: /^More in the Handbook/ });
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['#U23', '#POWER-CAP']);
  });

  it('shows the clues on click, without what a box could hide in it', async () => {
    await openAlerts({ [A]: report({ findings: [THROTTLED] }) });
    const summary = await panel().findByText('Clues');
    const fold = summary.parentElement as HTMLDetailsElement;
    expect(fold.open).toBe(false);
    await userEvent.setup().click(summary);
    expect(fold.open).toBe(true);
    expect(plain(fold)).toContain('SM clock705.5 MHz mean over 30 s');
    expect(fold.querySelector('pre')?.textContent).toBe('clocks 0x88 <b>gnp.exe');
    expect(fold.querySelector('b')).toBeNull();
  });

  it('says of a line in which file and when it was written, once for lines of one place', async () => {
    const log = { file: '/work/\u202Etrain.log', atMs: Date.parse('2025-11-21T12:03:00') };
    const finding: Finding = {
      ...THROTTLED,
      detector: 'U6',
      subject: {
        kind: 'run',
        bootId: 'b1',
        pid: 41,
        startTicks: 5,
        command: 'python\u0007 train.py',
      },
      isEvent: true,
      clues: [
        { kind: 'line', line: 'Traceback', ...log },
        { kind: 'line', line: 'No space left on device', ...log },
        { kind: 'line', line: 'oom_kill 0 → 1' },
      ],
    };
    await openAlerts({ [A]: report({ findings: [finding] }) });
    const card = await panel().findByRole('article');
    expect(plain(card)).toContain('process 41 python train.py');
    expect(plain(card)).toContain('noticed 2 s ago');
    const places = [...card.querySelectorAll('figure')].map(plain);
    expect(places).toEqual([
      'Traceback\nNo space left on device/work/train.log · 21 Nov 2025, 12:03',
      'oom_kill 0 → 1',
    ]);
  });

  it('keeps an opened fold open when the numbers change', async () => {
    const bridge = await openAlerts({ [A]: report({ findings: [THROTTLED] }) });
    await userEvent.setup().click(await panel().findByText('Clues'));
    const next = { ...THROTTLED, headline: 'GPU 0 is held at 45 % of its clock.' };
    act(() =>
      bridge.publish('findings', [{ boxId: A, findings: report({ findings: [CAPPED, next] }) }]),
    );
    const card = panel().getByRole('article', { name: next.headline });
    const fold = within(card).getByText('Clues').parentElement as HTMLDetailsElement;
    expect(fold.open).toBe(true);
  });

  it('keeps what cannot be seen at present, and says why', async () => {
    const lost = { ...THROTTLED, notSeenBecause: 'the box is not connected' };
    await openAlerts({ [A]: report({ findings: [lost], unknown: ALL_BLIND }) });
    expect(plain(await panel().findByRole('article'))).toContain(
      'Not seen now, and perhaps not over: the box is not connected.',
    );
  });

  it('lists what cannot be told and why, folded', async () => {
    await openAlerts({ [A]: report({ unknown: [...BLIND, BLIND_DISK] }) });
    const heading = await panel().findByRole('heading', {
      name: 'All clear · 63 of 65 checks ran',
    });
    expect(heading).toBeDefined();
    const summary = panel().getByText('2 checks couldn’t run');
    const fold = summary.parentElement as HTMLDetailsElement;
    expect(fold.open).toBe(false);
    await userEvent.setup().click(summary);
    expect(fold.open).toBe(true);
    const told = plain(fold);
    expect(told).toContain('What they check for is unknown, not clear:');
    expect(told).toContain('0% GPU U38GPU 0, 1: the CPU use is not known.');
    expect(told).toContain('Thread pools U40the control group is not read.');
    expect(told).toContain('Thread pools U40/data: it did not answer in time.');
  });

  it('says once what all checks of a box lack', async () => {
    await openAlerts({ [A]: report({ unknown: ALL_BLIND }) });
    const fold = (await panel().findByText(/^\d+ checks couldn’t run/)).parentElement;
    const told = plain(fold!);
    expect(told.split('the box is not connected')).toHaveLength(2);
    for (const { title } of ALL_BLIND) expect(told).toContain(title);
  });

  it('shows the worst three whole, and of the others at first what they are and what can be done', async () => {
    const findings = ['a', 'b', 'c', 'd'].map((name, index): Finding => ({
      ...CAPPED,
      headline: `GPU ${name} is capped.`,
      subject: { kind: 'gpu', index, uuid: `GPU-${name}` },
    }));
    await openAlerts({ [A]: report({ findings }) });
    const cards = await panel().findAllByRole('article');
    const folds = cards.map((card) => within(card).queryByText(/^What it means/));
    expect(folds.map((fold) => fold !== null)).toEqual([false, false, false, true]);
    const fold = folds[3]!.parentElement as HTMLDetailsElement;
    expect(fold.open).toBe(false);
    expect(within(cards[3]!).getByRole('button', { name: 'Show the charts' })).toBeDefined();
    await userEvent.setup().click(folds[3]!);
    expect(fold.open).toBe(true);
    expect(plain(fold)).toContain(CAPPED.means);
  });

  it('never calls a box fine that nobody could look at', async () => {
    await openAlerts({ [A]: report({ unknown: ALL_BLIND }) });
    expect(await panel().findByRole('heading', { name: 'No check could run' })).toBeDefined();
    expect(panel().getByRole('button', { name: 'Check now' })).toBeDefined();
    expect(screen.getByRole('tabpanel').textContent).not.toMatch(/nothing found/i);
    expect(screen.getByRole('region', { name: 'Alerts' }).textContent).toMatch(
      /Check now.*None of the checks could run/,
    );
  });

  it('says so when the findings cannot be had', async () => {
    const bridge = openTestWindow([
      sampleEntry({}, { id: A, name: 'train-a' }),
      sampleEntry({}, { id: B, name: 'sweep-2' }),
    ]);
    await show(bridge);
    const { useFindings } = await import('../../state/feeds.ts');
    const gone = problem('internal', 'The findings cannot be read.');
    act(() => useFindings.setState({ kind: 'failed', problem: gone }, true));
    bridge.answer('stream:open', err(gone));
    await chooseAlerts();
    expect(await panel().findByText('The findings cannot be read.')).toBeDefined();
  });
});

describe('the worst finding elsewhere', () => {
  function findingColumn(): number {
    const headings = screen.getAllByRole('columnheader').map(plain);
    return headings.findIndex((heading) => heading.startsWith('Worst finding'));
  }

  it('stands in the fleet table and leads to the alerts; a box without one shows none', async () => {
    await openApp({ [A]: report({ findings: [THROTTLED, CAPPED] }), [B]: report() });
    const cell = within(tableRow(/train-a/)).getByRole('button', { name: /throttled/ });
    expect(cell.textContent).toBe('Critical: throttledGPU 0 · 1 more');
    expect(cell.title).toContain(THROTTLED.headline);
    expect(tableRow(/sweep-2/).children[findingColumn()]?.textContent).toBe('');
    await userEvent.setup().click(cell);
    expect(screen.getByRole('tab', { selected: true }).textContent).toMatch(/^Alerts/);
    expect(await panel().findAllByRole('article')).toHaveLength(2);
  });

  it('is a dash in the table that says why where nothing was looked at', async () => {
    await openApp({ [A]: report({ unknown: ALL_BLIND }) });
    const whys = {
      'train-a': 'No check could run on this box',
      'sweep-2': 'The first check of this box is still to come',
    };
    for (const [name, why] of Object.entries(whys)) {
      const cell = tableRow(new RegExp(name)).children[findingColumn()];
      expect(cell?.textContent).toBe(`–${why}`);
      expect(cell?.querySelector('[title]')?.getAttribute('title')).toBe(why);
    }
  });

  it('stands in the rail with the mark of its severity, and goes when it is over', async () => {
    const bridge = await openApp({ [A]: report({ findings: [THROTTLED] }), [B]: report() });
    const row = rail().getByRole('button', { name: /train-a.*Critical:\s*throttled/ });
    expect(row.querySelector('[data-tone="danger"]')).not.toBeNull();
    expect(rail().getByRole('button', { name: /sweep-2.*working/ })).toBeDefined();
    act(() => bridge.publish('findings', [{ boxId: A, findings: report() }]));
    expect(row.textContent).toMatch(/working$/);
    expect(row.querySelector('[data-tone="danger"]')).toBeNull();
  });

  it('leaves the rail to the state of a box that gives no readings', async () => {
    const bridge = await openApp({ [A]: report({ findings: [THROTTLED] }) });
    act(() =>
      bridge.publish('fleet', [{ kind: 'change', boxId: A, part: { link: { kind: 'idle' } } }]),
    );
    expect(rail().getByRole('button', { name: /train-a/ }).textContent).toMatch(/not connected$/);
  });

  it('is counted on the tab and told by the card', async () => {
    await openAlerts({ [A]: report({ findings: [THROTTLED, CAPPED], unknown: BLIND }) });
    const tab = screen.getByRole('tab', { name: /Alerts/ });
    expect(tab.textContent).toBe('Alerts2 (2 alerts, worst: Critical)');
    const card = screen.getByRole('region', { name: 'Alerts' });
    expect(card.textContent).toContain('Critical: Throttled');
    expect(card.textContent).toContain(THROTTLED.headline);
    await userEvent.setup().click(screen.getByRole('tab', { name: 'Overview' }));
    await userEvent.setup().click(within(card).getByRole('button', { name: 'Show 2 alerts' }));
    expect(tab.getAttribute('aria-selected')).toBe('true');
  });
});

describe('an alert', () => {
  const ALERT = openAlert('5f6a3f0e-58a4-4f0f-9a35-0d6b1a0f5c01', {
    ...THROTTLED,
    sinceMs: SEEN_MS - 7_200_000,
    lastSeenMs: SEEN_MS - 3_600_000,
    costPerHour: { micros: 830_000, currency: 'USD' },
  });
  const LEFT = advance(ALERT, { kind: 'unknown', because: 'Leasehold was closed' });

  async function openWith(alert: Alert, findings: readonly Finding[], log: readonly Alert[] = []) {
    const bridge = openTestWindow([
      sampleEntry({}, { id: A, name: 'train-a' }),
      sampleEntry({}, { id: B, name: 'sweep-2' }),
    ]);
    bridge.serve('findings', { boxes: { [A]: report({ findings }) } });
    bridge.serve('alerts', { boxes: { [A]: [alert] } });
    bridge.serve('alert-log', log);
    await show(bridge);
    await chooseAlerts();
    return bridge;
  }

  it('keeps its beginning, and the figures of now, and is told to main as seen', async () => {
    const bridge = await openWith(ALERT, [THROTTLED]);
    const told = plain(await panel().findByRole('article'));
    expect(told).toContain('for 2 h');
    expect(told).toContain('last seen 2 s ago');
    expect(told).toContain('New');
    expect(bridge.callsTo('alerts:seen')).toEqual([{ boxId: A }]);
  });

  it('is shown after a restart although no check has looked, also elsewhere, and can be said to be over', async () => {
    const bridge = await openWith(LEFT, []);
    expect(plain(await panel().findByRole('article'))).toContain(
      'perhaps not over: Leasehold was closed.',
    );
    expect(screen.getByRole('tab', { name: /Alerts/ }).textContent).toContain('1 alert');
    expect(screen.getByRole('region', { name: 'Alerts' }).textContent).toContain('Critical');
    await userEvent.setup().click(panel().getByRole('button', { name: 'Mark as resolved' }));
    expect(bridge.callsTo('alerts:dismiss')).toEqual([{ boxId: A, alertId: ALERT.id }]);
  });

  it('is not shown any more once the person said so, while a check cannot see it', async () => {
    const lost = { ...THROTTLED, notSeenBecause: 'the box is not connected' };
    const bridge = await openWith(LEFT, [lost]);
    expect(await panel().findByRole('article')).toBeDefined();
    act(() => bridge.publish('alerts', [{ boxId: A, value: [] }]));
    expect(panel().queryByRole('article')).toBeNull();
    expect(screen.getByRole('tab', { name: /Alerts/ }).textContent).toBe('Alerts');
  });

  it('leaves the form with Escape, and the focus where it was opened', async () => {
    await openWith(ALERT, [THROTTLED]);
    const user = userEvent.setup();
    await user.click(await panel().findByRole('button', { name: 'Snooze…' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Until…' }));
    expect(document.activeElement).toBe(panel().getByLabelText('Snooze until'));
    await user.keyboard('{Escape}');
    expect(document.activeElement).toBe(panel().getByRole('button', { name: 'Snooze…' }));
  });

  it('cannot be said to be over while a check sees it', async () => {
    await openWith(ALERT, [THROTTLED]);
    expect(await panel().findByRole('button', { name: 'Snooze…' })).toBeDefined();
    expect(panel().queryByRole('button', { name: 'Mark as resolved' })).toBeNull();
  });

  it('is put off to an end that the person chooses, and counts no more until then', async () => {
    const bridge = await openWith(ALERT, [THROTTLED]);
    const user = userEvent.setup();
    await user.click(await panel().findByRole('button', { name: 'Snooze…' }));
    const choices = await screen.findAllByRole('menuitem');
    expect(choices.map((each) => each.textContent)).toEqual([
      expect.stringMatching(/^1 hour/),
      expect.stringMatching(/^8 hours/),
      expect.stringMatching(/^Tomorrow 9:00.*09:00/),
      'Until…',
    ]);
    await user.click(choices[1]!);
    const [put] = bridge.callsTo('alerts:snooze') as readonly { readonly untilMs: number }[];
    expect(put).toMatchObject({ boxId: A, alertId: ALERT.id });
    const wanted = put?.untilMs ?? 0;
    expect(Math.round((wanted - Date.now()) / 3_600_000)).toBe(8);
    const snoozed = advance(ALERT, { kind: 'snooze', atMs: SEEN_MS, untilMs: wanted });
    act(() => bridge.publish('alerts', [{ boxId: A, value: [snoozed] }]));
    expect(
      within(panel().getByRole('list', { name: 'Snoozed alerts' })).getByRole('article')
        .textContent,
    ).toContain('Snoozed until');
    expect(screen.getByRole('tab', { name: /Alerts/ }).textContent).toBe('Alerts');
    expect(screen.getByRole('region', { name: 'Alerts' }).textContent).not.toContain('Critical');
    await user.click(panel().getByRole('button', { name: 'End snooze' }));
    expect(bridge.callsTo('alerts:snooze').at(-1)).toMatchObject({ untilMs: null });
  });

  it('leads to where it can be looked at', async () => {
    await openWith(ALERT, [THROTTLED]);
    await userEvent.setup().click(await panel().findByRole('button', { name: 'Show the charts' }));
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Overview');
  });

  it.each([
    'idle', // IDLE: it is paid for and does nothing
    'U22', // a broken card: what can be saved comes home first
  ] as const)('leads to the end of the box (IDLE, U22): %s', async (detector) => {
    const finding: Finding = { ...THROTTLED, detector };
    await openWith(ALERT, [finding]);
    await userEvent.setup().click(await panel().findByRole('button', { name: 'Go to Teardown' }));
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Teardown');
  });

  it('can be handed as text to those who rent the machine out, with its clues and without what is invisible', async () => {
    const copied: string[] = [];
    takeCopies(copied);
    await openWith(ALERT, [THROTTLED]);
    await userEvent.setup().click(await panel().findByRole('button', { name: 'Copy a report' }));
    const [text = ''] = copied;
    expect(text).toContain(`${THROTTLED.headline} (U23: ${THROTTLED.title})`);
    expect(text).toContain('Machine: train-a');
    expect(text).toContain('GPU: 0, GPU-a');
    expect(text).toContain('SM clock: 705.5 MHz, mean over 30 s');
    expect(text).not.toMatch(/[\u202e\u0007]/);
  });

  it('offers more than steps for each check that no command of the box can confirm', () => {
    const offersNothing = detectorIds.filter(
      (id) =>
        LOOKLESS.has(id) &&
        fixPlacesOf(id).length === 0 &&
        ![CONCERNS_HOLDERS, CONCERNS_MACHINE, CONCERNS_SECRETS].some((ids) => ids.has(id)),
    );
    expect(offersNothing).toEqual([]);
  });

  it('asks who holds the memory only where that is the matter', async () => {
    const held: Finding = { ...THROTTLED, detector: 'U11', headline: 'GPU 0 is held.' };
    const bridge = await openWith(ALERT, [THROTTLED, held]);
    const card = within(await panel().findByRole('article', { name: 'GPU 0 is held.' }));
    expect(panel().getAllByRole('button', { name: 'Find what holds VRAM…' })).toHaveLength(1);
    await userEvent.setup().click(card.getByRole('button', { name: 'Find what holds VRAM…' }));
    expect(await screen.findByRole('dialog')).toBeDefined();
    expect(bridge.callsTo('gpu-holders:look')).toEqual([{ boxId: A }]);
    expect(bridge.callsTo('gpu-holders:end')).toEqual([]);
  });

  it('begins an entry of the person’s own with what it rests on', async () => {
    const bridge = await openWith(ALERT, [THROTTLED]);
    bridge.answer('gotchas:draft', err(problem('internal', 'No.')));
    await userEvent
      .setup()
      .click(await panel().findByRole('button', { name: 'Save to Handbook…' }));
    expect(bridge.callsTo('gotchas:draft')).toEqual([
      {
        text: 'clocks 0x88 <b>\u202Egnp.exe\u0007',
        headline: THROTTLED.headline,
        severity: 'critical',
        platform: sampleEntry().box.platform,
        beside: 'SM clock: 705.5 MHz, mean over 30 s',
        takenFor: 'U23',
      },
    ]);
  });

  it('stays in the list of what is over, with its times and cost, and can be filtered', async () => {
    const over = advance(ALERT, { kind: 'clear', atMs: SEEN_MS - 1000 });
    const other = advance(openAlert('5f6a3f0e-58a4-4f0f-9a35-0d6b1a0f5c02', CAPPED), {
      kind: 'clear',
      atMs: SEEN_MS,
    });
    await openWith(LEFT, [], [other, over]);
    const rows = () => within(panel().getByRole('table')).getAllByRole('row').slice(1);
    await panel().findByRole('table');
    expect(rows()).toHaveLength(2);
    const told = plain(rows()[1] as HTMLElement);
    expect(told).toContain(THROTTLED.headline);
    expect(told).toContain('about $0.28 in 20 min seen');
    expect(told).toContain('nobody looked for the 59 min after that');
    const user = userEvent.setup();
    await user.click(panel().getByRole('radio', { name: 'Critical' }));
    expect(rows()).toHaveLength(1);
    expect(panel().getByText('1 of 2 alerts')).toBeDefined();
    await user.click(panel().getByRole('radio', { name: 'All' }));
    await user.type(panel().getByRole('textbox', { name: 'Filter history' }), 'capped GPU');
    expect(plain(rows()[0] as HTMLElement)).toContain(CAPPED.headline);
    expect(rows()).toHaveLength(1);
  });
});
