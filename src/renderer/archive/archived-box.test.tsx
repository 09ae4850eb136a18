import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import type { ArchivedBox as Archived } from '../../shared/teardown/archived-box.ts';
import { sampleEntry } from '../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../state/fake-bridge.fixture.ts';
import { useFleet } from '../state/feeds.ts';
import { createStreamClient } from '../state/stream-client.ts';
import { StreamProvider } from '../state/stream-context.ts';
import { openTestWindow } from '../test-window.fixture.ts';
import { ArchivePage } from './archive-page.tsx';
import { ArchivedBox } from './archived-box.tsx';

const GONE = sampleEntry({ link: { kind: 'idle' } }, { name: 'old-box', archivedAtMs: 1000 });
const ARCHIVED: Archived = {
  ...{ boxId: GONE.box.id, boxName: 'old-box', goneAtMs: 1000, verb: 'Terminate', aim: 'gone' },
  ...{ by: 'provider', receipt: 7, isKept: true, cost: null },
  runs: [
    {
      ...{ runId: 'r1', runName: 'baseline', path: '/root/out', to: '/home/me/out', files: 3 },
      ...{ bytes: 9, homeFiles: 2, homeBytes: 9, evidence: 1 },
    },
  ],
};

let bridge: FakeBridge;
beforeEach(() => {
  bridge = openTestWindow();
  useFleet.setState({ kind: 'live', state: { entries: [GONE] } }, true);
});
afterEach(cleanup);

function show(): void {
  render(
    <StreamProvider value={createStreamClient(bridge)}>
      <ArchivedBox entry={GONE} tab="runs" />
    </StreamProvider>,
  );
}

it('says of its results what its approval said, and not that they are here now', async () => {
  bridge.answer('teardown:archive', ok([ARCHIVED]));
  show();
  const row = within(await screen.findByRole('row', { name: /baseline/ }));
  row.getByText('2 of 3 files');
  screen.getByRole('columnheader', { name: 'Brought home to' });
  expect(screen.getByText('Proven when its end was approved').nextSibling?.textContent).toBe(
    '2 files',
  );
  expect(document.body.textContent).not.toMatch(/on this computer/i);
});

it('takes results whose approval cannot be read for unknown, and not for none', async () => {
  bridge.answer('teardown:archive', ok([{ ...ARCHIVED, runs: null }]));
  show();
  await screen.findByText('Results cannot be read');
  expect(screen.getByText('Proven when its end was approved').nextSibling?.textContent).toBe(
    'approval not readable',
  );
  expect(screen.getByText('Total cost').nextSibling?.textContent).toBe('not metered');
  expect(document.body.textContent).not.toContain('0 files');
  cleanup();
  render(<ArchivePage />);
  const row = within(await screen.findByRole('row', { name: /old-box/ }));
  expect(row.queryByText('none')).toBeNull();
  row.getByText('approval not readable');
});

it('says why it has no results to show, and is not being read for ever', async () => {
  bridge.answer('teardown:archive', err(problem('internal', 'The evidence cannot be read.')));
  show();
  await screen.findByText('The evidence cannot be read.');
  cleanup();
  bridge.answer('teardown:archive', ok([]));
  show();
  await screen.findByText('The evidence does not have the end of this box.');
  expect(screen.queryByText('Reading the evidence…')).toBeNull();
});
