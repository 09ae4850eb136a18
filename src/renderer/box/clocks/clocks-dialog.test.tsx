import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NOTHING_TOLD } from '../../../shared/clocks/clock.ts';
import type { BoxMeter } from '../../../shared/meter/box-meter.ts';
import { problem } from '../../../shared/problem.ts';
import { err, ok } from '../../../shared/result.ts';
import type { BoxClocks } from '../../../shared/streams/meter-stream.ts';
import { at, HOUR_MS, sampleBoxClocks, sampleClock } from '../../clocks/clocks.fixture.ts';
import { toLocalInput } from '../../clocks/local-moment.ts';
import { NO_PRICES } from '../../../shared/meter/price-book.ts';
import { sampleMeter, usd } from '../../costs/meter.fixture.ts';
import { sampleEntry } from '../../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../../state/fake-bridge.fixture.ts';
import { openFeeds } from '../../state/feeds.ts';
import { createStreamClient } from '../../state/stream-client.ts';
import { useView } from '../../state/view.ts';
import { openTestWindow } from '../../test-window.fixture.ts';
import { DangerClockCard } from '../cards/danger-clock-card.tsx';
import { ClocksDialog } from './clocks-dialog.tsx';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const entry = sampleEntry({}, { platform: 'autodl' });
const BOX_ID = entry.box.id;

const release = sampleClock({ due: at(NOW + 8.7 * HOUR_MS) });
const low = sampleClock({
  id: 'autodl.low-balance',
  event: 'Forced stop',
  trigger: 'balance low',
  consequence: 'forced stop',
  loses: [],
  entry: { kind: 'balance' },
  due: { kind: 'unknown', because: 'no balance is entered; read it at the platform' },
});

async function openWindow(
  clocks: BoxClocks,
  children: React.ReactNode,
  meter: Partial<BoxMeter> | null = null,
): Promise<FakeBridge> {
  const bridge = openTestWindow([entry]);
  if (meter !== null) bridge.serve('meter', { boxes: { [BOX_ID]: sampleMeter(meter) } });
  bridge.serve('clocks', { boxes: { [BOX_ID]: clocks } });
  bridge.answer('clocks:entries', ok(NOTHING_TOLD));
  bridge.answer('clocks:account', ok(null));
  await act(async () => {
    closers.push(openFeeds(createStreamClient(bridge)));
    await Promise.resolve();
    render(children);
  });
  return bridge;
}

const dialog = (firstClockId: string | null = null) => (
  <ClocksDialog
    boxId={BOX_ID}
    firstClockId={firstClockId}
    isOwnFirst={false}
    onClose={() => undefined}
  />
);
const card = () => screen.getByRole('region', { name: 'Danger clock' });
const plain = (element: HTMLElement): string => element.textContent.replace(/\u00a0/g, ' ');

const closers: (() => void)[] = [];
beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ['Date'] }));
afterEach(() => {
  cleanup();
  for (const close of closers.splice(0)) close();
  vi.useRealTimers();
});

