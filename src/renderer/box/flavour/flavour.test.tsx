import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { judgeFlavour } from '../../../shared/boxes/flavour/judge-flavour.ts';
import type { FlavourState } from '../../../shared/boxes/flavour/report.ts';
import { problem } from '../../../shared/problem.ts';
import { err, ok } from '../../../shared/result.ts';
import { App } from '../../app/app.tsx';
import { LINK_UP, sampleEntry } from '../../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../../state/fake-bridge.fixture.ts';
import { openFeeds } from '../../state/feeds.ts';
import { createStreamClient } from '../../state/stream-client.ts';
import { overlayOpened } from '../../state/view.ts';
import { openTestWindow } from '../../test-window.fixture.ts';

const entry = sampleEntry();
const { id, address } = entry.box;
const user = userEvent.setup();

const closers: (() => void)[] = [];
afterEach(() => {
  cleanup();
  for (const close of closers.splice(0)) close();
});

type Answers = Parameters<typeof judgeFlavour>[0];

const askedFor = (answer: Answers['sftp']): Answers['tunnels'][number] => ({
  target: { host: '127.0.0.1', port: 1 },
  answer,
});

function known(part: Partial<Answers> = {}): FlavourState {
  const answers: Answers = {
    look: ok({ stdout: 'shell /bin/bash\nforced \nbash yes\ntools Usage: ls [OPTION]\n', code: 0 }),
    sftp: ok(null),
    tunnels: [askedFor(ok(null))],
    banner: null,
    ...part,
  };
  return { kind: 'known', report: judgeFlavour(answers, address.host, Date.now()) };
}

async function openWindow(flavour: FlavourState, link = LINK_UP): Promise<FakeBridge> {
  const bridge = openTestWindow([{ ...entry, link, flavour }]);
  const client = createStreamClient(bridge);
  await act(async () => {
    closers.push(openFeeds(client));
    await Promise.resolve();
    render(<App streams={client} />);
  });
  await screen.findByRole('heading', { level: 1 });
  return bridge;
}

async function openPanel(): Promise<HTMLElement> {
  act(() => overlayOpened({ kind: 'flavour', boxId: id }));
  return screen.findByRole('dialog', { name: 'SSH capabilities of train-a' });
}

const chip = () => screen.queryByRole('button', { name: /: SSH capabilities$/ });
const refused = { tunnels: [askedFor(err(problem('forward-refused', 'no')))] };
const unsure = { sftp: err(problem('command-timeout', 'It did not answer in time.')) };

describe('what SSH can do', () => {
  it('stands in the header only where something is known to limit it', async () => {
    const bridge = await openWindow(known(refused));
    // The chip comes after the first picture; from here on it is there to be wrong.
    await waitFor(() => expect(chip()?.textContent).toBe('Tunnels refused'));
    const enter = (flavour: FlavourState): void =>
      act(() => bridge.publish('fleet', [{ kind: 'change', boxId: id, part: { flavour } }]));
    for (const fine of [{ kind: 'unknown' } as const, known(), known(unsure)]) {
      enter(fine);
      expect(chip()).toBeNull();
    }
    enter(known({ ...refused, sftp: err(problem('sftp-refused', 'no')) }));
    expect(chip()?.textContent).toBe('No SFTP +1');
  });

  it('opens from the header, with the finding and its way out first', async () => {
    await openWindow(known(refused));
    await waitFor(() => expect(chip()).not.toBeNull());
    await user.click(chip()!);
    const dialog = await screen.findByRole('dialog', { name: 'SSH capabilities of train-a' });
    const finding = within(dialog).getByRole('region', { name: 'Tunnels refused' });
    expect(finding.textContent).toContain('AllowTcpForwarding yes');
    expect(dialog.textContent).not.toContain('Nothing was found');
  });

  it('never says that all is well where something stayed unknown', async () => {
    await openWindow(known(unsure));
    const dialog = await openPanel();
    expect(dialog.textContent).toContain('but 1 thing could not be found out');
    expect(within(dialog).getByText('All facts, 1 unknown')).toBeTruthy();
    expect(dialog.textContent).toContain('It did not answer in time.');
  });

  it('says so where all is known and nothing is in the way', async () => {
    await openWindow(known());
    const dialog = await openPanel();
    expect(dialog.textContent).toContain('Nothing was found that stands in Leasehold’s way.');
    expect(
      within(dialog).getByRole('row', { name: /^Terminals unknown/, hidden: true }),
    ).toBeTruthy();
  });

  it('asks again on a click, and says that it looks', async () => {
    const bridge = await openWindow(known());
    const dialog = await openPanel();
    await user.click(within(dialog).getByRole('button', { name: 'Check again' }));
    expect(bridge.callsTo('box:check-ssh')).toEqual([{ boxId: id }]);
    const before = known();
    const part = {
      flavour: { kind: 'checking', before: before.kind === 'known' ? before.report : null },
    };
    act(() => bridge.publish('fleet', [{ kind: 'change', boxId: id, part }]));
    expect(within(dialog).getByRole('status').textContent).toBe('Checking…');
    await user.click(within(dialog).getByRole('button', { name: 'Check again' }));
    expect(bridge.callsTo('box:check-ssh')).toHaveLength(1);
  });

  it('keeps what was known while the connection is down, and asks nothing', async () => {
    const bridge = await openWindow(known(refused), { kind: 'idle' });
    expect(chip()).toBeNull();
    const dialog = await openPanel();
    expect(within(dialog).getByRole('status').textContent).toBe('Not connected. Checked');
    await user.click(within(dialog).getByRole('button', { name: 'Check again' }));
    expect(bridge.callsTo('box:check-ssh')).toEqual([]);
  });
});
