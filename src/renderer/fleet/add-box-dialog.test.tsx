import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import type { FakeBridge } from '../state/fake-bridge.fixture.ts';
import { useView } from '../state/view.ts';
import { openTestWindow } from '../test-window.fixture.ts';
import { AddBoxDialog } from './add-box-dialog.tsx';
import { sampleEntry } from './fleet-entry.fixture.ts';

let bridge: FakeBridge;
const closed = vi.fn();
beforeEach(() => {
  bridge = openTestWindow();
  render(<AddBoxDialog firstWay="command" onClose={closed} />);
});
afterEach(() => {
  cleanup();
  closed.mockReset();
});

const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const values = () => ['Host', 'Port', 'User', 'Private key file'].map((name) => field(name).value);

async function paste(text: string) {
  const user = userEvent.setup();
  await user.click(field('SSH command'));
  await user.paste(text);
  return user;
}

describe('AddBoxDialog', () => {
  it('fills its fields from a pasted command and says what it leaves out', async () => {
    await paste('ssh -p 30022 root@ssh5.vast.example -i ~/.ssh/id -L 8080:localhost:8080');
    expect(values()).toEqual(['ssh5.vast.example', '30022', 'root', '~/.ssh/id']);
    const unused = screen.getByRole('list', { name: 'Parts that are not used' });
    expect(unused.textContent).toContain('-L 8080:localhost:8080');
    expect(field('Name in Leasehold').placeholder).toBe('ssh5.vast.example:30022');
  });

  it('leaves nothing of an earlier paste between the new values', async () => {
    const user = await paste('ssh -p 30022 root@one.example -i key');
    await user.clear(field('SSH command'));
    await user.paste('ssh two.example');
    expect(values()).toEqual(['two.example', '22', '', '']);
  });

  it('adds the box on Enter and opens it', async () => {
    const { box } = sampleEntry();
    bridge.answer('box:add', ok(box));
    const user = await paste('ssh root@192.0.2.7');
    await user.keyboard('{Enter}');
    expect(bridge.callsTo('box:add')).toEqual([
      {
        name: '192.0.2.7',
        connection: {
          address: { host: '192.0.2.7', port: 22, user: 'root' },
          ...USUAL_WAY,
        },
      },
    ]);
    expect(useView.getState().page).toMatchObject({ kind: 'box', boxId: box.id });
  });

  it('takes what was corrected by hand, not what was pasted', async () => {
    bridge.answer('box:add', ok(sampleEntry().box));
    const user = await paste('ssh root@192.0.2.7');
    await user.clear(field('Port'));
    await user.type(field('Port'), '2222');
    await user.type(field('Name in Leasehold'), ' my box {Enter}');
    expect(bridge.callsTo('box:add')).toMatchObject([
      { name: 'my box', connection: { address: { port: 2222 } } },
    ]);
  });

  it('marks each wrong field with its reason, keeps what was typed, and sends nothing', async () => {
    const user = await paste('ssh -p 99999 -l -evil host_with_<IP>');
    expect(field('Port').value).toBe('99999');
    await user.keyboard('{Enter}');
    expect(bridge.callsTo('box:add')).toEqual([]);
    const described = (name: string) => {
      const id = field(name).getAttribute('aria-describedby') ?? '';
      return document.getElementById(id)?.textContent;
    };
    expect(field('Port').getAttribute('aria-invalid')).toBe('true');
    expect(described('Port')).toMatch(/1 to 65535/);
    expect(described('User')).toMatch(/cannot start with “-”/);
    await waitFor(() => expect(document.activeElement).toBe(field('Host')));
  });

  it('does not scold for fields that nobody has touched', () => {
    for (const name of ['Host', 'User']) {
      expect(field(name).getAttribute('aria-invalid')).toBe('false');
    }
  });

  it('shows where it happened that the box exists already', async () => {
    const twin = problem('box-exists', 'There is already a box at root@192.0.2.7: train-a.');
    bridge.answer('box:add', err(twin));
    const user = await paste('ssh root@192.0.2.7');
    await user.keyboard('{Enter}');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('train-a');
    expect(within(alert).getByText(twin.nextStep)).toBeDefined();
    expect(closed).not.toHaveBeenCalled();
  });

  it('takes the way through jump hosts, and asks for what the command leaves open', async () => {
    bridge.answer('box:add', ok(sampleEntry().box));
    const user = await paste('ssh -J me@gate.example:2222,inner.example root@gpu.example');
    expect(field('Jump host 1').value).toBe('me@gate.example:2222');
    await user.keyboard('{Enter}');
    expect(bridge.callsTo('box:add')).toEqual([]);
    await waitFor(() => expect(document.activeElement).toBe(field('Jump host 2')));
    await user.keyboard('{Home}root@');
    await user.type(field('Key file for jump host 2'), '~/.ssh/inner{Enter}');
    expect(bridge.callsTo('box:add')).toMatchObject([
      {
        connection: {
          route: {
            kind: 'jumps',
            hops: [
              {
                address: { host: 'gate.example', port: 2222, user: 'me' },
                identityFile: null,
              },
              {
                address: { host: 'inner.example', port: 22, user: 'root' },
                identityFile: '~/.ssh/inner',
              },
            ],
          },
        },
      },
    ]);
  });

  it('sends a proxy’s password to the secrets and nowhere else', async () => {
    bridge.answer('box:add', ok(sampleEntry().box));
    const user = userEvent.setup();
    await user.click(screen.getByRole('radio', { name: 'Fill in a form' }));
    await user.type(field('Host'), 'gpu.example');
    await user.type(field('User'), 'root');
    await user.click(screen.getByRole('radio', { name: 'SOCKS5 proxy' }));
    await user.type(field('Proxy host'), 'proxy.example');
    await user.type(screen.getByLabelText('Proxy password'), 'hunter2');
    await user.keyboard('{Enter}');
    expect(bridge.callsTo('box:add')).toEqual([]);
    await user.type(field('Proxy user'), 'me{Enter}');
    const proxy = { protocol: 'socks5', host: 'proxy.example', port: 1080, user: 'me' };
    expect(bridge.callsTo('secret:keep-proxy-password')).toEqual([{ proxy, password: 'hunter2' }]);
    const [added] = bridge.callsTo('box:add');
    expect(added).toMatchObject({ connection: { route: { kind: 'proxy', proxy } } });
    expect(JSON.stringify(added)).not.toContain('hunter2');
  });

  it('promises that nothing is sent, and closes on Escape', async () => {
    expect(screen.getByText(/Nothing is sent to the box until you connect/)).toBeDefined();
    await userEvent.setup().keyboard('{Escape}');
    expect(closed).toHaveBeenCalled();
  });
});
