import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { problem } from '../../../shared/problem.ts';
import { err, ok } from '../../../shared/result.ts';
import type { ListeningPort } from '../../../shared/tunnels/listening.ts';
import { openTestWindow } from '../../test-window.fixture.ts';
import { EMPTY_TUNNEL, toDraft } from './tunnel-form.ts';
import { ListeningPanel } from './listening-panel.tsx';

const BOX = '11111111-1111-4111-8111-111111111111';
afterEach(cleanup);

const port = (number: number, program: string | null): ListeningPort => ({
  ...{ port: number, program, host: '127.0.0.1' },
});
const tunnelTo = (targetPort: string) => ({
  tunnel: { ...toDraft({ ...EMPTY_TUNNEL, targetPort }, null), id: 'x', isOn: true },
  ...({ state: { kind: 'listening' }, answeredAtMs: null, check: null } as const),
  ...{ isChecking: false, bytesOut: 0, bytesIn: 0, openConnections: 0 },
});

it('lists what listens on the box, and forwards a port by one press', async () => {
  const bridge = openTestWindow();
  const ports = [port(6006, 'tensorboard'), port(8888, null)];
  bridge.answer('tunnel:listening', ok({ ports, isCut: false, unreadable: 0 }));
  render(<ListeningPanel boxId={BOX} rows={[tunnelTo('6006')]} />);
  const [first, second] = await screen.findAllByRole('listitem');
  expect(first?.textContent).toBe('6006tensorboardhas a tunnel');
  expect(second?.textContent).toContain('8888program not shown');
  await userEvent
    .setup()
    .click(within(second as HTMLElement).getByRole('button', { name: 'Forward port 8888' }));
  const target = { host: '127.0.0.1', port: 8888 };
  expect(bridge.callsTo('tunnel:add')).toMatchObject([
    { boxId: BOX, draft: { kind: 'local', listenPort: 8888, target, isExposed: false } },
  ]);
});

it('says that the box has more than are listed', async () => {
  const bridge = openTestWindow();
  bridge.answer('tunnel:listening', ok({ ports: [port(80, null)], isCut: true, unreadable: 0 }));
  render(<ListeningPanel boxId={BOX} rows={[]} />);
  expect(
    await screen.findByText('The box has more: only the lowest 1 port stand here.'),
  ).toBeDefined();
});

it('forwards to the address that reaches the program, where 127.0.0.1 does not', async () => {
  const bridge = openTestWindow();
  const ports = [
    { ...port(5173, 'node'), host: '::1' },
    { ...port(8888, 'jupyter'), host: '192.168.0.11' },
  ];
  bridge.answer('tunnel:listening', ok({ ports, isCut: false, unreadable: 0 }));
  const rows = [tunnelTo('8888')];
  render(<ListeningPanel boxId={BOX} rows={rows} />);
  const user = userEvent.setup();
  // The tunnel that there is leads to another address of the box, where nothing listens.
  for (const number of [5173, 8888]) {
    await user.click(await screen.findByRole('button', { name: `Forward port ${number}` }));
  }
  expect(bridge.callsTo('tunnel:add')).toMatchObject([
    { draft: { listenPort: 5173, target: { host: '::1', port: 5173 } } },
    { draft: { listenPort: 8888, target: { host: '192.168.0.11', port: 8888 } } },
  ]);
});

it('tells a box that says nothing from one on which nothing listens, and shows why it failed', async () => {
  const bridge = openTestWindow();
  bridge.answer('tunnel:listening', ok({ ports: null, isCut: false, unreadable: 0 }));
  render(<ListeningPanel boxId={BOX} rows={[]} />);
  expect(await screen.findByText(/does not tell/)).toBeDefined();
  bridge.answer('tunnel:listening', ok({ ports: [], isCut: false, unreadable: 0 }));
  await userEvent.setup().click(screen.getByRole('button', { name: 'List again' }));
  expect(await screen.findByText(/Nothing that this user can see/)).toBeDefined();
  bridge.answer('tunnel:listening', err(problem('command-timeout', 'It did not answer.')));
  await userEvent.setup().click(screen.getByRole('button', { name: 'List again' }));
  expect(await screen.findByText('It did not answer.')).toBeDefined();
});
