import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { ok } from '../../../shared/result.ts';
import type { Blocker } from '../../../shared/teardown/inspection.ts';
import { useView } from '../../state/view.ts';
import { openTestWindow } from '../../test-window.fixture.ts';
import { BlockerList } from './blocker-list.tsx';

afterEach(cleanup);

it.each(['sweep-open:s-1', 'sweep-away:s-1'])('leads from %s to its sweep', async (id) => {
  const blocker: Blocker = {
    ...{ id, kind: 'sweep-open', stage: 'pulled', says: 'Cells are not home.', shows: [] },
    ...{ entry: null, loss: 'l', accepted: null, verb: null },
  };
  openTestWindow();
  render(<BlockerList boxId="b" blockers={[blocker]} isBusy={false} />);
  await userEvent.click(screen.getByRole('button', { name: 'Sweep' }));
  expect(useView.getState().page).toEqual({ kind: 'sweeps', sweepId: 's-1' });
});

it.each([
  ['not-looked', 'Connect'],
  ['proof-below', 'Settings'],
] as const)('leads from %s to what settles it', async (kind, name) => {
  const blocker: Blocker = {
    ...{ id: kind, kind, stage: 'inventory', says: 'Not known.', shows: [] },
    ...{ entry: null, loss: null, accepted: null, verb: null },
  };
  const bridge = openTestWindow();
  bridge.answer('link:connect', ok(null));
  render(<BlockerList boxId="b" blockers={[blocker]} isBusy={false} />);
  await userEvent.click(screen.getByRole('button', { name }));
  expect([
    bridge.callsTo('link:connect').length,
    useView.getState().page.kind === 'settings',
  ]).toEqual(kind === 'not-looked' ? [1, false] : [0, true]);
});

it('asks for nothing that is refused while the box is looked at', async () => {
  const blocker: Blocker = {
    ...{ id: 'elsewhere', kind: 'elsewhere', stage: 'inventory', says: 'Not all.', shows: [] },
    ...{ entry: null, loss: 'l', accepted: null, verb: null },
  };
  openTestWindow();
  const { rerender } = render(<BlockerList boxId="b" blockers={[blocker]} isBusy={false} />);
  await userEvent.click(screen.getByRole('button', { name: 'I have looked…' }));
  await userEvent.type(screen.getByLabelText('What you have looked at'), 'all of it');
  const confirm = screen.getByRole<HTMLButtonElement>('button', {
    name: 'Nothing else is needed',
  });
  expect(confirm.disabled).toBe(false);
  rerender(<BlockerList boxId="b" blockers={[blocker]} isBusy />);
  expect(confirm.disabled).toBe(true);
  rerender(<BlockerList boxId="b" blockers={[blocker]} isBusy={false} />);
  expect(confirm.disabled).toBe(false);
});
