import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  NO_PATROL,
  type PatrolState,
  type SeenRun,
} from '../../../../shared/patrol/patrol-state.ts';
import { problem } from '../../../../shared/problem.ts';
import type { PushPlan, PushView } from '../../../../shared/push/push-plan.ts';
import type { PushState, PushWaiter } from '../../../../shared/push/push-waiter.ts';
import { err, ok } from '../../../../shared/result.ts';
import type { LaunchedRun } from '../../../../shared/runs/launch/launched-run.ts';
import { sampleEntry, SEEN_MS } from '../../../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../../../state/fake-bridge.fixture.ts';
import { useFleet, useWebhook } from '../../../state/feeds.ts';
import { openTestWindow } from '../../../test-window.fixture.ts';
import { sampleRun } from '../launch/launch.fixture.ts';
import { PushAction, PushLaunched } from './push-action.tsx';
import { usePushes } from './push-looks.ts';
import { PushSection } from './push-section.tsx';

const ENTRY = sampleEntry();
const boxId = ENTRY.box.id;
const REF = { bootId: 'b1', pid: 41, startTicks: 5000 };
const RUN: SeenRun = {
  ...REF,
  command: 'python train.py\u202E <b>',
  folder: '/work',
  user: 'me',
  sinceMs: SEEN_MS,
  holdsGpu: true,
  survivesHangup: true,
  tmuxSession: null,
  isUnbuffered: true,
  log: null,
  checkpoint: null,
};
const SHOWN = { id: '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01', digest: 'd1' };
const PLAN: PushPlan = {
  plan: { ...SHOWN, expiresAtMs: SEEN_MS + 60_000 },
  target: { kind: 'ntfy', host: 'ntfy.sh', hasToken: true },
  isBoxItself: false,
  tool: 'curl',
  maxHours: 168,
  folder: '~/.local/state/leasehold/push/p-41-5000-0a1b2c3d',
  files: [
    { name: 'waiter.sh', what: 'The waiter.', text: '#!/bin/sh\n'.repeat(40) },
    { name: 'about', what: 'What it waits for.', text: '41 5000 604800 curl\n' },
    { name: 'result', what: 'What came of it.', text: null },
  ],
  messages: {
    ended: { title: 'a: a run has ended', body: 'Told at @when@.' },
    expired: { title: 'a: a run goes on', body: 'Told at @when@.' },
  },
  secretLines: ['https://ntfy.sh/••••', '••••', '{"because":"ended"}', '{"x":1}', 'end'],
  isReplacing: false,
  byHand: 'rm -r ~/.local/state/leasehold/push/p-41-5000-0a1b2c3d',
};
const waiter = (state: PushState, part: Partial<PushWaiter> = {}): PushWaiter => ({
  id: 'p-41-5000-0a1b2c3d',
  process: { pid: 41, startTicks: 5000 },
  armedAtMs: Date.now() - 125_000,
  untilMs: Date.now() + 3_600_000,
  state,
  ...part,
});
const view = (...waiters: readonly PushWaiter[]): PushView => ({
  look: { atMs: Date.now(), tool: 'curl', hasTable: true, waiters, isCut: false },
  own: null,
});
const SEEN: PatrolState = {
  ...NO_PATROL,
  seen: {
    atMs: SEEN_MS,
    took: null,
    uptimeS: null,
    isWhole: true,
    runs: [RUN],
    memoryShare: null,
    unread: [],
  },
};

let bridge: FakeBridge;
const user = userEvent.setup();
beforeEach(() => {
  bridge = openTestWindow([ENTRY]);
  usePushes.setState({}, true);
  useFleet.setState({ kind: 'live', state: { entries: [ENTRY] } }, true);
  const target = { kind: 'ntfy', host: 'ntfy.sh', hasToken: true } as const;
  useWebhook.setState({ kind: 'live', state: { target, deliveries: [] } }, true);
});
afterEach(cleanup);
const plain = (): string => document.body.textContent.replace(/[\u202f\u00a0]/g, ' ');
const click = (name: string | RegExp) => user.click(screen.getByRole('button', { name }));

async function openPreview(plan = PLAN): Promise<void> {
  bridge.answer('push:plan', ok(plan));
  render(<PushAction boxId={boxId} run={RUN} />);
  await click(/Notify from the box/);
  await click('Show what goes to the box');
}

