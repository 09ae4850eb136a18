import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { sampleMeter } from '../costs/meter.fixture.ts';
import { sampleLoaded, serveProfiles } from '../facts/facts.fixture.ts';
import type { FakeBridge } from '../state/fake-bridge.fixture.ts';
import { openFeeds } from '../state/feeds.ts';
import { createStreamClient } from '../state/stream-client.ts';
import { StreamProvider } from '../state/stream-context.ts';
import { useView } from '../state/view.ts';
import { openTestWindow } from '../test-window.fixture.ts';
import { AddBoxDialog } from './add-box-dialog.tsx';
import { sampleEntry } from './fleet-entry.fixture.ts';

let bridge: FakeBridge;
const closed = vi.fn();
let stop: () => void;
async function open(prepare: () => void = () => undefined, entries: readonly FleetEntry[] = []) {
  bridge = openTestWindow(entries);
  const loaded = sampleLoaded({ id: 'vastai', name: 'vast.ai' });
  const { ssh } = loaded.profile;
  const [way] = ssh.flavours;
  if (way === undefined) throw new Error('the sample has no way in');
  const flavours = [{ ...way, endpoint: 'root@<host>.vast.ai -p <PORT>' }];
  serveProfiles(bridge, [
    { ...loaded, profile: { ...loaded.profile, ssh: { ...ssh, flavours } } },
    sampleLoaded({ id: 'generic-ssh', name: 'Bare SSH box' }),
  ]);
  prepare();
  const client = createStreamClient(bridge);
  stop = openFeeds(client);
  render(
    <StreamProvider value={client}>
      <AddBoxDialog firstWay="command" onClose={closed} />
    </StreamProvider>,
  );
  await screen.findByRole('option', { name: 'vast.ai' });
}
beforeEach(() => open());
afterEach(() => {
  cleanup();
  stop();
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
    await paste('ssh -p 30022 root@ssh5.vast.example -i ~/.ssh/id -D 1080');
    expect(values()).toEqual(['ssh5.vast.example', '30022', 'root', '~/.ssh/id']);
    const unused = screen.getByRole('list', { name: 'Parts that are not used' });
    expect(unused.textContent).toContain('-D 1080');
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
    await user.click(screen.getByRole('radio', { name: 'SOCKS5' }));
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

  it('connects at once to what was added, with all that was said of the rental', async () => {
    const { box } = sampleEntry();
    bridge.answer('box:add', ok(box));
    const user = await paste(
      'ssh -p 30022 root@ssh5.vast.ai -L 8080:localhost:8081 -L 6006:localhost:6006',
    );
    const provider = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Provider' });
    expect(provider.value).toBe('vastai');
    expect(screen.getByText(/its address ends in \.vast\.ai/)).toBeDefined();
    await user.click(screen.getByRole('checkbox', { name: /6006 here/ }));
    await user.type(field('Price per hour'), '1.25');
    await user.click(screen.getByRole('radio', { name: 'per GPU' }));
    await user.type(field('GPUs'), '8');
    fireEvent.change(screen.getByLabelText('Rental ends'), {
      target: { value: '2099-12-24T18:30' },
    });
    await user.click(screen.getByRole('button', { name: 'Add box' }));

    const boxId = box.id;
    await waitFor(() => expect(useView.getState().page).toMatchObject({ kind: 'box', boxId }));
    expect(bridge.callsTo('box:set-platform')).toEqual([{ boxId, platform: 'vastai' }]);
    expect(bridge.callsTo('meter:set-prices')).toMatchObject([
      {
        boxId,
        fromMs: 0,
        prices: { compute: { micros: 10_000_000, currency: 'USD', per: 'hour' } },
      },
    ]);
    const times = { 'rental-end': new Date(2099, 11, 24, 18, 30).getTime() };
    expect(bridge.callsTo('clocks:set-entries')).toMatchObject([{ boxId, entries: { times } }]);
    expect(bridge.callsTo('tunnel:add')).toMatchObject([
      {
        boxId,
        draft: { kind: 'local', listenPort: 8080, target: { host: 'localhost', port: 8081 } },
      },
    ]);
    expect(bridge.callsTo('link:connect')).toEqual([{ boxId }]);
  });

  it('does not ask again which provider it is, once the person has said that it is none', async () => {
    const { box } = sampleEntry();
    bridge.answer('box:add', ok(box));
    const user = await paste('ssh -p 30022 root@ssh5.vast.ai');
    const provider = screen.getByRole('combobox', { name: 'Provider' });
    await user.selectOptions(provider, 'generic-ssh');
    await user.click(screen.getByRole('button', { name: 'Add box' }));
    await waitFor(() => expect(bridge.callsTo('link:connect')).toHaveLength(1));
    expect(bridge.callsTo('remembered:change')).toContainEqual({
      patch: { guessesDeclined: [box.id] },
    });
  });

  it('says nothing of a price, an end or a provider that nobody entered', async () => {
    bridge.answer('box:add', ok(sampleEntry().box));
    const user = await paste('ssh root@192.0.2.7');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(bridge.callsTo('link:connect')).toHaveLength(1));
    for (const channel of ['box:set-platform', 'meter:set-prices', 'clocks:set-entries'] as const) {
      expect(bridge.callsTo(channel)).toEqual([]);
    }
  });

  it('marks a price, a count or an end that cannot be, and adds nothing', async () => {
    const user = await paste('ssh root@192.0.2.7');
    await user.type(field('Price per hour'), '1,25');
    await user.click(screen.getByRole('radio', { name: 'per GPU' }));
    fireEvent.change(screen.getByLabelText('Rental ends'), {
      target: { value: '2001-01-01T00:00' },
    });
    await user.click(screen.getByRole('button', { name: 'Add box' }));
    for (const name of ['Price per hour', 'GPUs']) {
      expect(field(name).getAttribute('aria-invalid')).toBe('true');
    }
    expect(screen.getByLabelText('Rental ends').getAttribute('aria-invalid')).toBe('true');
    expect(bridge.callsTo('box:add')).toEqual([]);
  });

  it('fills in what was chosen for the last box of that platform, and takes what is typed instead', async () => {
    cleanup();
    stop();
    const last = sampleEntry(
      {},
      { platform: 'vastai', login: { ...USUAL_WAY.login, identityFiles: ['~/.ssh/vast'] } },
    );
    await open(() => bridge.serve('meter', { boxes: { [last.box.id]: sampleMeter() } }), [last]);
    bridge.answer('box:add', ok(last.box));
    const user = await paste('ssh -p 30022 root@ssh5.vast.ai');
    await waitFor(() => expect(field('Price per hour').value).toBe('3.60'));
    expect(screen.getByText('As for train-a.')).toBeDefined();
    expect(field('Private key file').value).toBe('~/.ssh/vast');
    await user.clear(field('Private key file'));
    await user.clear(field('Price per hour'));
    await user.click(screen.getByRole('button', { name: 'Add box' }));
    await waitFor(() => expect(bridge.callsTo('link:connect')).toHaveLength(1));
    expect(bridge.callsTo('meter:set-prices')).toEqual([]);
    expect(bridge.callsTo('box:add')).toMatchObject([
      { connection: { login: { identityFiles: [] } } },
    ]);
  });

  it('shares a price that it filled in among the GPUs, and one that was typed not', async () => {
    cleanup();
    stop();
    const last = sampleEntry({}, { platform: 'vastai' });
    await open(() => bridge.serve('meter', { boxes: { [last.box.id]: sampleMeter() } }), [last]);
    bridge.answer('box:add', ok(last.box));
    const user = await paste('ssh -p 30022 root@ssh5.vast.ai');
    await waitFor(() => expect(field('Price per hour').value).toBe('3.60'));
    await user.click(screen.getByRole('radio', { name: 'per GPU' }));
    expect([field('Price per hour').value, field('GPUs').value]).toEqual(['1.80', '2']);
    expect(screen.getByText('As for train-a.')).toBeDefined();
    expect(screen.getByText('= $3.60/h for the box')).toBeDefined();
    await user.clear(field('Price per hour'));
    await user.type(field('Price per hour'), '3.60');
    expect(screen.queryByText('As for train-a.')).toBeNull();
    expect(screen.getByText('= $7.20/h for the box')).toBeDefined();
    await user.click(screen.getByRole('radio', { name: 'whole box' }));
    expect(field('Price per hour').value).toBe('3.60');
    expect(screen.queryByText(/for the box/)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Add box' }));
    await waitFor(() => expect(bridge.callsTo('link:connect')).toHaveLength(1));
    expect(bridge.callsTo('meter:set-prices')).toMatchObject([
      { prices: { compute: { micros: 3_600_000 } } },
    ]);
  });

  it('says once what was not kept and why, and keeps the rest', async () => {
    const { box } = sampleEntry();
    bridge.answer('box:add', ok(box));
    const full = (message: string) => err(problem('disk-full', message));
    bridge.answer('box:set-platform', full('The disk is full.'));
    bridge.answer('meter:set-prices', full('The disk is full.'));
    bridge.answer('clocks:set-entries', full('The disk is full.'));
    bridge.answer('tunnel:add', err(problem('bad-input', 'This port has a tunnel.')));
    const user = await paste('ssh -p 30022 root@ssh5.vast.ai -L 8080:localhost:8081');
    await user.type(field('Price per hour'), '1.25');
    fireEvent.change(screen.getByLabelText('Rental ends'), {
      target: { value: '2099-12-24T18:30' },
    });
    await user.click(screen.getByRole('button', { name: 'Add box' }));
    await waitFor(() => expect(bridge.callsTo('link:connect')).toHaveLength(1));
    expect(useView.getState().failures.map(({ message }) => message)).toEqual([
      'train-a was added, but its provider, its price, the end of its rental and its tunnel from port 8080 were not kept. The disk is full. This port has a tunnel.',
    ]);
  });

  it('says that it connects at once, and closes on Escape', async () => {
    expect(screen.getByText(/connects at once/)).toBeDefined();
    await userEvent.setup().keyboard('{Escape}');
    expect(closed).toHaveBeenCalled();
  });
});
