import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  changedKey,
  REVOKED_KEY,
  SAMPLE_KEY,
  unknownKey,
} from '../../../shared/boxes/host-key.fixture.ts';
import { planRefOf } from '../../../shared/plan/plan.ts';
import { problem } from '../../../shared/problem.ts';
import { err } from '../../../shared/result.ts';
import { sampleEntry } from '../../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../../state/fake-bridge.fixture.ts';
import { useFleet } from '../../state/feeds.ts';
import { useView } from '../../state/view.ts';
import { openTestWindow } from '../../test-window.fixture.ts';
import { fingerprintCommand } from './fingerprint-command.ts';
import { HostKeyChanged } from './host-key-changed.tsx';
import { HostKeyRevoked } from './host-key-revoked.tsx';
import { HostKeyUnknown } from './host-key-unknown.tsx';
import { NewMachineDialog } from './new-machine-dialog.tsx';

const { box } = sampleEntry();
const TRUST = { name: 'The fingerprint matches: trust this box' };
const REPLACE = { name: 'Replace the identity' };
const OTHER = 'SHA256:baqJQcVDEweKmw1OiZxGooCG2MGxYtwsQQzzOstxmiA';

let bridge: FakeBridge;
beforeEach(() => {
  bridge = openTestWindow();
});
afterEach(cleanup);

const isOff = (button: { readonly name: string }): boolean =>
  screen.getByRole<HTMLButtonElement>('button', button).disabled;

describe('HostKeyUnknown', () => {
  it('has the focus on the safe button, and trusts this very fingerprint only when told to', async () => {
    render(<HostKeyUnknown box={box} link={unknownKey()} />);
    expect(document.activeElement?.textContent).toBe('Do not connect');
    expect(screen.getByText(SAMPLE_KEY.fingerprint)).toBeDefined();
    expect(screen.getByText(/ssh-keygen -lf .*ed25519/)).toBeDefined();
    await userEvent.setup().click(screen.getByRole('button', TRUST));
    expect(bridge.callsTo('link:trust-host-key')).toEqual([
      { boxId: box.id, fingerprint: SAMPLE_KEY.fingerprint, expected: '' },
    ]);
  });

  it('gives up the connection on the safe button', async () => {
    render(<HostKeyUnknown box={box} link={unknownKey()} />);
    await userEvent.setup().keyboard('{Enter}');
    expect(bridge.callsTo('link:disconnect')).toEqual([{ boxId: box.id }]);
    expect(bridge.callsTo('link:trust-host-key')).toEqual([]);
  });

  it('accepts nothing by Enter in the field', async () => {
    render(<HostKeyUnknown box={box} link={unknownKey()} />);
    const user = userEvent.setup();
    await user.type(screen.getByRole('textbox'), `${SAMPLE_KEY.fingerprint}{Enter}`);
    expect(bridge.calls.map(({ channel }) => channel)).not.toContain('link:trust-host-key');
  });

  it.each([
    [SAMPLE_KEY.fingerprint, /The same key/, false],
    [SAMPLE_KEY.md5, /MD5 is weak/, false],
    [OTHER, /Not the same key/, true],
    ['SHA256:short', /no whole fingerprint/, true],
  ])('compares %s', async (text, words, isRefused) => {
    render(<HostKeyUnknown box={box} link={unknownKey()} />);
    const user = userEvent.setup();
    await user.click(screen.getByRole('textbox'));
    await user.paste(text);
    expect(screen.getByText(words)).toBeDefined();
    expect(isOff(TRUST)).toBe(isRefused);
  });

  it('wants the fingerprint itself where a certificate was expected, and says why', async () => {
    const note = problem('host-certificate-unsupported', 'An authority vouches for this host.');
    render(<HostKeyUnknown box={box} link={unknownKey({ notes: [note], mustCompare: true })} />);
    expect(screen.getByText(note.message)).toBeDefined();
    expect(isOff(TRUST)).toBe(true);
    const user = userEvent.setup();
    await user.click(screen.getByRole('textbox'));
    await user.paste(SAMPLE_KEY.md5);
    expect(isOff(TRUST)).toBe(true);
    await user.clear(screen.getByRole('textbox'));
    await user.paste(SAMPLE_KEY.fingerprint);
    expect(isOff(TRUST)).toBe(false);
  });

  it('says here what main refused', async () => {
    bridge.answer('link:trust-host-key', err(problem('disk-full', 'The host key was not saved.')));
    render(<HostKeyUnknown box={box} link={unknownKey()} />);
    await userEvent.setup().click(screen.getByRole('button', TRUST));
    expect((await screen.findByRole('alert')).textContent).toContain('was not saved');
  });
});

