import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Box } from '../../../shared/boxes/box.ts';
import { DEMO_PLATFORM } from '../../../shared/demo/demo-platform.ts';
import { ok } from '../../../shared/result.ts';
import { NO_SECRETS, type SecretsView } from '../../../shared/teardown/secrets-found.ts';
import type { TeardownView } from '../../../shared/teardown/teardown-view.ts';
import { sampleEntry } from '../../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../../state/fake-bridge.fixture.ts';
import { createStreamClient } from '../../state/stream-client.ts';
import { StreamProvider } from '../../state/stream-context.ts';
import { tabChosen, teardownChosen } from '../../state/view.ts';
import { openTestWindow } from '../../test-window.fixture.ts';
import { SETTLED } from './settled.fixture.ts';
import { TeardownTab } from './teardown-tab.tsx';

const ENTRY = sampleEntry();
const BOX = ENTRY.box.id;
const viewWith = (secrets: Partial<SecretsView>): TeardownView => ({
  ...{ gate: { kind: 'shut', inspection: SETTLED }, receipt: null, doing: null },
  ...{ provider: null, told: [], secrets: { ...NO_SECRETS, ...secrets } },
});
const look = (...paths: readonly string[]): SecretsView['look'] => ({
  ...{ atMs: paths.length, home: '/root', isCut: false, unread: null },
  found: paths.map((path) => ({
    ...{ key: `1/${path}`, kind: 'netrc', path, bytes: 9, modifiedAtMs: 0, links: 1 },
    ...{ isOwn: true, mayGo: true, isSure: true },
  })),
});

let bridge: FakeBridge;
beforeEach(() => {
  bridge = openTestWindow([ENTRY]);
  tabChosen(BOX, 'teardown');
});
afterEach(cleanup);

async function open(secrets: Partial<SecretsView>): Promise<void> {
  bridge.serve('teardowns', { boxes: { [BOX]: viewWith(secrets) } });
  render(
    <StreamProvider value={createStreamClient(bridge)}>
      <TeardownTab entry={ENTRY} />
    </StreamProvider>,
  );
  await screen.findByRole('navigation', { name: 'Steps of the teardown' });
}
const shown = () =>
  screen.getByRole('button', { current: 'step' }).textContent?.replace(/[,:].*/, '');
const become = (secrets: Partial<SecretsView>): void =>
  act(() => bridge.publish('teardowns', [{ boxId: BOX, value: viewWith(secrets) }]));

it('goes to the step that is asked for, also the second time', async () => {
  await open({});
  expect(shown()).toContain('Secrets');
  act(() => teardownChosen(BOX, 'pulled'));
  expect(shown()).toContain('Bring it home');
  await userEvent.click(screen.getByRole('button', { name: /^What it costs/ }));
  expect(shown()).toContain('What it costs');
  act(() => teardownChosen(BOX, 'pulled'));
  expect(shown()).toContain('Bring it home');
  // Led on by what came about, and not by a click.
  become({ look: look() });
  expect(shown()).toContain('Approve');
  act(() => teardownChosen(BOX, 'pulled'));
  expect(shown()).toContain('Bring it home');
});

it('leads on from each step that is settled', async () => {
  await open({ look: look() });
  act(() => teardownChosen(BOX, 'proven'));
  const onward = () => screen.queryByRole('button', { name: /^Next: / });
  const passed: (string | undefined)[] = [];
  for (let next = onward(); next !== null; next = onward()) {
    passed.push(shown());
    await userEvent.click(next);
  }
  // Where no secret is left, the step goes on by a button of its own.
  expect([...passed, shown()].map((each) => each?.replace(/^\d/, ''))).toEqual([
    ...['Prove it', 'What stays behind', 'Secrets'],
  ]);
  act(() => teardownChosen(BOX, 'costs'));
  await userEvent.click(screen.getByRole('button', { name: /^Next: / }));
  expect(shown()).toContain('Approve');
  expect(onward()).toBeNull();
});

