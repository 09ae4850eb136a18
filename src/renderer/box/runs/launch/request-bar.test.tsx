import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MAX_PAYLOAD_BYTES, payloadBytes } from '../../../../shared/ipc/payload-size.ts';
import { problem } from '../../../../shared/problem.ts';
import { err, ok } from '../../../../shared/result.ts';
import { sampleEntry } from '../../../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../../../state/fake-bridge.fixture.ts';
import { useFleet } from '../../../state/feeds.ts';
import { useView } from '../../../state/view.ts';
import { useSweepForm } from '../../../sweeps/sweep-form.ts';
import { openTestWindow } from '../../../test-window.fixture.ts';
import { LaunchDialog } from './launch-dialog.tsx';
import { useLaunchView } from './launch-view.ts';
import { samplePlan } from './launch.fixture.ts';

const ENTRY = sampleEntry({}, { name: 'train-a' });
const FILE = '/work/project/leasehold.yaml';
const REQUEST = { ...samplePlan().request, env: { LR: '0.1' }, results: 'out' };

let bridge: FakeBridge;
const user = userEvent.setup({ delay: null });
function show(isFromFile: boolean): void {
  render(
    <LaunchDialog
      isQueue={false}
      isFromFile={isFromFile}
      boxId={ENTRY.box.id}
      onClose={() => undefined}
    />,
  );
}
beforeEach(() => {
  bridge = openTestWindow([ENTRY]);
  useFleet.setState({ kind: 'live', state: { entries: [ENTRY] } }, true);
  useLaunchView.setState({}, true);
  show(false);
});
afterEach(cleanup);
const click = (name: string) => user.click(screen.getByRole('button', { name }));
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name).value;

it('fills the form from a request file and says from which', async () => {
  bridge.answer(
    'runs:open-request',
    ok({ kind: 'read', file: FILE, request: REQUEST, queue: null }),
  );
  await click('Open a request file…');
  expect(await screen.findByText(FILE)).toBeTruthy();
  expect(field('Command')).toBe('python train.py');
  expect(field('Environment')).toBe('LR=0.1');
  expect(field('Results folder')).toBe('out');
});

it('names every fault of a file with its place, and leaves the form as it was', async () => {
  await user.type(screen.getByLabelText('Name'), 'mine');
  const fault = { file: FILE, message: 'gpus is not a field of a request', fix: 'Remove it.' };
  bridge.answer(
    'runs:open-request',
    ok({ kind: 'faults', file: FILE, faults: [{ ...fault, line: 4, column: 1 }] }),
  );
  await click('Open a request file…');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain(`1 mistake in ${FILE}`);
  expect(alert.textContent).toContain('4:1 gpus is not a field of a request. Remove it.');
  expect(field('Name')).toBe('mine');
});

it('saves what can be run, and else leads to what is wrong', async () => {
  await click('Save as leasehold.yaml…');
  expect(bridge.callsTo('runs:save-request')).toEqual([]);
  expect(document.activeElement).toBe(screen.getByLabelText('Name'));
  for (const [name, text] of [
    ['Name', 'baseline'],
    ['Folder on the box', '~/work'],
    ['Command', 'python train.py'],
  ] as const) {
    await user.type(screen.getByLabelText(name), text);
  }
  bridge.answer('runs:save-request', ok({ kind: 'cancelled' }));
  await click('Save as leasehold.yaml…');
  expect(screen.queryByText(/Saved as/)).toBeNull();
  bridge.answer('runs:save-request', ok({ kind: 'saved', file: FILE }));
  await click('Save as leasehold.yaml…');
  expect((await screen.findByText(/Saved as/)).textContent).toContain(FILE);
  expect(bridge.callsTo('runs:save-request').at(-1)).toEqual({
    request: samplePlan().request,
    queue: null,
  });
  bridge.answer('runs:save-request', err(problem('disk-full', 'The request was not saved.')));
  await click('Save as leasehold.yaml…');
  expect((await screen.findByRole('alert')).textContent).toContain('The request was not saved.');
});

const QUEUE = {
  cells: [
    { name: 'one', command: 'run 1', isCommented: false },
    { name: 'ml', command: 'for i in 1 2; do\n\n  echo $i\ndone', isCommented: false },
    { name: 'later', command: 'run 3', isCommented: true },
  ],
  stopsAtFailure: true,
  startsAgain: false,
};