describe('having a box tell the end of a run', () => {
  it('offers the webhook of Settings, shows all that goes there, and arms exactly that', async () => {
    await openPreview();
    expect(bridge.callsTo('push:plan')).toEqual([
      { boxId, run: REF, maxHours: 168, to: { kind: 'webhook' } },
    ]);
    for (const words of [
      'https://ntfy.sh/••••',
      'ntfy at ntfy.sh, with an access token',
      PLAN.folder,
      '0600',
      '41 5000 604800 curl',
      PLAN.byHand,
      'after 7 days',
      'Told at (the box’s time).',
      'no message does not mean that the run goes on',
    ]) {
      expect(plain()).toContain(words);
    }
    expect(document.activeElement?.textContent).toBe('Back');
    expect(bridge.callsTo('push:arm')).toEqual([]);
    bridge.answer('push:arm', ok(view(waiter({ kind: 'waiting' }))));
    await click('Arm');
    expect(plain()).toContain('its process table shows the watching process');
    expect(bridge.callsTo('push:arm')).toEqual([{ boxId, plan: SHOWN }]);
    await user.keyboard('{Enter}');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(plain()).toContain('armed');
  });

  it('sends a typed address to main alone, and takes it back to the form after a look', async () => {
    useWebhook.setState({ kind: 'live', state: { target: null, deliveries: [] } }, true);
    bridge.answer(
      'push:plan',
      err(problem('push-no-tool', 'The box has neither curl nor GNU Wget.')),
    );
    render(<PushAction boxId={boxId} run={RUN} />);
    await click(/Notify from the box/);
    const show = () =>
      screen.getByRole<HTMLButtonElement>('button', { name: 'Show what goes to the box' });
    expect(show().disabled).toBe(true);
    await user.click(screen.getByRole('radio', { name: 'Slack' }));
    await user.type(screen.getByLabelText('Address'), ' https://hooks.example/x ');
    await user.click(screen.getByRole('radio', { name: '1 day' }));
    await click('Show what goes to the box');
    expect(bridge.callsTo('push:plan')).toEqual([
      {
        boxId,
        run: REF,
        maxHours: 24,
        to: {
          kind: 'typed',
          webhookKind: 'slack',
          url: 'https://hooks.example/x',
          token: '',
          isPlainAllowed: false,
        },
      },
    ]);
    const alert = (await screen.findByRole('alert')).textContent;
    expect(alert).toContain('neither curl nor GNU Wget');
    expect(alert).toContain('Install curl on the box');
    bridge.answer('push:plan', ok(PLAN));
    await click('Show what goes to the box');
    await click('Back');
    expect(screen.getByLabelText<HTMLInputElement>('Address').value).toBe(
      ' https://hooks.example/x ',
    );
  });

  it('tells what came of a test from the box, and why nothing was armed', async () => {
    await openPreview({ ...PLAN, isReplacing: true, isBoxItself: true });
    expect(plain()).toContain('One waits for this run already');
    expect(plain()).toContain('ntfy.sh is the box itself');
    bridge.answer('push:test', ok({ tool: 'curl', status: null, exitCode: 7 }));
    await click('Send a test from the box');
    expect(plain()).toContain('did not arrive: the box could not connect to it');
    bridge.answer('push:test', ok({ tool: 'curl', status: 200, exitCode: 0 }));
    await click('Send a test from the box');
    expect(plain()).toContain('The test was accepted with HTTP 200.');
    bridge.answer('push:arm', err(problem('push-not-armed', 'It has ended already.')));
    await click('Arm');
    expect((await screen.findByRole('alert')).textContent).toContain('It has ended already.');
    expect(usePushes.getState()[boxId]?.view ?? null).toBeNull();
  });

  it('is not offered for a box that is not connected', () => {
    const down = { ...ENTRY, link: { kind: 'idle' } as const };
    useFleet.setState({ kind: 'live', state: { entries: [down] } }, true);
    render(<PushAction boxId={boxId} run={RUN} />);
    expect(screen.getByRole<HTMLButtonElement>('button').disabled).toBe(true);
  });
});

