import { act, cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ok } from '../../../shared/result.ts';
import type { ProviderAccount } from '../../../shared/teardown/provider-account.ts';
import { sampleMeter, usd } from '../../costs/meter.fixture.ts';
import { sampleProfile } from '../../facts/facts.fixture.ts';
import type { FakeBridge } from '../../state/fake-bridge.fixture.ts';
import { openFeeds } from '../../state/feeds.ts';
import { createStreamClient } from '../../state/stream-client.ts';
import { StreamProvider } from '../../state/stream-context.ts';
import { useView } from '../../state/view.ts';
import { openTestWindow } from '../../test-window.fixture.ts';
import { CostStep } from './cost-step.tsx';
import { useAccount } from './use-account.ts';

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

type CostStepProps = Parameters<typeof CostStep>[0];

/** As in the wizard, which asks when it is opened. */
function AskedCostStep(props: Omit<CostStepProps, 'asked'>) {
  return <CostStep {...props} asked={useAccount(props.boxId, props.provider)} />;
}

async function show(
  profile: CostStepProps['profile'],
  provider: string | null = null,
): Promise<void> {
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
        <AskedCostStep boxId={BOX} {...{ profile, provider }} />
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
  expect(cells(/^Costs afterwards/)).toEqual(['$0.48 a day', 'no price set']);
  expect(cells(/^container disk/)).toEqual(['is deleted', 'is deleted']);
  expect(cells(/^volume disk/)[0]).toMatch(/^stays.*0.20 USD/);
  expect(cells(/^bucket/)).toEqual([
    'not knownwhat it costs is not known',
    'dependswhat it costs is not known',
  ]);
});

it('tells what only looks like an end, what is billed and is no storage, and what ends the rest', async () => {
  const profile = sampleProfile();
  const [stop, destroy] = profile.actions;
  if (stop === undefined || destroy === undefined) throw new Error('the sample has both');
  const address = { what: 'static address', rate: { ...usd(4500), per: 'hour' as const } };
  const actions = [
    { ...stop, leaves: [address] },
    { ...destroy, verb: 'delete job', stopsCompute: false },
    { ...stop, kind: 'no-end' as const, verb: 'shutdown', note: 'Bills on.', goesOn: 'LAM3' },
    { ...stop, kind: 'delete-storage' as const, verb: 'delete volume', how: 'in the console.' },
  ];
  await show(sampleProfile({ actions }));
  const table = screen.getByRole('table', { name: 'What is left afterwards' });
  const cells = (name: RegExp) =>
    within(within(table).getByRole('row', { name }))
      .getAllByRole('cell')
      .map(({ textContent }) => textContent);
  expect(cells(/^Also billed/)).toEqual(['static address: 0.0045 USD/hour', 'nothing known']);
  // Its machine runs on.
  expect(cells(/^Costs afterwards/)[1]).toBe('$3.60 a day');
  expect(screen.getByText(/“shutdown” does not end a box on RunPod Pods. Bills on/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Why' }).getAttribute('href')).toBe('#LAM3');
  expect(
    screen.getByRole('region', { name: 'How to stop the remaining charges' }).textContent,
  ).toContain('“delete volume” deletes container disk. in the console.');
});

it('says that nothing is known of a platform without facts, and never that it costs nothing', async () => {
  await show(null);
  expect(screen.getByText(/What is billed afterwards is not known/)).toBeTruthy();
  expect(screen.queryByRole('table')).toBe(null);
});

describe('what the provider says', () => {
  const account = {
    ...{ provider: 'Acme', instance: 'i-1', atMs: Date.now() },
    machines: { kind: 'told', value: [{ instance: 'i-1', name: 'a', says: 'UP', boxName: 'box' }] },
    price: {
      kind: 'told',
      value: { running: usd(3_600_000), stopped: usd(0), isWithStorage: false },
    },
  } as const satisfies ProviderAccount;
  const said = () => screen.getByRole('region', { name: 'What Acme says' });
  const ask = async (answer: Partial<ProviderAccount>): Promise<void> => {
    bridge.answer('teardown:account', ok({ ...account, ...answer }));
    await show(sampleProfile(), 'Acme');
  };

  it('stands beside what the meter counts, with its age, and is asked again at a click', async () => {
    await ask({});
    expect(said().textContent).toContain('$3.60/h while it runs, $0.00/h while it is stopped');
    expect(said().textContent).toMatch(/ago|now/);
    expect(said().textContent).not.toMatch(/Leasehold counts|Not in Leasehold|does not list/);
    const more = { instance: 'i-0', name: null, says: 'UP', boxName: null };
    const machines = { kind: 'told', value: [...account.machines.value, more] } as const;
    bridge.answer('teardown:account', ok({ ...account, machines }));
    await act(async () => {
      within(said()).getByRole('button', { name: 'Ask again' }).click();
      await Promise.resolve();
    });
    expect(bridge.callsTo('teardown:account')).toHaveLength(2);
    expect(within(said()).getAllByRole('listitem').at(-1)?.textContent).toMatch(
      /^i-0UP.*Not in Leasehold – may be billing$/,
    );
  });

  it('says so where the price is another one, and leads to the price', async () => {
    const price = { ...account.price, value: { ...account.price.value, running: usd(5_400_000) } };
    await ask({ price });
    expect(said().textContent).toContain(
      '$129.60 a day, and Leasehold counts $86.40 for the machine alone.',
    );
    within(said()).getByRole('button', { name: 'Set the price…' }).click();
    expect(useView.getState().overlay).toEqual({ kind: 'set-price', boxId: BOX });
  });

  it('is not known where it does not answer, and no machine is taken for gone', async () => {
    const silent = { kind: 'silent', says: 'nothing came back.' } as const;
    await ask({ machines: silent, price: silent });
    expect(said().textContent).toContain('What Acme charges is not known: nothing came back.');
    expect(said().textContent).toContain('What Acme lists is not known: nothing came back.');
    expect(said().textContent).not.toMatch(/does not list|\$0/);
  });

  it('warns of a box that its provider does not list', async () => {
    await ask({ machines: { kind: 'told', value: [] } });
    expect(said().textContent).toContain('It does not list this box (i-1).');
  });
});
