import { act, cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sampleMeter, usd } from '../../costs/meter.fixture.ts';
import { sampleProfile } from '../../facts/facts.fixture.ts';
import type { FakeBridge } from '../../state/fake-bridge.fixture.ts';
import { openFeeds } from '../../state/feeds.ts';
import { createStreamClient } from '../../state/stream-client.ts';
import { StreamProvider } from '../../state/stream-context.ts';
import { openTestWindow } from '../../test-window.fixture.ts';
import { CostStep } from './cost-step.tsx';

const BOX = '00000000-1111-4111-8111-111111111111';

let bridge: FakeBridge;
let closeFeeds: () => void;
beforeEach(() => {
  bridge = openTestWindow();
});
afterEach(() => {
  closeFeeds();
  cleanup();
});

async function show(profile: Parameters<typeof CostStep>[0]['profile']): Promise<void> {
  const stopped = { money: [usd(480_000)], isPartly: false };
  const { perDay } = sampleMeter();
  const meter = sampleMeter({ perDay: { ...perDay, stopped } });
  bridge.serve('meter', { boxes: { [BOX]: meter } });
  const client = createStreamClient(bridge);
  await act(async () => {
    closeFeeds = openFeeds(client);
    await Promise.resolve();
    render(
      <StreamProvider value={client}>
        <CostStep boxId={BOX} profile={profile} />
      </StreamProvider>,
    );
  });
}

it('sets the verbs side by side: what stays, what is deleted, and what each day costs afterwards', async () => {
  await show(sampleProfile());
  const table = screen.getByRole('table', { name: 'What is left afterwards' });
  const cells = (row: RegExp): readonly string[] =>
    within(within(table).getByRole('row', { name: row }))
      .getAllByRole('cell')
      .map(({ textContent }) => textContent?.trim() ?? '');
  expect(cells(/^Costs afterwards/)).toEqual(['$0.48 a day', 'nothing priced']);
  expect(cells(/^container disk/)).toEqual(['is deleted', 'is deleted']);
  expect(cells(/^volume disk/)[0]).toMatch(/^stays.*0.20 USD/);
  expect(cells(/^bucket/)).toEqual([
    'not knownwhat it costs is not known',
    'dependswhat it costs is not known',
  ]);
});

it('says that nothing is known of a platform without facts, and never that it costs nothing', async () => {
  await show(null);
  expect(screen.getByText(/What is billed afterwards is not known/)).toBeTruthy();
  expect(screen.queryByRole('table')).toBe(null);
});
