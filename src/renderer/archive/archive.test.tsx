import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ok } from '../../shared/result.ts';
import type { ArchivedBox } from '../../shared/teardown/archived-box.ts';
import { sampleMeter } from '../costs/meter.fixture.ts';
import { FleetPage } from '../fleet/fleet-page.tsx';
import { sampleEntry } from '../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../state/fake-bridge.fixture.ts';
import { selectArchived, selectEntries, useFleet, useMeter } from '../state/feeds.ts';
import { useView } from '../state/view.ts';
import { openTestWindow } from '../test-window.fixture.ts';
import { ForgetBoxDialog } from '../box/forget-box-dialog.tsx';
import { ArchivePage } from './archive-page.tsx';
import { ReceiptPage } from './receipt-page.tsx';

const LIVING = sampleEntry();
const GONE = sampleEntry(
  { link: { kind: 'idle' } },
  { id: '22222222-2222-4222-8222-222222222222', name: 'old-box', archivedAtMs: 1000 },
);
const ARCHIVED: ArchivedBox = {
  ...{ boxId: GONE.box.id, boxName: 'old-box', goneAtMs: 1000, verb: 'Terminate', aim: 'gone' },
  ...{ by: 'provider', receipt: 7, isKept: true },
  cost: {
    ...{ fromMs: 0, untilMs: 1000, known: [{ micros: 12_500_000, currency: 'USD' }] },
    ...{ unresolved: [], unresolvedMs: 0, unpricedMs: 5 },
  },
  runs: [
    {
      ...{ runId: 'r1', runName: 'baseline', path: '/root/out', to: '/home/me/out', files: 2 },
      ...{ bytes: 9, homeFiles: 2, homeBytes: 9, evidence: 1 },
    },
  ],
};
const FORGOTTEN: ArchivedBox = {
  ...ARCHIVED,
  ...{ boxId: '33333333-3333-4333-8333-333333333333', boxName: 'older', receipt: 3 },
  ...{ isKept: false, cost: null, runs: [] },
};

let bridge: FakeBridge;
beforeEach(() => {
  bridge = openTestWindow();
  useFleet.setState({ kind: 'live', state: { entries: [LIVING, GONE] } }, true);
});
afterEach(cleanup);

it('is in no list of the living, and the same list until the fleet is another', () => {
  const feed = useFleet.getState();
  expect(selectEntries(feed)).toEqual([LIVING]);
  expect(selectArchived(feed)).toEqual([GONE]);
  expect(selectEntries(feed)).toBe(selectEntries(feed));
});

it('is found from the fleet, with when, cost, folder and receipt, also of one that was forgotten', async () => {
  bridge.answer('teardown:archive', ok([ARCHIVED, FORGOTTEN]));
  useFleet.setState({ kind: 'live', state: { entries: [GONE] } }, true);
  render(<FleetPage />);
  await userEvent.click(screen.getByRole('button', { name: 'Archive (1)' }));
  expect(useView.getState().page).toEqual({ kind: 'archive' });
  cleanup();
  render(<ArchivePage />);
  const row = within(await screen.findByRole('row', { name: /old-box/ }));
  row.getByText('at least $12.50');
  row.getByText('/home/me/out');
  row.getByText('the provider confirmed it');
  const forgotten = within(screen.getByRole('row', { name: /older/ }));
  forgotten.getByText(/history deleted, receipt kept/);
  // What is missing is named, and is neither nothing nor a bare "unknown".
  forgotten.getByText('not metered');
  forgotten.getByText('history deleted');
  expect(forgotten.queryByRole('button', { name: 'older' })).toBeNull();
  await userEvent.click(forgotten.getByRole('button', { name: 'Save receipt…' }));
  expect(bridge.callsTo('evidence:receipt')).toEqual([{ seq: 3 }]);
  await userEvent.click(row.getByRole('button', { name: 'old-box' }));
  expect(useView.getState().page).toEqual({ kind: 'box', boxId: GONE.box.id, tab: 'teardown' });
});

it('is found from the fleet also when the last of its boxes was forgotten', async () => {
  useFleet.setState({ kind: 'live', state: { entries: [] } }, true);
  render(<FleetPage />);
  await userEvent.click(screen.getByRole('button', { name: 'Archive' }));
  expect(useView.getState().page).toEqual({ kind: 'archive' });
});

it('says of storage without a price that there is none, and comes back from a receipt', async () => {
  bridge.answer('teardown:archive', ok([ARCHIVED]));
  const nothing = { money: [], isPartly: false };
  const meter = sampleMeter();
  const perDay = { ...meter.perDay, destroyed: nothing };
  useMeter.setState({ kind: 'live', state: { boxes: { [GONE.box.id]: { ...meter, perDay } } } });
  render(<ArchivePage />);
  const row = within(await screen.findByRole('row', { name: /old-box/ }));
  row.getByText('no price set');
  await userEvent.click(row.getByRole('button', { name: 'Receipt' }));
  expect(useView.getState().page).toEqual({ kind: 'receipt', seq: 7, boxId: null });
  cleanup();
  bridge.answer('evidence:receipt-page', ok([]));
  render(<ReceiptPage seq={7} boxId={null} />);
  await userEvent.click(screen.getByRole('button', { name: 'Back' }));
  expect(useView.getState().page).toEqual({ kind: 'archive' });
});

it('has a receipt to read, which is printed and saved as it is shown', async () => {
  bridge.answer(
    'evidence:receipt-page',
    ok([
      { kind: 'heading', level: 1, text: 'Receipt: end of a box' },
      { kind: 'list', items: [['Box: old-box']] },
    ]),
  );
  bridge.answer('app:save-pdf', ok({ kind: 'cancelled' }));
  render(<ReceiptPage seq={7} boxId={GONE.box.id} />);
  await screen.findByRole('heading', { name: 'Receipt: end of a box' });
  await userEvent.click(screen.getByRole('button', { name: 'Print…' }));
  expect(bridge.callsTo('app:print')).toEqual([{}]);
  await userEvent.click(screen.getByRole('button', { name: 'Save as PDF…' }));
  expect(bridge.callsTo('app:save-pdf')).toEqual([{ name: 'receipt-7' }]);
  await userEvent.click(screen.getByRole('button', { name: 'Back' }));
  expect(useView.getState().page).toEqual({ kind: 'box', boxId: GONE.box.id, tab: 'teardown' });
});

it('prints no receipt that there is none of', async () => {
  bridge.answer('evidence:receipt-page', ok(null));
  render(<ReceiptPage seq={9} boxId={null} />);
  await screen.findByText('No such receipt');
  expect(screen.getByRole('button', { name: 'Print…' })).toHaveProperty('disabled', true);
});

it('is read again when a box comes to it', async () => {
  bridge.answer('teardown:archive', ok([]));
  useFleet.setState({ kind: 'live', state: { entries: [LIVING] } }, true);
  render(<ArchivePage />);
  await screen.findByText('No archived boxes');
  bridge.answer('teardown:archive', ok([ARCHIVED]));
  act(() => useFleet.setState({ kind: 'live', state: { entries: [LIVING, GONE] } }, true));
  await screen.findByRole('button', { name: 'old-box' });
});

it('says what is lost when it is forgotten, and not that it goes on billing', () => {
  render(<ForgetBoxDialog boxId={GONE.box.id} onClose={() => undefined} />);
  const said = screen.getByRole('alertdialog', {
    name: 'Delete the history of old-box?',
  }).textContent;
  expect(said).toContain('charts, alerts and notes are deleted');
  expect(said).toContain('Its receipt, what the evidence has of it, what it cost');
  expect(said).not.toContain('keeps billing');
});