describe('the danger clock card', () => {
  it('shows the nearest clock with what happens, to which data, and how that is known', async () => {
    await openWindow(sampleBoxClocks([release, low]), <DangerClockCard entry={entry} />);
    expect(plain(card())).toMatch(/Auto release 8 h 42 min left.*Then: auto release deletes/);
    expect(plain(card())).toContain('data disk /root/autodl-tmp');
    // Nobody has told anything of the runs: that is never shown as nothing.
    expect(plain(card())).toContain('Connect the box to check what is not backed up.');
    expect(plain(card())).toContain('platform fact, checked 2026-06, 5 months ago');
    expect(plain(card())).toContain('+1 may run');
    const user = userEvent.setup();
    await user.click(within(card()).getByRole('button', { name: 'Change start time…' }));
    expect(useView.getState().overlay).toEqual({
      kind: 'clocks',
      boxId: BOX_ID,
      clockId: release.id,
    });
    await user.click(within(card()).getByRole('button', { name: 'All 2 timers' }));
    expect(useView.getState().overlay).toEqual({ kind: 'clocks', boxId: BOX_ID });
  });

  it('says how far this computer is behind the box, and when the time does not reach', async () => {
    const bridge = await openWindow(sampleBoxClocks([release]), <DangerClockCard entry={entry} />);
    const run = { runId: 'r', runName: 'train', problem: null };
    const seen = { files: 9, bytes: 18e9, checkpoints: 4, scratchBytes: 0, atMs: NOW - 180_000 };
    const tell = async (bytesPerS: number): Promise<void> => {
      const rate = { bytesPerS, atMs: NOW };
      const value = { runs: [{ ...run, seen }], unseenRuns: 0, rate };
      await act(async () => {
        bridge.publish('behind', [{ boxId: BOX_ID, value }]);
        await Promise.resolve();
      });
    };
    await tell(41e6);
    const words =
      'You are 4 checkpoints and 18.0 GB behind; at 41.0 MB/s that is 7 min; 8 h 42 min left';
    expect(plain(card())).toContain(`${words} (checked 3 min ago).`);
    await tell(41e4);
    expect(plain(card())).toContain('that is 12 h 11 min; 8 h 42 min left: not enough');
  });

  it('says that a clock is not known, never that all is well', async () => {
    await openWindow(sampleBoxClocks([low]), <DangerClockCard entry={entry} />);
    await waitFor(() => expect(plain(card())).toMatch(/Enter balance….*No balance is entered/));
    expect(plain(card())).not.toMatch(/Nothing scheduled/);
  });

  it('says what nobody saw once the time is over, and that the clocks are apart', async () => {
    const over = sampleClock({ due: at(NOW - 2 * HOUR_MS) });
    const clocks = sampleBoxClocks([over], { skew: { kind: 'off', byMs: 9000 } });
    await openWindow(
      clocks,
      <DangerClockCard entry={sampleEntry({ link: { kind: 'idle' } }, entry.box)} />,
    );
    await waitFor(() =>
      expect(plain(card())).toMatch(/Time over ?for 2 h.*whether it has happened is not known/),
    );
    expect(plain(card())).toContain('box clock off');
  });

  it('says of a box with no net how long it has been idle, and what that has cost', async () => {
    const due = { kind: 'stopwatch', sinceMs: NOW - 3 * HOUR_MS } as const;
    const forgotten = sampleClock({ danger: 'money', loses: [], due, entry: null });
    const idle = { sinceMs: NOW - 3 * HOUR_MS, wasted: [usd(10_800_000)] };
    await openWindow(sampleBoxClocks([forgotten]), <DangerClockCard entry={entry} />, {
      idle,
    });
    expect(plain(card())).toMatch(/3 h ?idle, and nothing ends it/);
    await waitFor(() => expect(plain(card())).toContain('Idle, it has cost $10.80.'));
    cleanup();
    await openWindow(sampleBoxClocks([forgotten]), dialog());
    expect(plain(screen.getByRole('dialog'))).toContain('No cost of that was metered.');
    cleanup();
    await openWindow(sampleBoxClocks([forgotten]), dialog(), { prices: NO_PRICES });
    await waitFor(() =>
      expect(plain(screen.getByRole('dialog'))).toContain('Set a price to see what that costs.'),
    );
  });

  it('has only a warning to show for a spot machine', async () => {
    const spot = sampleClock({ entry: { kind: 'spot' }, due: { kind: 'any-time', graceMs: 0 } });
    await openWindow(sampleBoxClocks([spot]), <DangerClockCard entry={entry} />);
    expect(plain(card())).toMatch(/Any time ?without a warning/);
    expect(plain(card())).toContain('Instance powered off · platform fact');
  });

  it('runs out nothing where nothing runs, and knows nothing where no platform is known', async () => {
    const off = sampleClock({ due: { kind: 'dormant', until: 'instance powered off' } });
    await openWindow(sampleBoxClocks([off]), <DangerClockCard entry={entry} />);
    await waitFor(() => expect(plain(card())).toContain('Nothing scheduled to happen'));
    cleanup();
    await openWindow(sampleBoxClocks([], { profileId: null }), <DangerClockCard entry={entry} />);
    await waitFor(() =>
      expect(plain(card())).toMatch(
        /Add a deadline….*No deadlines.*This platform has no known timers/,
      ),
    );
  });
});

