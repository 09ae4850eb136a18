import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DEMO_PLATFORM } from '../../../shared/demo/demo-platform.ts';
import { ACT, saidOf } from '../../../shared/teardown/gate.fixture.ts';
import type { AddressAnswer } from '../../../shared/teardown/gate.ts';
import type { ProviderSaid } from '../../../shared/teardown/provider-said.ts';
import { NO_SECRETS } from '../../../shared/teardown/secrets-found.ts';
import { sampleEntry } from '../../fleet/fleet-entry.fixture.ts';
import { useView } from '../../state/view.ts';
import { openTestWindow } from '../../test-window.fixture.ts';
import {
  LOOK_BEGINS,
  type TeardownDoing,
  type TeardownView,
} from '../../../shared/teardown/teardown-view.ts';
import { ActStep } from './act-step.tsx';
import { SETTLED } from './settled.fixture.ts';

const ENTRY = sampleEntry();
const DAY = 24 * 3600_000;

beforeEach(() => void openTestWindow([ENTRY]));
afterEach(cleanup);

/** What can be done about an end of which this is known. */
function buttonsAt(
  said: ProviderSaid['kind'] | null,
  kind: AddressAnswer['kind'],
  box = ENTRY.box,
) {
  cleanup();
  const gate = {
    kind: 'unconfirmed',
    ...{ act: ACT, because: 'So it is.' },
    answer: { kind, says: 'So it was.' },
    said: said === null ? null : saidOf(said),
  } as const;
  const provider = said === null ? null : 'Acme';
  const view = { gate, provider, receipt: null, doing: null, told: [], secrets: NO_SECRETS };
  render(<ActStep profile={null} {...{ box, gate, view }} />);
  return screen.getAllByRole('button').map(({ textContent }) => textContent);
}

it.each(['gone', null] as const)('says what waiting for its end costs, by %s', (said) => {
  buttonsAt(said, 'silent');
  expect(screen.getByText(/^Cost of waiting: /)).toBeDefined();
});

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
    const left = ['Check now', 'It is not being ended', 'Remove from Leasehold…'];
    expect(buttonsAt('unheard', kind)).toEqual(left);
    const byHand = ['I have done it – check', 'Check only', 'I did not do it'];
    expect(buttonsAt(null, 'silent')).toEqual(byHand);
    expect(buttonsAt(null, kind)).toEqual([...byHand, 'Remove from Leasehold…']);
    expect(screen.getByRole('note').textContent).toMatch(/never says that the box is gone/);
    await userEvent.click(screen.getByRole('button', { name: 'Remove from Leasehold…' }));
    expect(useView.getState().overlay).toEqual({ kind: 'forget-box', boxId: ENTRY.box.id });
  },
);

it('offers for the demo box what works for it: it is not stored, so it cannot be forgotten', async () => {
  const bridge = openTestWindow([ENTRY]);
  const demo = { ...ENTRY.box, platform: DEMO_PLATFORM };
  const off = 'Switch the demo box off';
  expect(buttonsAt('unheard', 'unreachable', demo)).toEqual([
    'Check now',
    'It is not being ended',
    off,
  ]);
  expect(silentSince([line('silent', DAY)], demo)).toMatch(
    /never answer again, switch the demo box off/,
  );
  await userEvent.click(screen.getByRole('button', { name: off }));
  expect(bridge.callsTo('settings:change')).toEqual([{ patch: { demo: { isOn: false } } }]);
});

it('names the machine by its whole address: others may have the same host', () => {
  const address = { host: 'ssh5.example', port: 31022, user: 'root' };
  const gate = { kind: 'acting', act: ACT, isAnswered: true, answer: null, said: null } as const;
  const view = { gate, provider: null, receipt: null, doing: null, told: [], secrets: NO_SECRETS };
  render(<ActStep box={{ ...ENTRY.box, address }} profile={null} {...{ gate, view }} />);
  screen.getByText('root@ssh5.example:31022');
});

/** An end whose provider does not answer any more. */
function silentSince(told: TeardownView['told'], box = ENTRY.box) {
  cleanup();
  const gate = {
    kind: 'unconfirmed',
    ...{ act: ACT, because: 'Nothing is known from Acme: nothing came back.' },
    ...{ answer: null, said: told.at(-1) as ProviderSaid },
  } as const;
  const view = { gate, told, receipt: null, doing: null, provider: 'Acme', secrets: NO_SECRETS };
  render(<ActStep profile={null} {...{ box, gate, view }} />);
  return screen.getByRole('note', { name: 'What you can do' }).textContent;
}
const line = (kind: TeardownView['told'][number]['kind'], atMs: number) =>
  ({ provider: 'Acme', kind, says: '', atMs }) as TeardownView['told'][number];

it('says of a provider that does not answer since when, what it said before, and what to do', async () => {
  const words = silentSince([
    ...[line('accepted', 0), line('stopping', DAY), line('silent', 2 * DAY)],
  ]);
  expect(words).toMatch(/Acme has not answered since 3 Jan 1970/);
  expect(words).toMatch(/Before that it said: shutting down, 2 Jan 1970/);
  expect(words).toMatch(/Look at the machine in Acme’s console/);
  // The order itself was not answered either.
  const never = silentSince([line('lost', 3 * DAY), line('silent', 4 * DAY)]);
  expect(never).toMatch(/has not answered since 4 Jan 1970/);
  expect(never).toMatch(/It has said nothing about this request/);
  // What it answered to the order, and since, went with the Leasehold that sent it.
  const resumed = silentSince([line('silent', 4 * DAY)]);
  expect(resumed).toMatch(/has not answered yet: Leasehold has been asking since 5 Jan 1970/);
  expect(resumed).toMatch(/Before that it may have accepted the request/);
  expect(resumed).not.toMatch(/has said nothing|has not answered since/);
  await userEvent.click(screen.getByRole('button', { name: 'Remove from Leasehold…' }));
  expect(useView.getState().overlay).toEqual({ kind: 'forget-box', boxId: ENTRY.box.id });
});

it.each([
  ['running', null, /end it in Acme’s console/],
  ['gone', 'answers', /Compare the address with Acme’s console/],
  ['unheard', 'answers', /in the account that pays for it/],
  ['stopped', null, /only stopped may go on billing/],
] as const)('has a way on where the provider says %s', (said, kind, way) => {
  buttonsAt(said, kind ?? 'unknown');
  screen.getByText(way);
});

it('lets a person go ahead while a look is under way that nobody asked for', () => {
  const approval = { verb: 'Terminate', aim: 'gone', digest: 'd', typed: 'a', atMs: 0 } as const;
  const gate = {
    kind: 'approved',
    inspection: SETTLED,
    approval: { ...approval, fromMonoMs: 0, untilMonoMs: 1 },
  } as const;
  const goAhead = (isByItself: boolean) => {
    cleanup();
    const doing: TeardownDoing = {
      kind: 'inspecting',
      ...LOOK_BEGINS,
      ...(isByItself && { isByItself: true }),
    };
    const view = { gate, doing, receipt: null, provider: null, told: [], secrets: NO_SECRETS };
    render(<ActStep box={ENTRY.box} profile={null} {...{ gate, view }} />);
    return screen.getByRole<HTMLButtonElement>('button', { name: 'Go ahead' }).disabled;
  };
  expect([goAhead(true), goAhead(false)]).toEqual([false, true]);
});