describe('HostKeyChanged', () => {
  it('shows both fingerprints and offers no way to accept the new one', () => {
    render(<HostKeyChanged box={box} link={changedKey()} />);
    expect(screen.getByText(OTHER)).toBeDefined();
    expect(screen.getByText(SAMPLE_KEY.fingerprint)).toBeDefined();
    expect(document.activeElement?.textContent).toBe('Do not connect');
    const buttons = screen.getAllByRole('button').map((button) => button.textContent);
    expect(buttons).toEqual(['Do not connect', 'Copy both fingerprints', 'This is a new machine…']);
  });

  it('says when the old key was stored and last seen', () => {
    const expected = { ...changedKey().expected, storedAtMs: 1e12, lastSeenMs: 1.1e12 };
    render(<HostKeyChanged box={box} link={changedKey({ expected })} />);
    expect(screen.getByText(/trusted 9 Sept? 2001.*last seen 9 Nov 2004/)).toBeDefined();
  });

  it('names the known_hosts line that expected another key, and the one that has this key', () => {
    const place = { file: '~/.ssh/known_hosts', line: 12 };
    const expected = { ...changedKey().expected, storedAtMs: null, place };
    const offeredPlace = { file: '/etc/ssh/ssh_known_hosts', line: 3 };
    render(<HostKeyChanged box={box} link={changedKey({ expected, offeredPlace })} />);
    expect(screen.getByText(/from your ~\/\.ssh\/known_hosts, line 12/)).toBeDefined();
    expect(screen.getByText(/ssh_known_hosts, line 3/)).toBeDefined();
  });

  it('opens the way for a new machine, and asks nothing of main by itself', async () => {
    render(<HostKeyChanged box={box} link={changedKey()} />);
    await userEvent.setup().click(screen.getByRole('button', { name: /new machine/ }));
    expect(useView.getState().overlay).toEqual({ kind: 'new-machine', boxId: box.id });
    expect(bridge.calls).toEqual([]);
  });
});

describe('HostKeyRevoked', () => {
  it('names the line and has no way to accept', () => {
    render(<HostKeyRevoked box={box} link={REVOKED_KEY} />);
    expect(screen.getAllByText(/~\/\.ssh\/known_hosts, line 4/)).toHaveLength(2);
    expect(document.activeElement?.textContent).toBe('Do not connect');
    expect(screen.queryByRole('button', { name: /trust|accept|new machine/i })).toBeNull();
  });
});

describe('NewMachineDialog', () => {
  function open(onClose: () => void = () => undefined): void {
    const entry = sampleEntry({ link: changedKey() });
    useFleet.setState({ kind: 'live', state: { entries: [entry] } }, true);
    render(<NewMachineDialog boxId={box.id} onClose={onClose} />);
  }

  it('begins on the safe button and does nothing before the phrase is right', async () => {
    open();
    expect(document.activeElement?.textContent).toBe('Keep the old identity');
    expect(isOff(REPLACE)).toBe(true);
    const user = userEvent.setup();
    const field = screen.getByRole('textbox');
    await user.type(field, 'train');
    expect(isOff(REPLACE)).toBe(true);
    await user.type(field, '-a');
    expect(isOff(REPLACE)).toBe(false);
    await user.type(field, '{Enter}');
    expect(bridge.calls).toEqual([]);
  });

  it('asks for the name of the jump host whose key it is, not for that of the box', async () => {
    const address = { host: 'gate.example', port: 22, user: 'me' };
    const link = changedKey({ jumpHost: { address, position: 1, count: 1 } });
    const entry = sampleEntry({ link });
    useFleet.setState({ kind: 'live', state: { entries: [entry] } }, true);
    render(<NewMachineDialog boxId={box.id} onClose={() => undefined} />);
    const user = userEvent.setup();
    await user.type(screen.getByRole('textbox'), box.name);
    expect(isOff(REPLACE)).toBe(true);
    await user.clear(screen.getByRole('textbox'));
    await user.type(screen.getByRole('textbox'), 'gate.example');
    expect(isOff(REPLACE)).toBe(false);
  });

  it('warns of the fingerprint of another key', async () => {
    open();
    const user = userEvent.setup();
    await user.click(screen.getByRole('textbox'));
    await user.paste(OTHER);
    expect(screen.getByText(/fingerprint of another key/)).toBeDefined();
    expect(isOff(REPLACE)).toBe(true);
  });

  it('hands main the phrase and the question that was shown, and closes', async () => {
    let isClosed = false;
    open(() => (isClosed = true));
    const user = userEvent.setup();
    await user.click(screen.getByRole('textbox'));
    await user.paste(SAMPLE_KEY.fingerprint);
    await user.click(screen.getByRole('button', REPLACE));
    expect(bridge.callsTo('link:replace-host-key')).toEqual([
      { boxId: box.id, plan: planRefOf(changedKey().plan), phrase: SAMPLE_KEY.fingerprint },
    ]);
    expect(isClosed).toBe(true);
  });

  it('stays open and says why when main refuses', async () => {
    bridge.answer('link:replace-host-key', err(problem('host-key-changed', 'Another key now.')));
    let isClosed = false;
    open(() => (isClosed = true));
    const user = userEvent.setup();
    await user.type(screen.getByRole('textbox'), 'train-a');
    await user.click(screen.getByRole('button', REPLACE));
    expect((await screen.findByRole('alert')).textContent).toContain('Another key now.');
    expect(isClosed).toBe(false);
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
