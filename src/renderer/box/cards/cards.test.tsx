import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import type { LinkState } from '../../../shared/boxes/box.ts';
import type { BoxMeter } from '../../../shared/meter/box-meter.ts';
import type { BoxClocks } from '../../../shared/streams/meter-stream.ts';
import { unconfirmedClock } from '../../../shared/clocks/own-clocks.ts';
import { sampleBoxClocks, sampleClock } from '../../clocks/clocks.fixture.ts';
import { sampleMeter, unpricedMeter } from '../../costs/meter.fixture.ts';
import { LINK_UP, sampleEntry } from '../../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../../state/fake-bridge.fixture.ts';
import { openFeeds } from '../../state/feeds.ts';
import { createStreamClient } from '../../state/stream-client.ts';
import { StreamProvider } from '../../state/stream-context.ts';
import { useView } from '../../state/view.ts';
import { openTestWindow } from '../../test-window.fixture.ts';
import { Cards } from './cards.tsx';

let stop: () => void = () => undefined;
afterEach(() => {
  cleanup();
  stop();
});

const IDLE: LinkState = { kind: 'idle' };
const BOX = sampleEntry().box.id;
const neverSeen = sampleMeter({ phase: null, burnPerHour: null, source: null });
const notWatched = sampleClock({
  entry: null,
  due: { kind: 'unknown', because: 'can’t tell whether this box is idle' },
});

interface Shown {
  readonly link?: LinkState;
  readonly platform?: string;
  readonly meter?: BoxMeter;
  readonly clocks?: BoxClocks;
}

async function show({ link = LINK_UP, platform = 'autodl', meter, clocks }: Shown) {
  const entry = sampleEntry({ link }, { platform });
  const bridge: FakeBridge = openTestWindow([entry]);
  if (meter !== undefined) bridge.serve('meter', { boxes: { [BOX]: meter } });
  if (clocks !== undefined) bridge.serve('clocks', { boxes: { [BOX]: clocks } });
  await act(async () => {
    const client = createStreamClient(bridge);
    stop = openFeeds(client);
    await Promise.resolve();
    render(
      <StreamProvider value={client}>
        <Cards entry={entry} isStrip={false} />
      </StreamProvider>,
    );
  });
  await screen.findByRole('button', { name: 'Show checks' });
  return bridge;
}

const card = (name: string) => screen.findByRole('region', { name });
const step = async (name: string, label: string) =>
  userEvent.setup().click(await within(await card(name)).findByRole('button', { name: label }));

it.each([
  ['Alerts', {}],
  ['Cost meter', { meter: neverSeen }],
  ['Danger clock', { clocks: sampleBoxClocks([notWatched]) }],
] as const)('%s of a box that is not connected leads to connecting it', async (name, shown) => {
  const bridge = await show({ link: IDLE, ...shown });
  await step(name, 'Connect to check');
  expect(bridge.callsTo('link:connect')).toEqual([{ boxId: BOX }]);
});

it.each([IDLE, LINK_UP])('has no headline “Unknown” where nothing was read (%j)', async (link) => {
  await show({ link, meter: neverSeen });
  for (const name of ['Alerts', 'Cost meter', 'Danger clock']) {
    expect((await card(name)).textContent).not.toMatch(/\bunknown\b/i);
    expect((await card(name)).textContent).not.toContain('Not known whether');
  }
});

it('asks for the price in place of a figure, and says nothing more of each part', async () => {
  await show({ meter: unpricedMeter() });
  expect((await card('Cost meter')).textContent).toMatch(/Set price…\s*No price set$/);
  await step('Cost meter', 'Set price…');
  expect(useView.getState().overlay).toEqual({ kind: 'set-price', boxId: BOX });
});

it('begins the foot of the costs with what is said there', async () => {
  const doubtful = { ...sampleMeter().total, unpricedMs: 60_000 };
  await show({ meter: sampleMeter({ source: null, total: doubtful }) });
  const foot = within(await card('Cost meter')).getByRole('button', { name: 'incomplete' });
  expect(foot.parentElement?.textContent).toBe('incomplete');
});

it('asks for what only the person knows of a clock, and has a box that is up checked', async () => {
  const balance = sampleClock({
    entry: { kind: 'balance' },
    due: { kind: 'unknown', because: 'the balance is not told' },
  });
  await show({ clocks: sampleBoxClocks([balance]) });
  await step('Danger clock', 'Enter balance…');
  expect(useView.getState().overlay).toMatchObject({ kind: 'clocks', clockId: balance.id });
  cleanup();
  stop();
  const bridge = await show({ clocks: sampleBoxClocks([notWatched]) });
  await step('Danger clock', 'Check now');
  expect(bridge.callsTo('patrol:now')).toEqual([{ boxId: BOX }]);
});

it('leads from an end that nothing has confirmed to the step that does', async () => {
  const end = { verb: 'Release', approvedAtMs: Date.now() - 3_600_000, remindsAtMs: null };
  await show({ clocks: sampleBoxClocks([unconfirmedClock(end)]) });
  expect((await card('Danger clock')).textContent).toMatch(
    /End not confirmed 1.h\s*since you approved it.*is counted as costing until/u,
  );
  await step('Danger clock', 'Confirm its end…');
  expect(useView.getState().page).toMatchObject({ kind: 'box', tab: 'teardown', step: 'gone' });
});

it('lists in one line what the person has not entered, each part leading to where it is entered', async () => {
  const untold = ['a', 'b'].map((id) =>
    sampleClock({ id, entry: { kind: 'balance' }, due: { kind: 'unknown', because: 'not told' } }),
  );
  await show({
    platform: 'generic-ssh',
    meter: unpricedMeter(),
    clocks: sampleBoxClocks(untold),
  });
  const line = (await screen.findByText('Not entered:')).parentElement;
  expect(line?.textContent).toMatch(/^Not entered:providerprice2\stimers of the platform$/);
  await userEvent.setup().click(screen.getByRole('button', { name: 'provider' }));
  expect(useView.getState().page).toMatchObject({ kind: 'box', tab: 'facts' });
});

it('has no such line where nothing is missing', async () => {
  await show({ meter: sampleMeter(), clocks: sampleBoxClocks([sampleClock({})]) });
  expect(screen.queryByText('Not entered:')).toBeNull();
});

it('leads from the demo box to its faults, and says once that it counts in no sum', async () => {
  const bridge = await show({ platform: 'demo', meter: unpricedMeter() });
  expect(await screen.findByText(/counts in none of your sums/)).toBeDefined();
  expect(screen.queryByText('Not entered:')).toBeNull();
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Break something →' }));
  await user.click(await screen.findByRole('menuitem', { name: /^Drop the connection/ }));
  expect(bridge.callsTo('demo:set-fault')).toEqual([{ fault: 'link-drop', isOn: true }]);
});