it('opens a file with cells as a queue, plans exactly it, and writes it back as it was', async () => {
  bridge.answer(
    'runs:open-request',
    ok({ kind: 'read', file: FILE, request: { ...REQUEST, command: 'run 1' }, queue: QUEUE }),
  );
  await click('Open a request file…');
  await screen.findByText(FILE);
  const radio = screen.getByRole<HTMLInputElement>('radio', { name: 'A queue of cells' });
  expect(radio.checked).toBe(true);
  expect(field('Cells')).toBe(
    'one: run 1\nml:\n  for i in 1 2; do\n\n    echo $i\n  done\n# later: run 3',
  );
  expect(screen.getByText('2 cells, 1 line left out')).toBeTruthy();
  bridge.answer('runs:save-request', ok({ kind: 'saved', file: FILE }));
  await click('Save as leasehold.yaml…');
  await screen.findByText(/Saved as/);
  expect(bridge.callsTo('runs:save-request')).toMatchObject([
    { request: { env: { LR: '0.1' }, results: 'out' }, queue: QUEUE },
  ]);
  bridge.answer('runs:plan', ok(samplePlan()));
  await click('Show plan');
  await screen.findByRole('region', { name: 'Checks' });
  expect(bridge.callsTo('runs:plan')).toMatchObject([{ queue: QUEUE }]);
});

it('a file with a command takes the place of a queue', async () => {
  await user.click(screen.getByRole('radio', { name: 'A queue of cells' }));
  await click('Save as leasehold.yaml…');
  expect(bridge.callsTo('runs:save-request')).toEqual([]);
  expect(await screen.findByText('Enter at least one cell.')).toBeTruthy();
  bridge.answer(
    'runs:open-request',
    ok({ kind: 'read', file: FILE, request: REQUEST, queue: null }),
  );
  await click('Open a request file…');
  await screen.findByText(FILE);
  expect(field('Command')).toBe('python train.py');
  expect(screen.queryByLabelText('Cells')).toBeNull();
});

it('says beside the cells when they are too much for one message, and how many fit', async () => {
  await user.click(screen.getByRole('radio', { name: 'A queue of cells' }));
  const list = (count: number): string =>
    Array.from(
      { length: count },
      (_, at) => `c${String(at).padStart(5, '0')}: ${'x'.repeat(60)}`,
    ).join('\n');
  const type = (text: string): void => {
    fireEvent.change(screen.getByLabelText('Cells'), { target: { value: text } });
  };
  type(list(10_000));
  const said = (await screen.findByText(/too much at once/)).textContent.replaceAll('\u202f', '');
  expect(said).toContain('10000 cells with 660000 characters are too much at once');
  const [, fit, chars] = /the first (\d+) cells with (\d+) characters fit/.exec(said) ?? [];
  expect(Number(chars)).toBe(66 * Number(fit));
  await click('Show plan');
  expect(bridge.callsTo('runs:plan')).toEqual([]);

  for (const [label, text] of [
    ['Name', 'grid'],
    ['Folder on the box', '~/work'],
  ] as const) {
    fireEvent.change(screen.getByLabelText(label), { target: { value: text } });
  }
  bridge.answer('runs:plan', ok(samplePlan()));
  type(list(Number(fit) + 1));
  expect(await screen.findByText(/too much at once/)).toBeTruthy();
  type(list(Number(fit)));
  await vi.waitFor(() => expect(screen.queryByText(/too much at once/)).toBeNull());
  await click('Show plan');
  await screen.findByRole('region', { name: 'Checks' });
  const [sent] = bridge.callsTo('runs:plan');
  const bytes = payloadBytes(sent, MAX_PAYLOAD_BYTES);
  expect(bytes).toBeLessThan(MAX_PAYLOAD_BYTES);
  // Nearly all of it is used: no one is sent away for nothing.
  expect(bytes).toBeGreaterThan(0.85 * MAX_PAYLOAD_BYTES);
});

it('leads to the form of a sweep where the file is one', async () => {
  const sweep = {
    source: { kind: 'grid' as const, command: 'train {lr} {results}', parameters: 'lr: 1, 2' },
    ...{ pattern: 'results/{cell}', boxes: null },
  };
  bridge.answer(
    'runs:open-request',
    ok({ kind: 'read', file: FILE, request: REQUEST, queue: null, sweep }),
  );
  await click('Open a request file…');
  await vi.waitFor(() => expect(useView.getState().overlay).toEqual({ kind: 'launch-sweep' }));
  expect(useSweepForm.getState()).toMatchObject({ parameters: 'lr: 1, 2', boxes: null });
});

it('asks for a file at once where one is wanted, and not again after the plan', async () => {
  expect(bridge.callsTo('runs:open-request')).toEqual([]);
  cleanup();
  bridge.answer(
    'runs:open-request',
    ok({ kind: 'read', file: FILE, request: REQUEST, queue: null }),
  );
  bridge.answer('runs:plan', ok(samplePlan()));
  show(true);
  expect(await screen.findByText(FILE)).toBeTruthy();
  await click('Show plan');
  await click('Back');
  expect(field('Command')).toBe('python train.py');
  expect(bridge.callsTo('runs:open-request')).toHaveLength(1);
});
