import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { problem } from '../../../shared/problem.ts';
import { err, ok } from '../../../shared/result.ts';
import { App } from '../../app/app.tsx';
import { sampleEntry } from '../../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../../state/fake-bridge.fixture.ts';
import { openFeeds } from '../../state/feeds.ts';
import { createStreamClient } from '../../state/stream-client.ts';
import { openTestWindow } from '../../test-window.fixture.ts';

const entry = sampleEntry();
const { id } = entry.box;
const FINGERPRINT = 'SHA256:9JtVg4pZqI3m2h1cXr8C5c0Yw7nT1mZ0yqkq1s3V2aE';
const FILE = '/home/me/.ssh/id_ed25519.pub';

const closers: (() => void)[] = [];
afterEach(() => {
  cleanup();
  for (const close of closers.splice(0)) close();
});

async function openWindow(offers: readonly string[]): Promise<FakeBridge> {
  const bridge = openTestWindow([entry]);
  bridge.serve('key-offers', offers);
  bridge.answer(
    'key:choices',
    ok([
      {
        file: FILE,
        type: 'ssh-ed25519',
        fingerprint: FINGERPRINT,
        comment: 'me@laptop',
        line: 'ssh-ed25519 AAAA',
      },
    ]),
  );
  const client = createStreamClient(bridge);
  await act(async () => {
    closers.push(openFeeds(client));
    await Promise.resolve();
    render(<App streams={client} />);
  });
  await screen.findByRole('heading', { level: 1 });
  return bridge;
}

const offer = () => screen.queryByRole('region', { name: 'Log in with a key' });
const user = userEvent.setup();

describe('the offer of a key', () => {
  it('stands only where somebody logged in with a password, and goes when it is dismissed', async () => {
    const bridge = await openWindow([]);
    expect(offer()).toBeNull();
    act(() => bridge.publish('key-offers', [[id]]));
    const offered = await screen.findByRole('region', { name: 'Log in with a key' });
    await user.click(
      within(offered).getByRole('button', { name: 'Do not offer this again for this box' }),
    );
    expect(bridge.callsTo('key:dismiss-offer')).toEqual([{ boxId: id }]);
  });

  it('can be taken up from the box’s menu after it was dismissed, while the link is up', async () => {
    const bridge = await openWindow([]);
    const menuButton = () => screen.findByRole('button', { name: 'More actions' });
    await user.click(await menuButton());
    await user.click(await screen.findByRole('menuitem', { name: 'Install a public key…' }));
    expect(await screen.findByRole('dialog', { name: /Install a public key on/ })).toBeDefined();
    expect(bridge.callsTo('key:install')).toEqual([]);
    await user.keyboard('{Escape}');
    act(() =>
      bridge.publish('fleet', [{ kind: 'change', boxId: id, part: { link: { kind: 'idle' } } }]),
    );
    await user.click(await menuButton());
    const item = await screen.findByRole('menuitem', { name: /Install a public key…/ });
    expect(item.getAttribute('aria-disabled')).toBe('true');
    expect(item.textContent).toContain('Connect to the box first');
  });

  it('says "installed" only with main’s word for it', async () => {
    const bridge = await openWindow([id]);
    await user.click(within(offer()!).getByRole('button', { name: 'Install a public key…' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(await dialog.findByRole('radio', { name: new RegExp(FILE) }));
    bridge.answer('key:install', err(problem('key-not-installed', 'The disk of the box is full.')));
    await user.click(dialog.getByRole('button', { name: 'Install key' }));
    expect((await dialog.findByRole('alert')).textContent).toContain('disk of the box is full');
    expect(dialog.queryByText(/^Installed/)).toBeNull();

    const keyFile = '/home/me/.ssh/id_ed25519';
    bridge.answer('key:install', ok({ keyFile, fingerprint: FINGERPRINT, outcome: 'added' }));
    await user.click(dialog.getByRole('button', { name: 'Install key' }));
    expect(await dialog.findByText(/Installed. Leasehold has just logged in/)).toBeDefined();
    expect(bridge.callsTo('key:install')).toEqual([
      { boxId: id, publicKeyFile: FILE },
      { boxId: id, publicKeyFile: FILE },
    ]);
  });

  it('takes Leasehold’s own key unless another is chosen', async () => {
    const bridge = await openWindow([id]);
    await user.click(within(offer()!).getByRole('button', { name: 'Install a public key…' }));
    const dialog = within(await screen.findByRole('dialog'));
    const keyFile = '/home/me/.ssh/leasehold_ed25519';
    bridge.answer('key:install', ok({ keyFile, fingerprint: FINGERPRINT, outcome: 'present' }));
    await user.click(dialog.getByRole('button', { name: 'Install key' }));
    expect(await dialog.findByText(/had this key already/)).toBeDefined();
    expect(bridge.callsTo('key:install')).toEqual([{ boxId: id, publicKeyFile: null }]);
  });
});
