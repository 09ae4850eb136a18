import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sampleEntry } from '../../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../../state/fake-bridge.fixture.ts';
import { openTestWindow } from '../../test-window.fixture.ts';
import { fingerprintCommand } from './fingerprint-command.ts';
import { HostKeyChanged } from './host-key-changed.tsx';
import { HostKeyUnknown } from './host-key-unknown.tsx';

const { box } = sampleEntry();
const offered = { type: 'ssh-ed25519', fingerprint: 'SHA256:new' };
const stored = { type: 'ssh-ed25519', fingerprint: 'SHA256:old' };

let bridge: FakeBridge;
beforeEach(() => {
  bridge = openTestWindow();
});
afterEach(cleanup);

describe('HostKeyUnknown', () => {
  it('has the focus on the safe button, and trusts this very fingerprint only when told to', async () => {
    render(<HostKeyUnknown box={box} offered={offered} />);
    expect(document.activeElement?.textContent).toBe('Do not connect');
    expect(screen.getByText('SHA256:new')).toBeDefined();
    expect(screen.getByText(/ssh-keygen -lf .*ed25519/)).toBeDefined();
    const trust = { name: 'The fingerprint matches: trust this box' };
    await userEvent.setup().click(screen.getByRole('button', trust));
    expect(bridge.callsTo('link:trust-host-key')).toEqual([
      { boxId: box.id, fingerprint: 'SHA256:new' },
    ]);
  });

  it('gives up the connection on the safe button', async () => {
    render(<HostKeyUnknown box={box} offered={offered} />);
    await userEvent.setup().keyboard('{Enter}');
    expect(bridge.callsTo('link:disconnect')).toEqual([{ boxId: box.id }]);
    expect(bridge.callsTo('link:trust-host-key')).toEqual([]);
  });
});

describe('HostKeyChanged', () => {
  it('shows both fingerprints and offers no way to accept the new one', () => {
    const link = {
      kind: 'host-key-changed',
      offered,
      stored,
      storedAtMs: 0,
      jumpHost: null,
    } as const;
    render(<HostKeyChanged box={box} link={link} />);
    expect(screen.getByText('SHA256:old')).toBeDefined();
    expect(screen.getByText('SHA256:new')).toBeDefined();
    expect(document.activeElement?.textContent).toBe('Do not connect');
    const buttons = screen.getAllByRole('button').map((button) => button.textContent);
    expect(buttons).toEqual(['Do not connect', 'Copy both fingerprints']);
  });
});

describe('fingerprintCommand', () => {
  it.each([
    ['ssh-ed25519', 'ssh_host_ed25519_key.pub'],
    ['ecdsa-sha2-nistp256', 'ssh_host_ecdsa_key.pub'],
    ['rsa-sha2-512', 'ssh_host_rsa_key.pub'],
    ['something-new', 'ssh_host_*_key.pub'],
  ])('finds the file of %s', (type, file) => {
    expect(fingerprintCommand(type)).toBe(`ssh-keygen -lf /etc/ssh/${file}`);
  });
});
