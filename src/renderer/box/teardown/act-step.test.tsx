import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ACT, saidOf } from '../../../shared/teardown/gate.fixture.ts';
import type { AddressAnswer } from '../../../shared/teardown/gate.ts';
import type { ProviderSaid } from '../../../shared/teardown/provider-said.ts';
import { NO_SECRETS } from '../../../shared/teardown/secrets-found.ts';
import { sampleEntry } from '../../fleet/fleet-entry.fixture.ts';
import { useView } from '../../state/view.ts';
import { openTestWindow } from '../../test-window.fixture.ts';
import { ActStep } from './act-step.tsx';

const ENTRY = sampleEntry();

beforeEach(() => void openTestWindow([ENTRY]));
afterEach(cleanup);

/** What can be done about an end of which this is known. */
function buttonsAt(said: ProviderSaid['kind'] | null, kind: AddressAnswer['kind']) {
  cleanup();
  const gate = {
    kind: 'unconfirmed',
    ...{ act: ACT, because: 'So it is.' },
    answer: { kind, says: 'So it was.' },
    said: said === null ? null : saidOf(said),
  } as const;
  const provider = said === null ? null : 'Acme';
  const view = { gate, provider, receipt: null, doing: null, told: [], secrets: NO_SECRETS };
  render(<ActStep box={ENTRY.box} profile={null} {...{ gate, view }} />);
  return screen.getAllByRole('button').map(({ textContent }) => textContent);
}

it('offers a word to a provider’s only where it can be the second witness', () => {
  const done = ['Check now', 'I know that it is done – check', 'It is not being ended'];
  expect(buttonsAt('gone', 'unreachable')).toEqual(done);
  // Something on the way takes the connection, and says nothing.
  expect(buttonsAt('gone', 'unknown')).toEqual(done);
  const elsewhere = ['Check now', 'It was ended elsewhere – check', 'It is not being ended'];
  expect(buttonsAt('unheard', 'silent')).toEqual(elsewhere);
  expect(buttonsAt('gone', 'answers')).toEqual(['Check now', 'It is not being ended']);
  expect(buttonsAt('unheard', 'answers')).toEqual(['Check now', 'It is not being ended']);
});

it.each(['unreachable', 'unknown'] as const)(
  'leads out of an end that cannot be confirmed, and says that nothing confirms it: %s',
  async (kind) => {
    const left = ['Check now', 'It is not being ended', 'Forget box…'];
    expect(buttonsAt('unheard', kind)).toEqual(left);
    const byHand = ['I have done it – check', 'Check only', 'I did not do it'];
    expect(buttonsAt(null, 'silent')).toEqual(byHand);
    expect(buttonsAt(null, kind)).toEqual([...byHand, 'Forget box…']);
    expect(screen.getByRole('note').textContent).toMatch(/never says that the box is gone/);
    await userEvent.click(screen.getByRole('button', { name: 'Forget box…' }));
    expect(useView.getState().overlay).toEqual({ kind: 'forget-box', boxId: ENTRY.box.id });
  },
);
