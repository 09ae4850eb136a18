import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ok } from '../../shared/result.ts';
import type { WantedRun } from '../../shared/runs/request/wanted-run.ts';
import { samplePlan } from '../box/runs/launch/launch.fixture.ts';
import { sampleEntry } from '../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../state/fake-bridge.fixture.ts';
import { useFleet } from '../state/feeds.ts';
import { openTestWindow } from '../test-window.fixture.ts';
import { SweepDialog } from './sweep-dialog.tsx';
import { useSweepForm } from './sweep-form.ts';

const box = (id: string, name: string) =>
  sampleEntry({ link: { kind: 'up', sinceMs: 0, latencyMs: 1 } }, { id, name });
const ENTRIES = [
  box('7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01', 'alpha'),
  box('0b6f2a34-13c0-4a6e-9d2b-6b9e0d3f7c11', 'beta'),
];
const FILE = '/work/project/leasehold.yaml';
const { request } = samplePlan();
const SWEEP: WantedRun = {
  request: {
    ...request,
    ...{ name: 'rates', command: 'train --lr 1 --out out/lr=1', results: null, successLine: null },
  },
  queue: null,
  sweep: {
    source: {
      kind: 'grid',
      command: 'train --lr {lr} --out {results}',
      parameters: 'lr: 1, 2',
    },
    pattern: 'out/{cell}',
    boxes: ['beta', 'gamma'],
  },
};

let bridge: FakeBridge;
const user = userEvent.setup({ delay: null });
const initial = useSweepForm.getState();
beforeEach(() => {
  bridge = openTestWindow(ENTRIES);
  useFleet.setState({ kind: 'live', state: { entries: ENTRIES } }, true);
  useSweepForm.setState(initial, true);
  render(<SweepDialog onClose={() => undefined} />);
});
afterEach(cleanup);
const click = (name: string) => user.click(screen.getByRole('button', { name }));
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name).value;
const isChosen = (name: string) =>
  screen.getByRole<HTMLInputElement>('checkbox', { name: new RegExp(`^${name}`) }).checked;

it('comes from a file with the boxes that it names, and goes back into it as the same', async () => {
  bridge.answer('runs:open-request', ok({ kind: 'read', file: FILE, ...SWEEP }));
  await click('Open a request file…');
  expect(await screen.findByText(FILE)).toBeTruthy();
  expect(field('Name')).toBe('rates');
  expect(field('Parameters')).toBe('lr: 1, 2');
  expect(field('Command of each cell')).toBe('train --lr {lr} --out {results}');
  expect(field('Folder of each cell')).toBe('out/{cell}');
  expect([isChosen('alpha'), isChosen('beta')]).toEqual([false, true]);
  // What cannot be had is told, and not left out of the file without a word.
  expect(screen.getByText(/The file names gamma, which is not in the list/)).toBeTruthy();
  bridge.answer('runs:save-request', ok({ kind: 'saved', file: FILE }));
  await click('Save as leasehold.yaml…');
  expect(bridge.callsTo('runs:save-request').at(-1)).toEqual(SWEEP);
});

it('names no boxes in a file before somebody has chosen some', async () => {
  const { sweep, ...rest } = SWEEP;
  if (sweep === undefined) throw new Error('no sweep');
  const anywhere = { ...rest, sweep: { ...sweep, boxes: null } };
  bridge.answer('runs:open-request', ok({ kind: 'read', file: FILE, ...anywhere }));
  bridge.answer('runs:save-request', ok({ kind: 'saved', file: FILE }));
  await click('Open a request file…');
  await screen.findByText(FILE);
  await click('Save as leasehold.yaml…');
  expect(bridge.callsTo('runs:save-request').at(-1)).toEqual(anywhere);
  await user.click(screen.getByRole('checkbox', { name: 'alpha' }));
  await click('Save as leasehold.yaml…');
  expect(bridge.callsTo('runs:save-request').at(-1)).toMatchObject({ sweep: { boxes: ['beta'] } });
});

it('proposes the boxes of the platforms that it is meant for, the best first', async () => {
  const [alpha, beta] = ENTRIES;
  const entries = [
    { ...alpha, box: { ...alpha?.box, platform: 'lambda' } },
    { ...beta, box: { ...beta?.box, platform: 'vastai' } },
    box('5c1d8a90-2f6e-4b7a-8f55-90b1c2d3e4f5', 'delta'),
  ] as typeof ENTRIES;
  const [, , delta] = entries;
  act(() => useFleet.setState({ kind: 'live', state: { entries } }, true));
  const { sweep, ...rest } = SWEEP;
  if (sweep === undefined) throw new Error('no sweep');
  const platforms = [delta?.box.platform ?? '', 'vastai'];
  const meant = {
    ...{ ...rest, request: { ...rest.request, platforms } },
    sweep: { ...sweep, boxes: null },
  };
  bridge.answer('runs:open-request', ok({ kind: 'read', file: FILE, ...meant }));
  await click('Open a request file…');
  await screen.findByText(FILE);
  expect([isChosen('alpha'), isChosen('beta'), isChosen('delta')]).toEqual([false, true, true]);
  const names = screen.getAllByRole('checkbox', { name: /^(?:alpha|beta|delta)/ });
  expect(
    names.map((each) => each.closest('tr')?.textContent.match(/alpha|beta|delta/)?.[0]),
  ).toEqual(['delta', 'beta', 'alpha']);
});

it('that is not whole is not saved: the person is led to what is missing', async () => {
  await click('Save as leasehold.yaml…');
  expect(bridge.callsTo('runs:save-request')).toEqual([]);
  expect(document.activeElement).toBe(screen.getByLabelText('Name'));
});
