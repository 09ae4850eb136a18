import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sampleGotcha } from '../../../shared/gotchas/catalog.fixture.ts';
import type { BoxMounts, MeasuredMount } from '../../../shared/mounts/mount.ts';
import { parseDf } from '../../../shared/probes/df.ts';
import { problem } from '../../../shared/problem.ts';
import { err, ok } from '../../../shared/result.ts';
import type { FleetEntry } from '../../../shared/streams/fleet-stream.ts';
import { sampleLoaded, serveProfiles } from '../../facts/facts.fixture.ts';
import { sampleEntry } from '../../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../../state/fake-bridge.fixture.ts';
import { openFeeds } from '../../state/feeds.ts';
import { createStreamClient } from '../../state/stream-client.ts';
import { StreamProvider } from '../../state/stream-context.ts';
import { overlayOpened, useView } from '../../state/view.ts';
import { NOTHING_REMEMBERED, openTestWindow } from '../../test-window.fixture.ts';
import { FactsTab } from './facts-tab.tsx';

const HEAD = 'Filesystem 1024-blocks Used Available Capacity Mounted on';

function mount(path: string, part: Partial<MeasuredMount> = {}): MeasuredMount {
  const [usage = null] = parseDf(`${HEAD}\n/dev/x 104857600 26214400 78643200 25% ${path}\n`).rows;
  return {
    id: path,
    path,
    source: '/dev/x',
    type: 'ext4',
    device: path,
    isReadOnly: false,
    usage,
    because: null,
    ...part,
  };
}

function measured(part: Partial<BoxMounts> = {}): BoxMounts {
  return {
    atMs: Date.now(),
    mounts: [mount('/'), mount('/workspace', { source: 'mfs:/vol' })],
    leftOut: 0,
    places: [
      { name: '/', path: '/', place: { kind: 'there', path: '/' } },
      { name: '/workspace', path: '/workspace', place: { kind: 'there', path: '/workspace' } },
    ],
    unreadable: [],
    ...part,
  };
}

let bridge: FakeBridge;
let close: () => void;
const runpod = sampleEntry({ gpus: [] }, { platform: 'runpod' });

async function openTab(entry: FleetEntry, prepare: () => void = () => undefined): Promise<void> {
  bridge = openTestWindow([entry]);
  serveProfiles(bridge, [
    sampleLoaded(),
    sampleLoaded({ id: 'generic-ssh', name: 'Bare SSH box' }),
  ]);
  bridge.answer('box:mounts', ok(measured()));
  bridge.answer('gotchas:list', ok({ ownFolder: '/own', all: [], faults: [] }));
  bridge.answer('box:identity', err(problem('internal', 'not asked in this test')));
  bridge.answer('secret:on-box', ok({ secrets: [], problems: [], lookedAtMs: null }));
  prepare();
  const client = createStreamClient(bridge);
  close = openFeeds(client);
  render(
    <StreamProvider value={client}>
      <FactsTab entry={entry} />
    </StreamProvider>,
  );
  await waitFor(() => expect(screen.queryByText(/Reading what is known|Measuring…/)).toBeNull());
}

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-11-20'), toFake: ['Date'] }));
afterEach(() => {
  cleanup();
  close();
  vi.useRealTimers();
});

const storage = () => within(screen.getByRole('region', { name: /Storage: what survives/ }));
const rowOf = (tier: string): string =>
  storage().getByRole('row', { name: new RegExp(tier) }).textContent;

