import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { USUAL_LOGIN, USUAL_OPTIONS } from '../../shared/boxes/usual-way.ts';
import { ok } from '../../shared/result.ts';
import { sampleEntry } from '../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../state/fake-bridge.fixture.ts';
import { useFleet } from '../state/feeds.ts';
import { openTestWindow } from '../test-window.fixture.ts';
import { EditConnectionDialog } from './edit-connection-dialog.tsx';

const entry = sampleEntry(
  {},
  {
    route: { kind: 'command', command: 'nc %h %p' },
    login: {
      ...USUAL_LOGIN,
      identityFiles: ['~/a', '~/b'],
      certificateFiles: ['~/a-cert.pub'],
      isOnlyIdentities: true,
      forwardAgent: true,
    },
    options: {
      ...USUAL_OPTIONS,
      hostKeyAlias: 'gpu',
      knownHostsFiles: ['~/k'],
      keepaliveEveryS: 5,
      configHost: 'gpu',
      configDigest: 'd',
    },
  },
);
const closed = vi.fn();
let bridge: FakeBridge;

beforeEach(() => {
  bridge = openTestWindow([entry]);
  useFleet.setState({ kind: 'live', state: { entries: [entry] } }, true);
  render(<EditConnectionDialog boxId={entry.box.id} onClose={closed} />);
});
afterEach(() => {
  cleanup();
  closed.mockReset();
});

describe('EditConnectionDialog', () => {
  it('loses nothing of what it shows and of what it does not show', async () => {
    bridge.answer('box:edit', ok(entry.box));
    await userEvent.setup().click(screen.getByRole('button', { name: 'Save' }));
    const { id, address, route, login, options } = entry.box;
    expect(bridge.callsTo('box:edit')).toEqual([
      { boxId: id, connection: { address, route, login, options } },
    ]);
    await waitFor(() => expect(closed).toHaveBeenCalled());
  });

  it('warns of a lent agent, and lends none once that is switched off', async () => {
    bridge.answer('box:edit', ok(entry.box));
    const user = userEvent.setup();
    expect(screen.getByText(/log in anywhere as you/)).toBeDefined();
    await user.click(screen.getByRole('switch', { name: /Lend my SSH agent/ }));
    expect(screen.queryByText(/log in anywhere as you/)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(bridge.callsTo('box:edit')).toMatchObject([
      { connection: { login: { forwardAgent: false } } },
    ]);
  });

  it('drops an emptied line, and marks a wrong one before anything is sent', async () => {
    bridge.answer('box:edit', ok(entry.box));
    const user = userEvent.setup();
    await user.clear(screen.getByRole('textbox', { name: 'Private key file 2' }));
    await user.type(screen.getByRole('textbox', { name: 'Private key file' }), '.pub');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(bridge.callsTo('box:edit')).toEqual([]);
    expect(screen.getByText(/public half/)).toBeDefined();
    await user.clear(screen.getByRole('textbox', { name: 'Private key file' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(bridge.callsTo('box:edit')).toMatchObject([
      { connection: { login: { identityFiles: [] } } },
    ]);
  });
});
