import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Crowding } from '../../shared/boxes/crowding.ts';
import { problem } from '../../shared/problem.ts';
import { ok } from '../../shared/result.ts';
import { sampleEntry } from '../fleet/fleet-entry.fixture.ts';
import { useFleet } from '../state/feeds.ts';
import { createStreamClient } from '../state/stream-client.ts';
import { StreamProvider } from '../state/stream-context.ts';
import { openTestWindow } from '../test-window.fixture.ts';
import { BoxPage } from './box-page.tsx';

const entry = sampleEntry();

function crowded(crowding: Crowding | null): void {
  act(() =>
    useFleet.setState({ kind: 'live', state: { entries: [{ ...entry, crowding }] } }, true),
  );
}

describe('the page of a box whose sessions are all in use', () => {
  beforeEach(() => {
    const bridge = openTestWindow([entry]);
    crowded(null);
    render(
      <StreamProvider value={createStreamClient(bridge)}>
        <BoxPage boxId={entry.box.id} tab="overview" />
      </StreamProvider>,
    );
  });
  afterEach(cleanup);

  it('says so for as long as something waits, why there is no more, and what to do', async () => {
    expect(screen.queryByText(/all are in use/)).toBeNull();
    crowded({
      waiting: 2,
      limit: 1,
      connections: 1,
      refusal: problem('auth-refused', 'It refused to let root in.'),
    });
    const note = await screen.findByText(/^The box runs 1 command or terminal at once/);
    expect(note.textContent).toContain(
      '2 more wait. It did not let in another connection: It refused to let root in.',
    );
    expect(screen.getByText(/MaxSessions/)).toBeDefined();
    crowded({ waiting: 1, limit: 1, connections: 1, refusal: null });
    expect(screen.getByText(/1 more waits\./)).toBeDefined();
    crowded(null);
    expect(screen.queryByText(/all are in use/)).toBeNull();
  });
});

it.each([
  ['overview', 'false'],
  ['teardown', 'true'],
] as const)('answers the three questions on the tab %s, in one line: %s', async (tab, isStrip) => {
  const bridge = openTestWindow([entry]);
  crowded(null);
  render(
    <StreamProvider value={createStreamClient(bridge)}>
      <BoxPage boxId={entry.box.id} tab={tab} />
    </StreamProvider>,
  );
  const clock = await screen.findByRole('region', { name: 'Danger clock' });
  expect(clock.parentElement?.dataset['strip']).toBe(isStrip);
  cleanup();
});

describe('a box that does not let this person in', () => {
  const refused = problem('auth-refused', 'Sign-in failed: the server rejected id_ed25519.');
  const unreachable = problem('unreachable', 'Nothing answers there.');
  const page = async (tab: 'overview' | 'runs' | 'files', because: typeof refused) => {
    const link = { kind: 'down', sinceMs: 0, problem: because } as const;
    const bridge = openTestWindow([{ ...entry, link }]);
    bridge.answer('key:choices', ok([]));
    useFleet.setState({ kind: 'live', state: { entries: [{ ...entry, link }] } }, true);
    await act(async () => {
      render(
        <StreamProvider value={createStreamClient(bridge)}>
          <BoxPage boxId={entry.box.id} tab={tab} />
        </StreamProvider>,
      );
      await import('./box-notes.tsx');
    });
  };
  afterEach(cleanup);

  it.each(['overview', 'runs', 'files'] as const)(
    'offers another key, once, on %s',
    async (tab) => {
      await page(tab, refused);
      expect(await screen.findAllByText(refused.message)).toHaveLength(1);
      expect(await screen.findAllByRole('button', { name: 'Choose another key…' })).toHaveLength(1);
    },
  );

  it('offers none where another would not help', async () => {
    await page('runs', unreachable);
    await screen.findByRole('tabpanel', { name: 'Runs' });
    expect(screen.queryByRole('button', { name: 'Choose another key…' })).toBeNull();
  });
});
