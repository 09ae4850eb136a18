import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppInfo } from '../../../shared/ipc/contract.ts';
import { problem } from '../../../shared/problem.ts';
import { err, ok } from '../../../shared/result.ts';
import { sampleEntry } from '../../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../../state/fake-bridge.fixture.ts';
import { openTestWindow } from '../../test-window.fixture.ts';
import { SendSecretDialog } from './send-secret-dialog.tsx';

const entry = sampleEntry();
const boxId = entry.box.id;
const VALUE = '0123456789abcdef';

let bridge: FakeBridge;
let isClosed: boolean;
const user = userEvent.setup();

beforeEach(() => {
  bridge = openTestWindow([entry]);
  bridge.answer('secret:list', ok([{ name: 'token:hf-token', isKept: true }]));
  const keyring = { isKept: false, because: 'no keyring here' } as const;
  bridge.answer('app:info', ok({ keyring } as AppInfo));
  isClosed = false;
});
afterEach(cleanup);

const open = () => render(<SendSecretDialog boxId={boxId} onClose={() => (isClosed = true)} />);
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name, { exact: true });
const sendButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Send secret' });

async function fill(): Promise<void> {
  await user.type(field('Variable'), 'WANDB_API_KEY');
  await user.type(field('Secret'), VALUE);
}

const SENT = ok({ kind: 'sent', filesystem: 'ext4', bytes: 16 } as const);
const typedInput = (consents: readonly string[]) => ({
  boxId,
  name: 'WANDB_API_KEY',
  path: '~/.config/leasehold/WANDB_API_KEY',
  source: { kind: 'typed', value: VALUE, isToBeKept: false },
  consents,
});

describe('sending a secret', () => {
  it('hides what is typed, sends it by Enter, and shows one line to use it', async () => {
    open();
    expect(document.activeElement).toBe(field('Variable'));
    expect(sendButton().disabled).toBe(true);
    await fill();
    expect(field('Secret').type).toBe('password');
    expect(screen.getByText(/Until you quit.*no keyring here/)).toBeDefined();
    bridge.answer('secret:send', SENT);
    await user.keyboard('{Enter}');
    expect(await screen.findByText(/0600.*16 bytes, SHA-256 the same/)).toBeDefined();
    expect(
      screen.getByText('export WANDB_API_KEY="$(cat ~/.config/leasehold/WANDB_API_KEY)"'),
    ).toBeDefined();
    expect(bridge.callsTo('secret:send')).toEqual([typedInput([])]);
    expect(document.documentElement.outerHTML).not.toContain(VALUE);
    await user.click(screen.getByRole('button', { name: 'Done' }));
    expect(isClosed).toBe(true);
  });

  it('asks before a file is replaced, and sends only what was agreed to', async () => {
    open();
    await fill();
    bridge.answer('secret:send', ok({ kind: 'asks', exists: true, sharedFilesystem: null }));
    await user.click(sendButton());
    expect((await screen.findByRole('alert')).textContent).toContain(
      '~/.config/leasehold/WANDB_API_KEY already',
    );
    expect(document.activeElement?.textContent).toBe('Choose another place');
    bridge.answer('secret:send', SENT);
    await user.click(screen.getByRole('button', { name: 'Replace the file' }));
    await screen.findByText(/SHA-256 the same/);
    expect(bridge.callsTo('secret:send')).toEqual([typedInput([]), typedInput(['replace'])]);
  });

  it('warns of a filesystem that other machines share', async () => {
    open();
    await fill();
    bridge.answer('secret:send', ok({ kind: 'asks', exists: false, sharedFilesystem: 'nfs4' }));
    await user.click(sendButton());
    expect((await screen.findByRole('alert')).textContent).toMatch(/nfs4.*box’s own disk/);
    await user.click(screen.getByRole('button', { name: 'Write it there all the same' }));
    expect(bridge.callsTo('secret:send')).toEqual([typedInput([]), typedInput(['shared'])]);
  });

  it('keeps what was typed when it could not be sent, and says why', async () => {
    open();
    await fill();
    bridge.answer('secret:send', err(problem('secret-not-sent', 'The disk is full.')));
    await user.click(sendButton());
    expect((await screen.findByRole('alert')).textContent).toContain('The disk is full.');
    expect(field('Secret').value).toBe(VALUE);
    expect(sendButton().disabled).toBe(false);
  });

  it('takes its sending back when it is closed in the middle', async () => {
    const { unmount } = open();
    await fill();
    bridge.answer('secret:send', new Promise(() => undefined) as never);
    await user.click(sendButton());
    expect(screen.getByText(/Writing it and reading it back/)).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Stop' }));
    expect(bridge.callsTo('secret:stop-sending')).toEqual([{ boxId }]);
    unmount();
    expect(bridge.callsTo('secret:stop-sending')).toHaveLength(2);
  });

  it('refuses a name or a path that a shell would make something of', async () => {
    open();
    await fill();
    await user.type(field('File on the box'), '~/a b');
    expect(sendButton().disabled).toBe(true);
    expect(screen.getByText(/Begin with ~\/ or \//)).toBeDefined();
    await user.clear(field('File on the box'));
    await user.type(field('Variable'), '-X');
    expect(sendButton().disabled).toBe(true);
    expect(bridge.callsTo('secret:send')).toEqual([]);
  });

  it('offers the one that is kept, under its own name only', async () => {
    open();
    await user.type(field('Variable'), 'HF_TOKEN');
    await user.click(await screen.findByRole('switch', { name: /kept on this machine/ }));
    expect(screen.queryByLabelText('Secret', { exact: true })).toBeNull();
    bridge.answer('secret:send', SENT);
    await user.click(sendButton());
    await screen.findByText(/SHA-256 the same/);
    expect(bridge.callsTo('secret:send')).toMatchObject([
      { name: 'HF_TOKEN', source: { kind: 'kept' } },
    ]);
  });
});
