import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { problem } from '../../shared/problem.ts';
import type { LoadedProfile, Profiles } from '../../shared/profiles/loaded.ts';
import { err } from '../../shared/result.ts';
import { sampleEntry } from '../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../state/fake-bridge.fixture.ts';
import { openFeeds } from '../state/feeds.ts';
import { createStreamClient } from '../state/stream-client.ts';
import { StreamProvider } from '../state/stream-context.ts';
import { useView } from '../state/view.ts';
import { openTestWindow, SAMPLE_SETTINGS } from '../test-window.fixture.ts';
import { sampleLoaded, serveProfiles } from './facts.fixture.ts';
import { FactsPage } from './facts-page.tsx';

let bridge: FakeBridge;
let close: () => void;

async function openPage(
  all: readonly LoadedProfile[],
  more: Partial<Profiles> = {},
): Promise<void> {
  bridge = openTestWindow([sampleEntry({}, { platform: 'runpod' })]);
  serveProfiles(bridge, all, more);
  const client = createStreamClient(bridge);
  close = openFeeds(client);
  render(
    <StreamProvider value={client}>
      <FactsPage />
    </StreamProvider>,
  );
  await waitFor(() => expect(screen.queryByText('Reading what is known of platforms…')).toBeNull());
}

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-11-20'), toFake: ['Date'] }));
afterEach(() => {
  cleanup();
  close();
  vi.useRealTimers();
});

const lambda = sampleLoaded({ id: 'lambda', name: 'Lambda Cloud' });
const region = (name: RegExp): HTMLElement => screen.getByRole('region', { name });

describe('FactsPage', () => {
  it('lists old facts with where to check them, by the age that the person has set', async () => {
    await openPage([sampleLoaded(), lambda]);
    expect(region(/All facts are up to date/).textContent).toContain(
      'within the last 6 months is old',
    );
    const facts = { ...SAMPLE_SETTINGS.facts, maxAgeMonths: 5 };
    act(() => bridge.publish('settings', [{ ...SAMPLE_SETTINGS, facts }]));
    const old = region(/To be looked up again: \d+ facts/);
    const user = userEvent.setup();
    await user.click(within(old).getByText(/RunPod Pods/));
    expect(old.textContent).toContain('clock runpod.stale-30d');
    expect(old.textContent).toContain('Checked 2026-06, 5 months ago');
    await user.click(
      within(old).getAllByRole('button', { name: 'Check again: docs.runpod.io/pods/pricing' })[0]!,
    );
    expect(bridge.callsTo('app:open-external')).toEqual([
      { url: 'https://docs.runpod.io/pods/pricing' },
    ]);
  });

  it('names each broken file with its line and how to mend it', async () => {
    await openPage([sampleLoaded()], {
      faults: [
        {
          file: '/config/profiles/a.yaml',
          line: 3,
          message: 'nam is not a field',
          fix: 'Remove it.',
        },
      ],
    });
    const faults = region(/Not used: 1 fault/);
    expect(faults.textContent).toContain('/config/profiles/a.yaml:3');
    expect(faults.textContent).toContain('Remove it.');
  });

  it('reads the profiles anew when a file was saved', async () => {
    await openPage([sampleLoaded()]);
    serveProfiles(bridge, [sampleLoaded({ name: 'RunPod, ours' })]);
    act(() => bridge.publish('profiles', [{ revision: 1 }]));
    expect(await screen.findByRole('rowheader', { name: 'RunPod, ours' })).toBeDefined();
  });

  it('compares the platforms that are chosen', async () => {
    await openPage([sampleLoaded(), lambda]);
    const table = within(region(/Comparison of platforms/));
    const names = () => table.getAllByRole('rowheader').map(({ textContent }) => textContent);
    expect(names()).toEqual(['RunPod Pods', 'Lambda Cloud']);
    const user = userEvent.setup();
    await user.click(screen.getByRole('checkbox', { name: 'RunPod' }));
    expect(names()).toEqual(['Lambda Cloud']);
    await user.click(screen.getByRole('button', { name: 'Those of my boxes' }));
    expect(names()).toEqual(['RunPod Pods']);
    await user.click(screen.getByRole('checkbox', { name: 'RunPod' }));
    expect(screen.getByText('Choose at least one platform.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'All' }));
    expect(screen.getAllByRole('rowheader', { name: /Pods|Cloud/ })).toHaveLength(2);
  });

  it('shows field by field what the person has changed, and opens the folder', async () => {
    const changes = [
      {
        field: 'storage › volume disk › rates › stopped',
        line: 6,
        was: '0.20 USD/GB-month',
        now: '0.30 USD/GB-month',
      },
    ];
    await openPage([
      sampleLoaded({}, { origin: 'overridden', file: '/config/profiles/mine.yaml', changes }),
      sampleLoaded(
        { id: 'ours', name: 'Ours' },
        { origin: 'own', file: '/config/profiles/ours.yaml' },
      ),
    ]);
    const list = region(/Where the facts come from/);
    expect(list.textContent).toContain('Built-in facts, 1 field of your own');
    expect(list.textContent).toContain('Facts of your own');
    const user = userEvent.setup();
    await user.click(within(list).getByText('What you changed (1)'));
    expect(
      within(list).getByRole('row', { name: /rates › stopped 0\.20.* 0\.30.* 6/ }),
    ).toBeDefined();
    await user.click(screen.getByRole('button', { name: /Open the folder/ }));
    expect(bridge.callsTo('profiles:open-folder')).toHaveLength(1);
  });

  it('says that nothing is known where no profile can be read', async () => {
    await openPage([]);
    expect(region(/No facts can be read/)).toBeDefined();
    cleanup();
    close();
    bridge = openTestWindow();
    bridge.answer('profiles:list', err(problem('internal', 'The profiles are gone.')));
    const client = createStreamClient(bridge);
    close = openFeeds(client);
    render(
      <StreamProvider value={client}>
        <FactsPage />
      </StreamProvider>,
    );
    expect(await screen.findByText('The profiles are gone.')).toBeDefined();
    expect(useView.getState().failures).toEqual([]);
  });
});