describe('what lives where', () => {
  it('matches each measured mount to its tier, with what it outlives and costs', async () => {
    await openTab(runpod);
    expect(rowOf('container disk')).toMatch(/25\.0 of 100\.0.GiB used.*is deleted.*is deleted/);
    expect(rowOf('volume disk')).toMatch(/stays.*0\.20 USD\/GB-month.*stays.*is deleted/);
    // What the facts do not say is not said here either.
    expect(rowOf('bucket')).toMatch(/cannot be told by a path.*not known.*not known.*depends/);
    expect(storage().queryByText(/Mounted too/)).toBeNull();
  });

  it('warns where a folder is not the disk that it is called after', async () => {
    await openTab(runpod, () =>
      bridge.answer('box:mounts', ok(measured({ mounts: [mount('/')] }))),
    );
    expect(rowOf('volume disk')).toContain(
      'No disk of its own here: what is written to it lies on /, the container disk.',
    );
  });

  it('says which of the rivals at one path it may be as well, and where it is mounted from', async () => {
    const { profile } = sampleLoaded();
    const [root, volume] = profile.storage;
    await openTab(runpod, () =>
      serveProfiles(bridge, [
        sampleLoaded({ storage: [root!, volume!, { ...volume!, name: 'Network Volume' }] }),
      ]),
    );
    expect(storage().getAllByRole('row', { name: /Network Volume/ })[0]?.textContent).toContain(
      'It is mounted from mfs:/vol.',
    );
  });

  it('says why a size is unknown, what no tier names, and what was left out', async () => {
    const because = 'it did not answer in time';
    const evil = mount('/mnt/\u202eevil\u001b[2J', { usage: null, because });
    await openTab(runpod, () =>
      bridge.answer('box:mounts', ok(measured({ mounts: [mount('/'), evil], leftOut: 3 }))),
    );
    expect(storage().getByText(`size not reported: ${because}`)).toBeDefined();
    expect(storage().getByText('/mnt/<U+202E>evil<ESC>[2J')).toBeDefined();
    expect(storage().getByText('3 further mounts were not measured.')).toBeDefined();
    expect(storage().getByText(/whether they outlive a stop is not known/)).toBeDefined();
  });

  it('keeps what was measured when the box does not answer again', async () => {
    await openTab(runpod);
    bridge.answer('box:mounts', err(problem('command-timeout', 'The box took too long.')));
    await userEvent.setup().click(storage().getByRole('button', { name: 'Measure again' }));
    expect(await storage().findByText('The box took too long.')).toBeDefined();
    expect(rowOf('container disk')).toContain('25.0 of 100.0');
  });

  it('asks nothing of a box that is not connected, and says so', async () => {
    await openTab(sampleEntry({ gpus: [], link: { kind: 'idle' } }, { platform: 'runpod' }));
    expect(bridge.callsTo('box:mounts')).toEqual([]);
    expect(storage().getByText(/not known: it is not connected/)).toBeDefined();
    expect(rowOf('container disk')).toContain('not measured');
    expect(
      storage().getByRole<HTMLButtonElement>('button', { name: 'Measure again' }).disabled,
    ).toBe(true);
  });
});

describe('the Facts tab', () => {
  it('tells the known traps of its platform, the worst first, each with its entry', async () => {
    const catalog = [
      sampleGotcha({ id: 'RP13', scope: 'runpod', severity: 'info', title: 'Small files only' }),
      sampleGotcha({ id: 'RP1', scope: 'runpod', severity: 'critical', title: 'Comes back bare' }),
      sampleGotcha({ id: 'LAM5', scope: 'lambda' }),
    ];
    await openTab(runpod, () => {
      const all = catalog.map((gotcha) => ({ gotcha, origin: 'shipped' as const, own: null }));
      bridge.answer('gotchas:list', ok({ ownFolder: '/own', all, faults: [] }));
    });
    const traps = within(await screen.findByRole('region', { name: 'Known traps of RunPod' }));
    const links = traps.getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['#RP1', '#RP13']);
    expect(links[0]?.textContent).toBe('Critical: Comes back bare');
  });

  it('says that the traps could not be read', async () => {
    await openTab(runpod, () =>
      bridge.answer('gotchas:list', err(problem('internal', 'The catalog is gone.'))),
    );
    expect(await screen.findByText('The catalog is gone.')).toBeDefined();
  });
});

