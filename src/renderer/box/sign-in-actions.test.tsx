import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { ok } from '../../shared/result.ts';
import { useView } from '../state/view.ts';
import { openTestWindow } from '../test-window.fixture.ts';
import { takeCopies } from '../ui/take-copies.fixture.ts';
import { SignInActions } from './sign-in-actions.tsx';

const BOX = '11111111-1111-4111-8111-111111111111';
const line = 'ssh-ed25519 AAAA me@here';
const key = { file: '/home/me/.ssh/id_ed25519.pub', type: 'ssh-ed25519', fingerprint: 'SHA256:x' };
afterEach(cleanup);

it('offers another key, and copies a public key of this computer', async () => {
  const bridge = openTestWindow();
  const copies: string[] = [];
  takeCopies(copies);
  bridge.answer('key:choices', ok([{ ...key, comment: 'me@here', line }]));
  render(<SignInActions boxId={BOX} />);
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Copy public key' }));
  await user.click(await screen.findByRole('menuitem', { name: /id_ed25519/ }));
  expect(copies).toEqual([line]);
  await user.click(screen.getByRole('button', { name: 'Choose another key…' }));
  expect(useView.getState().overlay).toEqual({ kind: 'edit-connection', boxId: BOX });
});

it('offers no copy where this computer has no public key', async () => {
  openTestWindow().answer('key:choices', ok([]));
  render(<SignInActions boxId={BOX} />);
  await screen.findByRole('button', { name: 'Choose another key…' });
  expect(screen.queryByRole('button', { name: 'Copy public key' })).toBeNull();
});
