import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { sampleEntry } from '../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../state/fake-bridge.fixture.ts';
import { openFeeds } from '../state/feeds.ts';
import { createStreamClient } from '../state/stream-client.ts';
import { StreamProvider } from '../state/stream-context.ts';
import { useView } from '../state/view.ts';
import { NOTHING_REMEMBERED, openTestWindow } from '../test-window.fixture.ts';
import { sampleLoaded, serveProfiles } from './facts.fixture.ts';
import { PlatformBrief } from './platform-brief.tsx';

let bridge: FakeBridge;
let close: () => void;

async function open(
  platform: string,
  briefed: readonly string[] = [],
  isStrip = false,
): Promise<void> {
  const entry = sampleEntry({}, { platform });
  bridge = openTestWindow([entry]);
  serveProfiles(bridge, [sampleLoaded()]);
  bridge.serve('remembered', { ...NOTHING_REMEMBERED, briefed });
  const client = createStreamClient(bridge);
  close = openFeeds(client);
  await act(async () => {
    render(
      <StreamProvider value={client}>
        <PlatformBrief box={entry.box} isStrip={isStrip} />
      </StreamProvider>,
    );
    await Promise.resolve();
  });
}
afterEach(() => {
  cleanup();
  close();
});

const brief = () => screen.findByRole('region', { name: 'Before you start on RunPod' });

it('says the worst first, once, and is remembered', async () => {
  await open('runpod', ['lambda']);
  const region = await brief();
  const said = region.textContent;
  expect(said).toContain('terminate. This can’t be undone.');
  expect(said).toContain('container disk; its disks go on costing');
  expect(said.indexOf('no backup')).toBeLessThan(said.indexOf('restart has no GPU'));
  expect(said).toContain('HTTPS proxy URL');
  await userEvent.setup().click(screen.getByRole('button', { name: 'Got it' }));
  expect(bridge.callsTo('remembered:change')).toEqual([
    { patch: { briefed: ['lambda', 'runpod'] } },
  ]);
  // Gone at once, not when the disk has been written.
  await waitFor(() => expect(screen.queryByRole('region')).toBeNull());
});

it('is one line with the same way on above what the page is about', async () => {
  await open('runpod', [], true);
  const region = await brief();
  expect(region.textContent).toBe('Before you start on RunPodAll factsGot it');
});

it('leads to all facts, by keyboard too', async () => {
  await open('runpod');
  await brief();
  const user = userEvent.setup();
  while (document.activeElement?.textContent !== 'All facts') await user.tab();
  await user.keyboard('{Enter}');
  expect(useView.getState().page).toMatchObject({ kind: 'box', tab: 'facts' });
  expect(bridge.callsTo('remembered:change')).toHaveLength(1);
});

it.each([
  ['was said before', 'runpod', ['runpod']],
  ['is about a platform without facts', 'nimbus', []],
  ['is about the demo box', 'demo', []],
])('says nothing where it %s', async (_what, platform, briefed) => {
  await open(platform, briefed);
  await waitFor(() => expect(bridge.callsTo('stream:open').length).toBeGreaterThan(0));
  expect(screen.queryByRole('region')).toBeNull();
});
