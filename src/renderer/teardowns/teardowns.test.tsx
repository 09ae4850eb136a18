import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { ok } from '../../shared/result.ts';
import type { GateState } from '../../shared/teardown/gate.ts';
import type { Blocker } from '../../shared/teardown/inspection.ts';
import { NO_SECRETS } from '../../shared/teardown/secrets-found.ts';
import type { TeardownView } from '../../shared/teardown/teardown-view.ts';
import { SETTLED } from '../box/teardown/settled.fixture.ts';
import { sampleEntry } from '../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../state/fake-bridge.fixture.ts';
import { useFleet } from '../state/feeds.ts';
import { createStreamClient } from '../state/stream-client.ts';
import { StreamProvider } from '../state/stream-context.ts';
import { overlayOpened, useView } from '../state/view.ts';
import { openTestWindow } from '../test-window.fixture.ts';
import { TeardownsPage } from './teardowns-page.tsx';

const [A, B] = [
  sampleEntry({}, { id: '11111111-1111-4111-8111-111111111111', name: 'train-a' }),
  sampleEntry({}, { id: '22222222-2222-4222-8222-222222222222', name: 'train-b' }),
];
const BLOCKER: Blocker = {
  ...{ id: 'never-pulled:r', kind: 'never-pulled', stage: 'pulled', says: 'Not home.', shows: [] },
  ...{ entry: null, loss: 'l', accepted: null, verb: null },
};
const shut = (blockers: readonly Blocker[] | null): GateState => ({
  kind: 'shut',
  inspection: blockers && { ...SETTLED, blockers },
});
const viewOf = (gate: GateState): TeardownView => ({
  ...{ gate, receipt: null, provider: null, told: [], doing: null, secrets: NO_SECRETS },
});

const NOT_LOOKED: Blocker = {
  ...BLOCKER,
  ...{ id: 'not-looked', kind: 'not-looked', stage: 'inventory', says: 'Too slow.' },
};

afterEach(cleanup);

it('says of a box that could not be looked at that it is to be checked, and of one nobody asked that', async () => {
  const bridge = openPage([shut([NOT_LOOKED]), shut(null)], null);
  for (const step of ['Bring it home', 'Prove it', 'What stays behind']) {
    await screen.findByRole('button', { name: `train-a, ${step}: Check it first` });
  }
  act(() => bridge.publish('teardowns', [{ boxId: B.box.id, value: null }]));
  await waitFor(() => expect(screen.queryByRole('button', { name: /^train-b, / })).toBeNull());
  expect(screen.getAllByText('Not checked')).toHaveLength(9);
});

function openPage(gates: readonly [GateState, GateState], sweepId: string | null): FakeBridge {
  const bridge = openTestWindow([A, B]);
  bridge.serve('teardowns', {
    boxes: { [A.box.id]: viewOf(gates[0]), [B.box.id]: viewOf(gates[1]) },
  });
  useFleet.setState({ kind: 'live', state: { entries: [A, B] } }, true);
  render(
    <StreamProvider value={createStreamClient(bridge)}>
      <TeardownsPage boxIds={[A.box.id, B.box.id]} sweepId={sweepId} />
    </StreamProvider>,
  );
  return bridge;
}

it('lets no box of a sweep to its approval before the others are settled, and then each to its own', async () => {
  const bridge = openPage([shut([]), shut([BLOCKER])], 's-1');
  const approve = await screen.findByRole('button', {
    name: 'train-a, Approve: Waits for the other boxes',
  });
  expect(approve).toHaveProperty('disabled', true);
  screen.getByText('1 of 2 boxes settled');
  await userEvent.click(
    screen.getByRole('button', { name: 'train-b, Bring it home: 1 thing to settle' }),
  );
  expect(useView.getState().page).toEqual({
    ...{ kind: 'box', boxId: B.box.id, tab: 'teardown', step: 'pulled' },
  });
  act(() => bridge.publish('teardowns', [{ boxId: B.box.id, value: viewOf(shut([])) }]));
  const open = await screen.findByRole('button', { name: /^train-a, Approve: Type/ });
  await waitFor(() => expect(open).toHaveProperty('disabled', false));
  await userEvent.click(open);
  expect(useView.getState().page).toMatchObject({ boxId: A.box.id, step: 'approve' });
});

it('takes a box that nobody has looked at for not settled, and looks at all that are connected', async () => {
  const bridge = openPage([shut([]), shut(null)], 's-1');
  bridge.answer('teardown:inspect', ok(null));
  await screen.findByText('1 of 2 boxes settled');
  await userEvent.click(screen.getByRole('button', { name: 'Check all boxes' }));
  const both = [{ boxId: A.box.id }, { boxId: B.box.id }];
  expect(bridge.callsTo('teardown:inspect')).toEqual(both);
  await act(async () => {
    overlayOpened({ kind: 'on-page', part: 'check-all' });
    await Promise.resolve();
  });
  expect(bridge.callsTo('teardown:inspect')).toEqual([...both, ...both]);
});

it('is held by no box that was removed from the list, and says that there is one', async () => {
  openPage([shut([]), shut(null)], 's-1');
  await screen.findByText('1 of 2 boxes settled');
  act(() => useFleet.setState({ kind: 'live', state: { entries: [A] } }, true));
  await screen.findByText('1 of 1 box settled');
  screen.getByText(/1 box was removed from the list: it has no column/);
  expect(screen.getByRole('button', { name: /^train-a, Approve: Type/ })).toHaveProperty(
    'disabled',
    false,
  );
  act(() => useFleet.setState({ kind: 'loading' }, true));
  screen.getByText('Opening…');
});

it('holds no box for others that share no sweep with it', async () => {
  openPage([shut([]), shut(null)], null);
  const open = await screen.findByRole('button', { name: /^train-a, Approve: Type/ });
  expect(open).toHaveProperty('disabled', false);
});