it('leads nobody away from what became of a removal, until they go on', async () => {
  bridge.answer('teardown:leave-secrets', ok(null));
  await open({ look: look('/root/.netrc') });
  const removed = [{ kind: 'netrc', path: '/root/.netrc', atMs: 1 }] as const;
  become({ look: look(), removed });
  expect(shown()).toContain('Secrets');
  screen.getByText(/replace what matters/);
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  expect(shown()).toContain('Approve');
});

it('follows whoever leaves the secrets on the box', async () => {
  await open({ look: look('/root/.netrc') });
  become({ look: look('/root/.netrc'), isLeft: true });
  expect(shown()).toContain('Approve');
});

it('asks a provider at once, before any look, and one that is linked while it is open', async () => {
  const provider = 'Acme';
  const account = { provider, instance: 'i-1', atMs: 0 };
  const silent = { kind: 'silent', says: 'nothing' } as const;
  bridge.answer('teardown:account', ok({ ...account, machines: silent, price: silent }));
  const untouched = { ...viewWith({}), gate: { kind: 'shut', inspection: null } } as const;
  bridge.serve('teardowns', { boxes: { [BOX]: untouched } });
  render(
    <StreamProvider value={createStreamClient(bridge)}>
      <TeardownTab entry={ENTRY} />
    </StreamProvider>,
  );
  await screen.findByRole('navigation', { name: 'Steps of the teardown' });
  expect(bridge.callsTo('teardown:account')).toEqual([]);
  act(() => bridge.publish('teardowns', [{ boxId: BOX, value: { ...untouched, provider } }]));
  expect(bridge.callsTo('teardown:account')).toEqual([{ boxId: BOX }]);
  expect(bridge.callsTo('teardown:inspect')).toEqual([]);
  act(() => teardownChosen(BOX, 'costs'));
  await screen.findByText(/What Acme says/);
  expect(bridge.callsTo('teardown:account')).toHaveLength(1);
});

it('lets a person stop what a delete waits for, on whatever step they are', async () => {
  const doing = { kind: 'deleting' } as const;
  bridge.serve('teardowns', { boxes: { [BOX]: { ...viewWith({}), doing } } });
  render(
    <StreamProvider value={createStreamClient(bridge)}>
      <TeardownTab entry={ENTRY} />
    </StreamProvider>,
  );
  await screen.findByText('Being done: something on it is being deleted.');
  await userEvent.click(screen.getByRole('button', { name: 'Stop' }));
  expect(bridge.callsTo('teardown:stop')).toEqual([{ boxId: BOX }]);
});

it('has a stopped box no history to delete, which stays in the list', async () => {
  const ended = {
    id: 'a',
    verb: 'stop',
    aim: 'stopped',
    approvedAtMs: 0,
    evidence: 1,
    machine: null,
  } as const;
  const gone = {
    atMs: 0,
    silence: 'Nobody answers.',
    by: { kind: 'person', saidAtMs: 0, said: null },
  } as const;
  const view = { ...viewWith({}), gate: { kind: 'gone', act: ended, gone } as const, receipt: 1 };
  bridge.serve('teardowns', { boxes: { [BOX]: view } });
  const show = (archived: Partial<Pick<Box, 'archivedAtMs' | 'platform'>>) => {
    cleanup();
    render(
      <StreamProvider value={createStreamClient(bridge)}>
        <TeardownTab entry={{ ...ENTRY, box: { ...ENTRY.box, ...archived } }} />
      </StreamProvider>,
    );
    return screen.findByRole('button', { name: 'This box is back…' });
  };
  await show({});
  expect(screen.queryByRole('button', { name: /history|Remove from/ })).toBeNull();
  await show({ archivedAtMs: 5 });
  screen.getByRole('button', { name: 'Delete its history…' });
  // Of the demo box nothing is stored.
  await show({ archivedAtMs: 5, platform: DEMO_PLATFORM });
  expect(screen.queryByRole('button', { name: /history|Remove from/ })).toBeNull();
});
