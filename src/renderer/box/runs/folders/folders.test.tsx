import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SeenRun } from '../../../../shared/patrol/patrol-state.ts';
import { problem } from '../../../../shared/problem.ts';
import { err, ok } from '../../../../shared/result.ts';
import { sampleEntry } from '../../../fleet/fleet-entry.fixture.ts';
import { openFeeds } from '../../../state/feeds.ts';
import type { FakeBridge } from '../../../state/fake-bridge.fixture.ts';
import { createStreamClient } from '../../../state/stream-client.ts';
import { StreamProvider } from '../../../state/stream-context.ts';
import { overlayOpened, useView } from '../../../state/view.ts';
import { openTestWindow } from '../../../test-window.fixture.ts';
import { FoldersSection } from './folders-section.tsx';
import { likelyFolders } from './likely-folders.ts';

let bridge: FakeBridge;
const user = userEvent.setup({ delay: null });
const entry = sampleEntry();
const boxId = entry.box.id;
const FOLDER = { id: 'f-0123456789abcdef', folder: '/workspace/out', addedAtMs: 0 };

beforeEach(() => {
  bridge = openTestWindow();
  bridge.serve('named-folders', { boxes: {} });
  bridge.serve('behind', { boxes: {} });
});
afterEach(cleanup);

function show(): void {
  const client = createStreamClient(bridge);
  openFeeds(client);
  render(
    <StreamProvider value={client}>
      <FoldersSection entry={entry} />
    </StreamProvider>,
  );
}

const behind = (files: number, more: string | null = null) => ({
  ...{ unseenRuns: 0, rate: null },
  runs: [
    {
      ...{ runId: FOLDER.id, runName: FOLDER.folder, problem: more },
      seen: { atMs: 0, files, bytes: files * 1e9, checkpoints: 0, scratchBytes: 0 },
    },
  ],
});

it('a folder is named as the box has it, and the reason stands there where it has none', async () => {
  show();
  expect(await screen.findByText(/None\. Results of launched runs/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Add a folder to bring home…' }));
  const field = screen.getByRole('textbox', { name: 'Folder on the box' });
  const add = () => screen.getByRole('button', { name: 'Add the folder' });
  for (const [written, says] of [
    ['out', /whole path begins/],
    ['//', /whole box/],
  ] as const) {
    await user.clear(field);
    await user.type(field, written);
    expect(screen.getByText(says)).toBeTruthy();
    expect(add()).toHaveProperty('disabled', true);
  }
  bridge.answer('runs:name-folder', err(problem('results-not-read', 'There is no such folder.')));
  await user.clear(field);
  await user.type(field, ' ~/out ');
  await user.click(add());
  expect(await screen.findByText(/There is no such folder/)).toBeTruthy();
  bridge.answer('runs:name-folder', ok(FOLDER));
  await user.click(add());
  expect(bridge.callsTo('runs:name-folder').at(-1)).toEqual({ boxId, folder: '~/out' });
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('says what of a folder is not home, and never calls it home where nobody looked', async () => {
  bridge.serve('named-folders', { boxes: { [boxId]: [FOLDER] } });
  show();
  expect(await screen.findByText('Not listed')).toBeTruthy();
  const publish = (value: unknown) => act(() => bridge.publish('behind', [{ boxId, value }]));
  publish(behind(2));
  expect((await screen.findByText(/not home/)).textContent).toMatch(/2 files, .*GB not home/);
  publish(behind(0, 'The box is not connected.'));
  expect((await screen.findByText(/not connected/)).textContent).not.toMatch(/All home/);
  publish(behind(0));
  expect(await screen.findByText('All home')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Take /workspace/out off this list' }));
  expect(bridge.callsTo('runs:unname-folder')).toEqual([{ boxId, id: FOLDER.id }]);
  bridge.answer('runs:results', err(problem('results-not-read', 'There is no such folder.')));
  await user.click(screen.getByRole('button', { name: 'Show files' }));
  expect(await screen.findByText(/There is no such folder/)).toBeTruthy();
  expect(bridge.callsTo('runs:results')).toEqual([{ boxId, id: FOLDER.id }]);
});

it('likely places are where runs save and work, then where the platform keeps things, each once', () => {
  const run = (folder: string | null, path: string | null): SeenRun =>
    ({ folder, checkpoint: path === null ? null : { path, writtenAtMs: 0 } }) as SeenRun;
  const tier = (path: string) => ({ label: 'Volume', path, tier: {} as never });
  const found = likelyFolders(
    [tier('/workspace'), tier('/')],
    [
      run('/work', '/workspace/ckpt/step-7.pt'),
      run('/work', null),
      run(null, null),
      run('/a\nb', null),
    ],
  );
  expect(found).toEqual([
    { folder: '/workspace/ckpt', says: 'a run saves here' },
    { folder: '/work', says: 'a run works here' },
    { folder: '/workspace', says: 'Volume' },
  ]);
});

it('asks for a folder where the palette wants one, and is closed by the person', async () => {
  show();
  await screen.findByText(/None\. Results of launched runs/);
  act(() => overlayOpened({ kind: 'on-page', part: 'name-folder' }));
  expect(await screen.findByRole('textbox', { name: 'Folder on the box' })).toBeTruthy();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(useView.getState().overlay.kind).toBe('none');
});
