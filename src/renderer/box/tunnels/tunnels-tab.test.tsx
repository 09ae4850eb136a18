import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { problem } from '../../../shared/problem.ts';
import { err, ok } from '../../../shared/result.ts';
import type { TensorboardReport } from '../../../shared/tunnels/tensorboard.ts';
import type { TunnelRow } from '../../../shared/tunnels/tunnel.ts';
import { OverlayHost } from '../../app/overlay-host.tsx';
import { LINK_UP, sampleEntry, SEEN_MS } from '../../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../../state/fake-bridge.fixture.ts';
import { openFeeds } from '../../state/feeds.ts';
import { createStreamClient } from '../../state/stream-client.ts';
import { StreamProvider } from '../../state/stream-context.ts';
import { overlayOpened } from '../../state/view.ts';
import { openTestWindow } from '../../test-window.fixture.ts';
import { useServices } from './services.ts';
import { TunnelsTab } from './tunnels-tab.tsx';

const ID = '9a1d5c1e-0c7e-4a53-8a44-3f1f7f6c1a01';

function row(part: Partial<TunnelRow> = {}): TunnelRow {
  return {
    tunnel: {
      id: ID,
      name: 'curves',
      kind: 'local',
      service: 'http',
      listenPort: 6006,
      isExposed: false,
      target: { host: '127.0.0.1', port: 6006 },
      isOn: true,
    },
    state: { kind: 'listening' },
    answeredAtMs: null,
    check: null,
    isChecking: false,
    bytesOut: 0,
    bytesIn: 0,
    openConnections: 0,
    ...part,
  };
}

async function openTab(rows: readonly TunnelRow[], entry = sampleEntry({ link: LINK_UP })) {
  const bridge = openTestWindow([entry]);
  bridge.serve('tunnels', { rows });
  bridge.answer('tunnel:listening', ok({ ports: [], isCut: false, unreadable: 0 }));
  const client = createStreamClient(bridge);
  closeFeeds = openFeeds(client);
  render(
    <StreamProvider value={client}>
      <TunnelsTab entry={entry} />
      <OverlayHost />
    </StreamProvider>,
  );
  await screen.findByRole('heading', { name: 'TensorBoard' });
  return { bridge, user: userEvent.setup() };
}

let closeFeeds = (): void => undefined;

const boxId = sampleEntry().box.id;
const report: TensorboardReport = {
  serving: null,
  processes: [],
  eventFolders: ['/data/exp/a'],
  isSearchComplete: true,
  isForwardingRefused: false,
  finding: {
    kind: 'found',
    cause: 'not-running',
    fixes: [{ kind: 'start', logdir: '/data/exp/a', port: 6006 }],
  },
};

beforeEach(() => {
  vi.useFakeTimers({ now: SEEN_MS + 1000, toFake: ['Date'] });
  useServices.setState(useServices.getInitialState(), true);
});
afterEach(() => {
  closeFeeds();
  cleanup();
  vi.useRealTimers();
});

