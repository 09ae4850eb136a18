import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { problem } from '../../../shared/problem.ts';
import { err, ok } from '../../../shared/result.ts';
import type { SecretOnBox, SecretsOnBox } from '../../../shared/secrets/secret-on-box.ts';
import { openTestWindow } from '../../test-window.fixture.ts';
import { SentSecrets } from './sent-secrets-section.tsx';

const SENT: SecretOnBox = {
  name: 'HF_TOKEN',
  path: '~/.config/leasehold/HF_TOKEN',
  bytes: 37,
  sentAtMs: Date.UTC(2026, 10, 1),
  state: 'present',
};
const found = (...secrets: readonly SecretOnBox[]): SecretsOnBox => ({
  secrets,
  lookedAtMs: Date.now(),
  problems: [],
});

afterEach(cleanup);

async function show(answer: SecretsOnBox) {
  const bridge = openTestWindow();
  bridge.answer('secret:on-box', ok(answer));
  render(<SentSecrets boxId="b1" linkKind="up" />);
  await screen.findByRole('button', { name: 'Send a secret…' });
  return { bridge, user: userEvent.setup() };
}

describe('the secrets that were sent to a box', () => {
  it.each([
    ['present', 'There'],
    ['gone', 'Gone'],
    ['opened-up', 'Others may read it'],
    ['changed', 'Changed'],
    ['unknown', 'Unknown'],
  ] as const)('says of one that is %s: %s', async (state, word) => {
    await show(found({ ...SENT, state }));
    const row = screen.getByRole('row', { name: /HF_TOKEN/ });
    expect(row.textContent).toContain(word);
    expect(row.textContent).toMatch(/37\sB/);
  });

  it('says that it was not looked at, and why', async () => {
    const why = problem('not-connected', 'The box is not connected.');
    await show({
      secrets: [{ ...SENT, state: 'unknown' }],
      lookedAtMs: null,
      problems: [why],
    });
    expect(screen.getByText('Not looked at')).toBeDefined();
    expect(screen.getByText(/The box is not connected/)).toBeDefined();
  });

  it('removes one only after a yes, and shows a refusal where it was asked', async () => {
    const { bridge, user } = await show(found(SENT));
    await user.click(screen.getByRole('button', { name: 'Remove HF_TOKEN from the box' }));
    const dialog = screen.getByRole('alertdialog', { name: 'Remove HF_TOKEN from the box?' });
    expect(document.activeElement?.textContent).toBe('Cancel');
    expect(bridge.callsTo('secret:remove-from-box')).toEqual([]);
    bridge.answer('secret:remove-from-box', err(problem('secret-not-removed', 'It stayed.')));
    await user.click(within(dialog).getByRole('button', { name: 'Remove from box' }));
    expect(await within(dialog).findByText(/It stayed/)).toBeDefined();
    bridge.answer('secret:remove-from-box', ok(found()));
    await user.click(within(dialog).getByRole('button', { name: 'Remove from box' }));
    expect(await screen.findByText(/None from here/)).toBeDefined();
    expect(bridge.callsTo('secret:remove-from-box').at(-1)).toEqual({
      boxId: 'b1',
      path: SENT.path,
    });
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });
});
