import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { NumberNow, RereadNow, RereadNumber } from '../../../../../shared/evidence/reread.ts';
import { problem } from '../../../../../shared/problem.ts';
import { err, ok } from '../../../../../shared/result.ts';
import type { PulledFile, RunProof } from '../../../../../shared/transfer/pull.ts';
import type { FakeBridge } from '../../../../state/fake-bridge.fixture.ts';
import { createStreamClient } from '../../../../state/stream-client.ts';
import { StreamProvider } from '../../../../state/stream-context.ts';
import { openTestWindow } from '../../../../test-window.fixture.ts';
import { NOW_MS, sampleRun } from '../../launch/launch.fixture.ts';
import { ResultsList } from '../../launch/results-list.tsx';

const boxId = '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01';
const RUN = sampleRun();
const SHA = 'ab'.repeat(32);

const home = (path: string, format: 'json' | 'csv' | 'npy'): PulledFile => ({
  ...{ path, bytes: 100, modifiedAtMs: NOW_MS, keep: 'evidence', mark: 'equal', level: 'loaded' },
  ...{ sha256: SHA, loaded: { kind: 'loaded', format, holds: 'x' }, says: null },
});
const PROOF: RunProof = {
  ...{ atMs: NOW_MS, seq: 7, hash: SHA },
  report: {
    ...{ runId: RUN.id, runName: 'a', from: '/b', to: '/home/me/r', manifest: SHA },
    files: [home('log.csv', 'csv'), home('metrics.json', 'json'), home('w.npy', 'npy')],
  },
};
const reread = (name: string, more: Partial<RereadNumber> = {}): RereadNumber => ({
  ...{ path: 'metrics.json', key: { parts: [name], row: null }, name: null, figure: null },
  ...{ literal: '0.91298', sha256: SHA, verdict: null, says: null },
  ...more,
});
const SAME: NumberNow = { state: 'same', literal: '0.91298', says: null };
const look = (...numbers: readonly (readonly [RereadNumber, NumberNow])[]): RereadNow => ({
  kept: {
    ...{ atMs: NOW_MS, seq: 8, hash: SHA },
    report: {
      ...{ runId: RUN.id, runName: 'a', folder: '/home/me/r', proof: { seq: 7, hash: SHA } },
      numbers: numbers.map(([number]) => number),
    },
  },
  lookedAtMs: NOW_MS,
  now: numbers.map(([, now]) => now),
});