describe('the tunnels of a box', () => {
  it('teaches what a tunnel is while there is none', async () => {
    await openTab([]);
    expect(screen.getByRole('heading', { name: 'No tunnels' })).toBeDefined();
    expect(screen.getByText(/leads through the SSH connection/)).toBeDefined();
  });

  it('is green only for what answered lately, and says what was asked', async () => {
    const check = {
      atMs: SEEN_MS,
      tookMs: 4,
      outcome: 'answered',
      saw: 'HTTP 200 to GET /',
      problem: null,
    } as const;
    await openTab([row({ answeredAtMs: SEEN_MS, check })]);
    const shown = screen.getByRole('row', { name: /curves/ });
    expect(shown.textContent).toContain('Answered');
    expect(shown.textContent).toContain('HTTP 200 to GET /');
    cleanup();
    await openTab([row({ answeredAtMs: SEEN_MS - 3_600_000 })]);
    expect(screen.getByRole('row', { name: /curves/ }).textContent).toContain('Not proven now');
    expect(document.querySelector('[data-tone="ok"]')).toBeNull();
  });

  it('names the program that has the port and takes the free one with one click', async () => {
    const state = {
      kind: 'port-taken',
      holder: { pid: 41, name: 'python3' },
      freePort: 6007,
    } as const;
    const { bridge, user } = await openTab([row({ state })]);
    expect(screen.getByText(/taken by python3 \(process 41\)/)).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Use 6007' }));
    expect(bridge.callsTo('tunnel:change')).toEqual([
      { boxId, tunnelId: ID, draft: expect.objectContaining({ listenPort: 6007, name: 'curves' }) },
    ]);
  });

  it('says that it does not know who has the port', async () => {
    await openTab([row({ state: { kind: 'port-taken', holder: null, freePort: null } })]);
    expect(screen.getByText(/this system does not say which/)).toBeDefined();
  });

  it('shows why the far end does not answer, with what to do', async () => {
    const check = {
      atMs: SEEN_MS,
      tookMs: 4,
      outcome: 'failed',
      saw: 'sent HTTP GET /',
      problem: problem('target-refused', 'Nothing on the box answers at 127.0.0.1:6006.'),
    } as const;
    await openTab([row({ check })]);
    expect(screen.getByText('No answer')).toBeDefined();
    expect(screen.getByText('Nothing on the box answers at 127.0.0.1:6006.')).toBeDefined();
  });

  it('adds one: the local port follows the far one, and only a warning opens it to others', async () => {
    const { bridge, user } = await openTab([]);
    await user.click(screen.getByRole('button', { name: 'Add tunnel' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.queryByText(/without a password/)).toBeNull();
    await user.type(dialog.getByLabelText('Port on the box'), '8000');
    await user.click(dialog.getByLabelText('Allow other devices on my network'));
    expect(dialog.getByText(/without a password/)).toBeDefined();
    await user.click(dialog.getByLabelText('Allow other devices on my network'));
    await user.click(dialog.getByRole('button', { name: 'Add tunnel' }));
    expect(bridge.callsTo('tunnel:add')).toEqual([
      {
        boxId,
        draft: {
          name: 'Port 8000 of the box',
          kind: 'local',
          service: 'http',
          listenPort: 8000,
          isExposed: false,
          target: { host: '127.0.0.1', port: 8000 },
        },
      },
    ]);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('keeps the form and says why when main refuses', async () => {
    const { bridge, user } = await openTab([]);
    bridge.answer('tunnel:add', err(problem('disk-full', 'The tunnel was not saved.')));
    await user.click(screen.getByRole('button', { name: 'Add tunnel' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText('Port on the box'), '8000');
    await user.click(dialog.getByRole('button', { name: 'Add tunnel' }));
    expect(dialog.getByRole('alert').textContent).toContain('The tunnel was not saved.');
  });
});

describe('TensorBoard', () => {
  async function ask(bridge: FakeBridge, user: ReturnType<typeof userEvent.setup>) {
    bridge.answer('tensorboard:look', ok(report));
    bridge.answer('tensorboard:start', ok(report));
    await user.click(screen.getByRole('button', { name: 'Open TensorBoard' }));
    await screen.findByText('No TensorBoard runs on the box');
  }

  it('starts nothing by itself: it says what it found and offers', async () => {
    const { bridge, user } = await openTab([]);
    await ask(bridge, user);
    expect(bridge.callsTo('tensorboard:open')).toEqual([]);
    expect(bridge.callsTo('tensorboard:start')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Start one on /data/exp/a, port 6006' }));
    expect(bridge.callsTo('tensorboard:start')).toEqual([
      { boxId, logdir: '/data/exp/a', port: 6006 },
    ]);
  });

  it('takes only a whole path for a folder', async () => {
    const { bridge, user } = await openTab([]);
    await ask(bridge, user);
    await user.type(screen.getByLabelText('Log folder on the box'), 'runs');
    await user.click(screen.getByRole('button', { name: 'Start it on the box' }));
    expect(screen.getByText(/Write the whole path/)).toBeDefined();
    expect(bridge.callsTo('tensorboard:start')).toEqual([]);
  });

  it('opens at once what shows runs', async () => {
    const { bridge, user } = await openTab([]);
    const serving = { port: 6006, logdir: '/data/exp', runs: 2 };
    const finding = { kind: 'clear', cause: 'shows-runs', fixes: [] } as const;
    bridge.answer('tensorboard:look', ok({ ...report, serving, finding }));
    await user.click(screen.getByRole('button', { name: 'Open TensorBoard' }));
    await screen.findByText('It shows 2 runs');
    expect(bridge.callsTo('tensorboard:open')).toEqual([{ boxId, where: 'window' }]);
  });

  it('opens Jupyter logged in, and says where its token went when the browser has to ask for it', async () => {
    const { bridge, user } = await openTab([]);
    bridge.answer('jupyter:list', ok([{ port: 8888, folder: '/root' }]));
    await user.click(screen.getByRole('button', { name: 'Find Jupyter' }));
    bridge.answer('jupyter:open', ok({ isTokenCopied: false }));
    await user.click(await screen.findByRole('button', { name: 'Open' }));
    expect(screen.queryByText(/in the clipboard/)).toBeNull();
    bridge.answer('jupyter:open', ok({ isTokenCopied: true }));
    await user.click(screen.getByRole('button', { name: /system browser and copy its token/ }));
    expect(await screen.findByText(/token of port 8888 is in the clipboard/)).toBeDefined();
    expect(bridge.callsTo('jupyter:open')).toEqual([
      { boxId, port: 8888, where: 'window' },
      { boxId, port: 8888, where: 'browser' },
    ]);
  });

  it('opens the row of a Jupyter with its token too, which stands nowhere on the page', async () => {
    const tunnel = { ...row().tunnel, name: 'notes', service: 'jupyter' } as const;
    const { bridge, user } = await openTab([row({ tunnel })]);
    bridge.answer('tunnel:open', ok({ isTokenCopied: true }));
    await user.click(screen.getByRole('button', { name: 'More actions for notes' }));
    await user.click(screen.getByRole('menuitem', { name: 'Open in the system browser' }));
    expect(await screen.findByText(/token of port 6006 is in the clipboard/)).toBeDefined();
    expect(bridge.callsTo('tunnel:open')).toEqual([{ boxId, tunnelId: ID, where: 'browser' }]);
    expect(bridge.callsTo('jupyter:open')).toEqual([]);
  });

  it('waits for the link', async () => {
    await openTab([], sampleEntry({ link: { kind: 'idle' } }));
    const button = screen.getByRole('button', { name: 'Open TensorBoard' });
    expect((button as HTMLButtonElement).disabled).toBe(true);
  });
});

it('leads the palette to the folder that a TensorBoard is started with', async () => {
  await openTab([]);
  act(() => useServices.setState({ tensorboards: { [boxId]: { kind: 'seen', value: report } } }));
  act(() => overlayOpened({ kind: 'on-page', part: 'start-tensorboard' }));
  expect(document.activeElement).toBe(screen.getByLabelText('Log folder on the box'));
});