describe('the platform', () => {
  it('is what the person says, and main is asked', async () => {
    await openTab(runpod);
    bridge.answer('box:set-platform', err(problem('bad-input', 'There is no such profile.')));
    await userEvent.setup().selectOptions(screen.getByLabelText('Rented from'), 'generic-ssh');
    expect(bridge.callsTo('box:set-platform')).toEqual([
      { boxId: runpod.box.id, platform: 'generic-ssh' },
    ]);
    expect((await screen.findByRole('alert')).textContent).toContain('There is no such profile.');
  });

  it('says that nothing is known where there are no facts', async () => {
    await openTab(sampleEntry({ gpus: [] }, { platform: 'nimbus' }));
    expect(screen.getByText(/There are no facts about “nimbus”/)).toBeDefined();
    expect(storage().getByText('Mounted on this box')).toBeDefined();
    expect(screen.queryByRole('region', { name: 'Stop vs terminate' })).toBeNull();
  });

  it('is not asked for the demo box', async () => {
    await openTab(sampleEntry({ gpus: [] }, { platform: 'demo' }));
    expect(screen.getByText(/simulated on this computer/)).toBeDefined();
    expect(screen.queryByLabelText('Rented from')).toBeNull();
  });

  const unsaid = sampleEntry(
    { gpus: [] },
    { platform: 'generic-ssh', address: { host: 'ssh.runpod.io', port: 22, user: 'x' } },
  );

  it('is guessed, and changed only by the person', async () => {
    await openTab(unsaid);
    const guess = within(screen.getByRole('region', { name: 'Whose machine it may be' }));
    expect(guess.getByText(/its address ends in \.runpod\.io/)).toBeDefined();
    expect(bridge.callsTo('box:set-platform')).toEqual([]);
    await userEvent.setup().click(guess.getByRole('button', { name: 'Use RunPod' }));
    expect(bridge.callsTo('box:set-platform')).toEqual([
      { boxId: unsaid.box.id, platform: 'runpod' },
    ]);
  });

  it('is not guessed again once the person has said no', async () => {
    await openTab(unsaid);
    const button = screen.getByRole('button', { name: 'Not RunPod' });
    await userEvent.setup().click(button);
    const guessesDeclined = [unsaid.box.id];
    expect(bridge.callsTo('remembered:change')).toEqual([{ patch: { guessesDeclined } }]);
    act(() => bridge.publish('remembered', [{ ...NOTHING_REMEMBERED, guessesDeclined }]));
    expect(screen.queryByRole('region', { name: 'Whose machine it may be' })).toBeNull();
  });
});

it('shows what each verb does, what runs by itself, and leads to all platforms', async () => {
  await openTab(runpod);
  const verbs = screen.getByRole('region', { name: 'Stop vs terminate' });
  expect(verbs.textContent).toContain('To stop paying: terminate. This can’t be undone');
  expect(within(verbs).getByRole('row', { name: /^stop/ }).textContent).toMatch(
    /ends.*goes on.*container disk.*yes/,
  );
  expect(within(verbs).getByRole('row', { name: /^terminate/ }).textContent).toMatch(
    /ends.*not known/,
  );
  expect(screen.getByRole('region', { name: 'Automatic actions' }).textContent).toContain(
    'no backup',
  );
  await userEvent.setup().click(screen.getByRole('button', { name: 'Compare platforms' }));
  expect(useView.getState().page).toEqual({ kind: 'facts' });
});

it('leads the palette to the platform, and measures again for it', async () => {
  await openTab(runpod);
  act(() => overlayOpened({ kind: 'on-page', part: 'rented-from' }));
  expect(document.activeElement).toBe(screen.getByLabelText('Rented from'));
  const before = bridge.callsTo('box:mounts').length;
  act(() => overlayOpened({ kind: 'on-page', part: 'measure-again' }));
  expect(bridge.callsTo('box:mounts')).toHaveLength(before + 1);
  expect(useView.getState().overlay.kind).toBe('none');
  await waitFor(() => expect(screen.queryByText('Measuring…')).toBeNull());
});