let bridge: FakeBridge;
const user = userEvent.setup({ delay: null });
beforeEach(() => {
  vi.useFakeTimers({ now: NOW_MS, toFake: ['Date'] });
  bridge = openTestWindow();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

async function show(known: RereadNow | null): Promise<void> {
  const files = PROOF.report.files.map(({ path, bytes, modifiedAtMs }) => ({
    ...{ path, bytes, modifiedAtMs },
  }));
  const others = {
    atMs: NOW_MS,
    folder: '/box/out',
    others: [],
    isCut: false,
    grainMs: 50,
    tellsWrites: true,
  };
  bridge.answer('runs:results', ok({ ...others, files }));
  bridge.answer('runs:proof', ok(PROOF));
  bridge.answer('evidence:reported', ok(known));
  render(
    <StreamProvider value={createStreamClient(bridge)}>
      <ResultsList boxId={boxId} run={RUN} isUp />
    </StreamProvider>,
  );
  await screen.findByRole('button', { name: 'Choose numbers…' });
}
const click = (name: string | RegExp) => user.click(screen.getByRole('button', { name }));
/** The last cell of each row of a table. */
const proofs = (label: string): readonly string[] =>
  within(screen.getByRole('region', { name: label }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell').at(-1)?.textContent.trim() ?? '');
const plain = (): string => document.body.textContent.replace(/[\u202f\u00a0]/g, ' ');

it('says of each reported number what it is, and calls re-read only what was', async () => {
  const gone = 'It could not be read: ENOENT';
  await show(
    look(
      [reread('a', { figure: '0.91298', verdict: 'equal' }), SAME],
      [reread('b', { figure: '0.913', verdict: 'rounded', name: 'final\u202e accuracy' }), SAME],
      [reread('c'), SAME],
      [reread('d', { path: 'log.csv' }), { state: 'moved', literal: '1', says: 'changed' }],
      [reread('e'), { state: 'changed', literal: '0.5', says: 'It was 0.91298.' }],
      [reread('f'), { state: 'not-read', literal: null, says: gone }],
    ),
  );
  await screen.findByText(/6 numbers, 3 to look at/);
  expect(proofs('Reported numbers and what stands in the files')).toEqual([
    'Re-read, equal',
    'Re-read, equal rounded',
    'Re-read',
    'File changed since',
    'Changed since',
    'Not re-read',
  ]);
  expect(screen.getByTitle(gone)).toBeDefined();
  expect(proofs('Files')).toEqual(['Loaded', 'Re-read', 'Loaded']);
  expect(plain()).not.toContain('\u202e');
});

it('a figure that differs is loud at the number and at its file', async () => {
  await show(look([reread('a', { figure: '0.92', verdict: 'differs' }), SAME]));
  await screen.findByText(/1 number, 1 to look at/);
  expect(proofs('Reported numbers and what stands in the files')).toEqual(['Re-read, differs']);
  expect(proofs('Files')).toEqual(['Loaded', 'Re-read, differs', 'Loaded']);
});

it('numbers are chosen from the files that have some, compared while typed, and kept', async () => {
  await show(null);
  expect(plain()).toContain('None chosen: nothing is re-read');
  expect(proofs('Files')).toEqual(['Loaded', 'Loaded', 'Loaded']);
  const values = [{ row: null, literal: '0.91298' }];
  bridge.answer(
    'evidence:numbers',
    ok({
      numbers: [{ parts: ['eval', 'acc'], values, hasSteps: false }],
      isCut: false,
      grainMs: 50,
      tellsWrites: true,
    }),
  );
  await click('Choose numbers…');
  const dialog = within(screen.getByRole('dialog', { name: 'Numbers you report' }));
  const files = within(dialog.getByLabelText('File')).getAllByRole('option');
  expect(files.map(({ textContent }) => textContent)).toEqual(['metrics.json', 'log.csv']);
  const keep = () => dialog.getByRole<HTMLButtonElement>('button', { name: 'Read again and keep' });
  expect(keep().disabled).toBe(true);
  await user.click(await dialog.findByRole('checkbox', { name: 'eval.acc' }));
  await user.type(dialog.getByLabelText('As you report it'), 'about 0.9');
  expect(plain()).toContain('Enter a number, such as 0.913 or 91.3 %.');
  expect(keep().disabled).toBe(true);
  await user.clear(dialog.getByLabelText('As you report it'));
  await user.type(dialog.getByLabelText('As you report it'), '0.92');
  expect(plain()).toContain('Differs from 0.91298 in the file.');
  await user.clear(dialog.getByLabelText('As you report it'));
  await user.type(dialog.getByLabelText('As you report it'), '91.3 %');
  expect(plain()).toContain('Equal to 0.91298, rounded.');
  await user.type(dialog.getByLabelText('Name'), 'final accuracy');
  bridge.answer('evidence:reread', err(problem('disk-full', 'The disk is full.')));
  await user.click(keep());
  expect(dialog.getByRole('alert').textContent).toContain('The disk is full.');
  const kept = look([reread('a'), SAME]);
  bridge.answer('evidence:reread', ok(kept.kept));
  bridge.answer('evidence:reported', ok(kept));
  await user.click(keep());
  expect(bridge.callsTo('evidence:reread').at(-1)).toEqual({
    ...{ boxId, runId: RUN.id },
    numbers: [
      {
        ...{ path: 'metrics.json', key: { parts: ['eval', 'acc'], row: null } },
        ...{ name: 'final accuracy', figure: '91.3 %' },
      },
    ],
  });
  await screen.findByText(/1 number re-read/);
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('of a curve it offers last, lowest, highest, and any step', async () => {
  await show(null);
  const values = [
    { row: { kind: 'last' }, literal: '0.3' },
    { row: { kind: 'lowest' }, literal: '0.25' },
  ] as const;
  const loss = { parts: ['loss'], values, hasSteps: true };
  bridge.answer(
    'evidence:numbers',
    ok({ numbers: [loss], isCut: true, grainMs: 50, tellsWrites: true }),
  );
  await click('Choose numbers…');
  const dialog = within(screen.getByRole('dialog'));
  await dialog.findByRole('checkbox', { name: 'loss@lowest' });
  expect(plain()).toContain('more numbers than are listed');
  await user.type(dialog.getByLabelText('At step'), '100');
  await user.click(dialog.getByRole('checkbox', { name: 'loss@100' }));
  expect(plain()).toContain('read when kept');
  await user.type(dialog.getByLabelText('Filter'), 'acc');
  expect(plain()).toContain('No key matches.');
  await user.click(dialog.getByRole('button', { name: 'Remove metrics.json:loss@100' }));
  expect(dialog.queryByRole('region', { name: 'Chosen numbers' })).toBeNull();
});