describe('all clocks of a box', () => {
  it('are listed with everything known of each, also those that do not run', async () => {
    const off = sampleClock({ id: 'c', due: { kind: 'dormant', until: 'a debt' } });
    await openWindow(sampleBoxClocks([release, low, off]), dialog());
    const items = within(await screen.findByRole('list', { name: 'Clocks' })).getAllByRole(
      'listitem',
    );
    expect(items.map((item) => within(item).getByRole('heading').textContent.trim())).toEqual([
      'Auto release 8 h 42 min left',
      'Forced stop',
      'Auto release Not running until: a debt',
    ]);
    expect(items[0]?.textContent).toMatch(/BecauseinstanceThen|Becauseinstance powered off/);
    expect(items[0]?.textContent).toContain('Stopped bynot known');
    expect(items[1]?.textContent).toContain('Missingno balance is entered');
  });

  it('take what the person says about a balance, and say why it is refused', async () => {
    const bridge = await openWindow(sampleBoxClocks([low]), dialog(low.id));
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText(/^Balance/), '12,5');
    // The box is not priced: what is shown is what counts.
    expect(screen.getByLabelText<HTMLInputElement>('Currency').value).toBe('USD');
    await user.clear(screen.getByLabelText('Currency'));
    await user.type(screen.getByLabelText('Currency'), 'cny');
    expect(screen.getByText(/plain number/)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
    await user.clear(screen.getByLabelText(/^Balance/));
    await user.type(screen.getByLabelText(/^Balance/), '12.5');
    bridge.answer('clocks:set-account', err(problem('disk-full', 'The disk is full.')));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect((await screen.findByRole('alert')).textContent).toContain('The disk is full.');
    bridge.answer('clocks:set-account', ok(null));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Save' })).toBeNull());
    expect(bridge.callsTo('clocks:set-account').at(-1)).toMatchObject({
      platform: 'autodl',
      account: { balance: { micros: 12_500_000, currency: 'CNY' } },
    });
  });

  it('snooze only with an end, and only one before their own', async () => {
    const bridge = await openWindow(sampleBoxClocks([release]), dialog());
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Snooze…' }));
    const ends = (await screen.findAllByRole('menuitem')).map((each) => each.textContent);
    expect(ends).toEqual([
      expect.stringMatching(/^1 hour/),
      expect.stringMatching(/^8 hours/),
      'Until…',
    ]);
    await user.click(screen.getByRole('menuitem', { name: 'Until…' }));
    const until = screen.getByLabelText('Snooze until');
    const setTo = (ms: number) => user.clear(until).then(() => user.type(until, toLocalInput(ms)));
    await setTo(NOW + 9 * HOUR_MS);
    expect(screen.getByText('It must end before the deadline.')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Snooze' })).toHaveProperty('disabled', true);
    await setTo(NOW + 6 * HOUR_MS);
    await user.click(screen.getByRole('button', { name: 'Snooze' }));
    expect(bridge.callsTo('clocks:snooze')).toEqual([
      { boxId: BOX_ID, clockId: release.id, untilMs: NOW + 6 * HOUR_MS },
    ]);
    const value = sampleBoxClocks([release], { snoozed: { [release.id]: NOW + 6 * HOUR_MS } });
    act(() => bridge.publish('clocks', [{ boxId: BOX_ID, value }]));
    await user.click(await screen.findByRole('button', { name: 'End snooze' }));
    expect(bridge.callsTo('clocks:snooze').at(-1)).toMatchObject({ untilMs: null });
  });

  it('can be the person’s own', async () => {
    const bridge = await openWindow(sampleBoxClocks([], { profileId: null }), dialog());
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Set a clock of your own…' }));
    const set = screen.getByRole('button', { name: 'Set this clock' });
    expect(set).toHaveProperty('disabled', true);
    await user.type(screen.getByLabelText('What happens then'), 'the paper is due');
    await user.click(set);
    const [sent] = bridge.callsTo('clocks:set-entries') as { entries: typeof NOTHING_TOLD }[];
    expect(sent?.entries.deadlines).toMatchObject([
      { what: 'the paper is due', atMs: NOW + 24 * HOUR_MS },
    ]);
  });

  it('say why nothing can be said about them when what was said cannot be read', async () => {
    const bridge = await openWindow(sampleBoxClocks([release]), null);
    bridge.answer('clocks:entries', err(problem('database-corrupt', 'It cannot be read.')));
    render(dialog());
    expect(await screen.findByText('It cannot be read.')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Change start time…' })).toHaveProperty(
      'disabled',
      true,
    );
  });
});

it('opens the form for a date of one’s own where that is asked for', async () => {
  const own = (
    <ClocksDialog boxId={BOX_ID} firstClockId={null} isOwnFirst onClose={() => undefined} />
  );
  await openWindow(sampleBoxClocks([release]), own);
  const what = await screen.findByLabelText('What happens then');
  expect(document.activeElement).toBe(what);
});