describe('of a run that was launched', () => {
  const LAUNCHED = sampleRun({ process: REF });
  const button = () => screen.getByRole<HTMLButtonElement>('button', { name: /Notify from/ });

  it('asks for exactly that run, and knows a waiter that waits for it', async () => {
    bridge.answer('push:look', ok(view()));
    bridge.answer('push:plan', ok(PLAN));
    const { rerender } = render(<PushLaunched boxId={boxId} run={LAUNCHED} />);
    await waitFor(() => expect(usePushes.getState()[boxId]?.view).not.toBeNull());
    expect(plain()).not.toContain('armed');
    await click(/Notify from the box/);
    expect(screen.getByRole('dialog').textContent).toContain('baseline');
    await click('Show what goes to the box');
    await screen.findByText(PLAN.byHand);
    expect(bridge.callsTo('push:plan')).toEqual([
      { boxId, run: { launched: LAUNCHED.id }, maxHours: 168, to: { kind: 'webhook' } },
    ]);
    bridge.answer('push:arm', ok(view(waiter({ kind: 'waiting' }))));
    await click('Arm');
    await click('Done');
    expect(await screen.findByText('armed')).toBeDefined();
    rerender(
      <PushLaunched boxId={boxId} run={{ ...LAUNCHED, process: { ...REF, startTicks: 6 } }} />,
    );
    expect(screen.queryByText('armed')).toBeNull();
  });

  it.each<[string, Partial<LaunchedRun>]>([
    ['has not begun', { status: { kind: 'starting' }, process: null }],
    ['lost what keeps it', { status: { kind: 'running', lacksKeeper: true } }],
  ])('is not offered for one that %s, and says why', async (_what, part) => {
    bridge.answer('push:look', ok(view()));
    render(<PushLaunched boxId={boxId} run={{ ...LAUNCHED, ...part }} />);
    await waitFor(() => expect(usePushes.getState()[boxId]?.view).not.toBeNull());
    expect(button().disabled).toBe(true);
    expect(button().title).toBe('What writes down the end of this run is not there');
  });
});

describe('what waits on a box', () => {
  const post = { tool: 'curl', status: 200, exitCode: 0 } as const;
  const fired = {
    kind: 'fired',
    because: 'ended',
    post,
    isDelivered: true,
    atMs: Date.now() - 185_000,
  } as const;

  async function show(answer = ok(view()), launched: readonly LaunchedRun[] = []): Promise<void> {
    bridge.answer('push:look', answer);
    await act(async () => {
      render(<PushSection entry={ENTRY} state={SEEN} launched={launched} />);
      await Promise.resolve();
    });
  }

  it.each<[PushState, string]>([
    [{ kind: 'waiting' }, 'Waits for its end. Armed 2 min ago, until'],
    [fired, 'The run ended; the message was accepted with HTTP 200. That was 3 min ago.'],
    [
      { ...fired, because: 'expired', isDelivered: false, post: { ...post, status: 403 } },
      'The wait was over, and the run went on; the message did not arrive: refused with HTTP 403',
    ],
    [{ kind: 'lost', because: 'restart' }, 'Gone with a restart of the box'],
    [{ kind: 'lost', because: 'ended' }, 'It has told nothing.'],
    [{ kind: 'lost', because: 'unknown' }, 'why is not known'],
  ])('says how it stands: %o', async (state, words) => {
    await show(ok(view(waiter(state))));
    const [line] = screen.getAllByRole('listitem');
    expect(line?.textContent.replace(/[\u202f\u00a0]/g, ' ')).toContain(words);
    expect(line?.textContent).toContain('python train.py <b>');
    expect(line?.querySelector('b')).toBeNull();
  });

  it('is called what the run is called that was launched', async () => {
    const name = 'base\u202Eline';
    const process = { bootId: 'b1', pid: 41, startTicks: 5000 };
    await show(ok(view(waiter({ kind: 'waiting' }))), [sampleRun({ name, process })]);
    expect(screen.getByRole('button', { name: 'Cancel: baseline' })).toBeDefined();
    expect(plain()).not.toContain('python train.py');
  });

  it('is ended only with a word, and stays where the box does not say that it is gone', async () => {
    await show(
      ok(
        view(
          waiter({ kind: 'waiting' }),
          waiter(fired, { id: 'p-9-9-00000000', process: { pid: 9, startTicks: 9 } }),
        ),
      ),
    );
    bridge.answer('push:end', err(problem('push-not-ended', 'The box still has this waiter.')));
    await click('Cancel: python train.py <b>');
    expect(bridge.callsTo('push:end')).toEqual([{ boxId, id: 'p-41-5000-0a1b2c3d' }]);
    expect((await screen.findByRole('alert')).textContent).toContain('still has this waiter');
    bridge.answer('push:end', ok(view(waiter({ kind: 'waiting' }))));
    await click('Clear away: process 9');
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1));
  });

  it('shows nothing where nothing waits, and why it does not know', async () => {
    await show();
    await waitFor(() => expect(usePushes.getState()[boxId]?.view).not.toBeNull());
    expect(plain()).toBe('');
    cleanup();
    usePushes.setState({}, true);
    await show(err(problem('push-not-read', 'The box did not tell.')) as never);
    const section = within(screen.getByRole('region', { name: 'Told from the box' }));
    expect(section.getByText('The box did not tell.')).toBeDefined();
    bridge.answer('push:look', ok(view(waiter({ kind: 'waiting' }))));
    await click('Refresh');
    expect(await screen.findByText(/Waits for its end/)).toBeDefined();
  });
});
