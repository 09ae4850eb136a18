import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { BoxFile, FolderPart } from '../../../shared/files/box-file.ts';
import { problem, type Problem } from '../../../shared/problem.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { LINK_UP, sampleEntry } from '../../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../../state/fake-bridge.fixture.ts';
import { openFeeds } from '../../state/feeds.ts';
import { createStreamClient } from '../../state/stream-client.ts';
import { StreamProvider } from '../../state/stream-context.ts';
import { overlayOpened, useView, type PagePart } from '../../state/view.ts';
import { openTestWindow } from '../../test-window.fixture.ts';
import { FilesTab } from './files-tab.tsx';

const entry = sampleEntry({ link: LINK_UP });
const boxId = entry.box.id;
let bridge: FakeBridge;
let close: () => void;
let tellUpload: (answer: Result<null, Problem>) => void;
let tell: (answer: Result<FolderPart, Problem>) => void;
const FILE: BoxFile = {
  ...{
    name: 'a.pt',
    hasUsableName: true,
    kind: 'file',
    sizeBytes: 9,
    modifiedAtMs: 1,
    mode: 0o644,
  },
};
const HOME = { folder: '/root', files: [], rest: null, isCut: false, isPartly: false };

beforeEach(async () => {
  bridge = openTestWindow([entry]);
  bridge.serve('file-transfers', { boxes: {} });
  bridge.answer('files:upload', ok(null));
  bridge.answer('files:list', new Promise((resolve) => (tell = resolve)));
  const client = createStreamClient(bridge);
  close = openFeeds(client);
  await act(async () => {
    render(
      <StreamProvider value={client}>
        <FilesTab entry={entry} />
      </StreamProvider>,
    );
    await Promise.resolve();
  });
});
afterEach(() => {
  cleanup();
  close();
});

/** The box answers. */
const listed = (answer: Result<FolderPart, Problem>): Promise<void> =>
  act(async () => {
    tell(answer);
    await Promise.resolve();
  });
const ask = (part: PagePart): Promise<void> =>
  act(async () => {
    overlayOpened({ kind: 'on-page', part });
    await Promise.resolve();
  });

it('sends files for the palette into the folder that is shown, once that is listed', async () => {
  await ask('upload-files');
  expect(bridge.callsTo('files:upload')).toEqual([]);
  await listed(ok(HOME));
  expect(bridge.callsTo('files:upload')).toEqual([{ boxId, folder: '/root', what: 'files' }]);
  await ask('upload-folder');
  expect(bridge.callsTo('files:upload')).toHaveLength(2);
});

it('sends nothing where no folder can be listed, and leaves no wish behind', async () => {
  await ask('upload-files');
  await listed(err(problem('internal', 'No.')));
  expect(bridge.callsTo('files:upload')).toEqual([]);
  expect(useView.getState().overlay.kind).toBe('none');
});

it('asks for a path where the palette wants another folder', async () => {
  await listed(ok(HOME));
  await ask('go-to-folder');
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Path' }));
});

it('says why Delete does nothing while other files are on their way', async () => {
  bridge.answer('files:plan-delete', new Promise(() => undefined));
  bridge.answer('files:upload', new Promise((resolve) => (tellUpload = resolve)));
  await listed(ok({ ...HOME, files: [FILE] }));
  fireEvent.click(screen.getByText('a.pt'));
  await ask('upload-files');
  fireEvent.keyDown(screen.getByRole('grid'), { key: 'Delete' });
  expect(screen.getByRole('alert').textContent).toContain(
    'Other files of this box are being copied',
  );
  expect(bridge.callsTo('files:plan-delete')).toEqual([]);
  await act(async () => {
    tellUpload(ok(null));
    await Promise.resolve();
  });
  expect(screen.queryByRole('alert')).toBeNull();
  fireEvent.keyDown(screen.getByRole('grid'), { key: 'Delete' });
  expect(bridge.callsTo('files:plan-delete')).toEqual([{ boxId, paths: ['/root/a.pt'] }]);
});

it('has a row that comes into view take over one that went, and leaves one that stays as it is', async () => {
  const files = Array.from({ length: 500 }, (_, at) => ({ ...FILE, name: `${String(at)}.pt` }));
  await listed(ok({ ...HOME, files }));
  const scroller = screen.getByRole('grid').parentElement as HTMLElement;
  const rows = (): ReadonlyMap<string, Element> =>
    new Map(
      screen.getAllByRole('row').map((row) => [row.getAttribute('aria-rowindex') ?? '', row]),
    );
  // No whole number of rows.
  Object.defineProperty(scroller, 'clientHeight', { value: 32 + 39 * 30 + 20 });
  fireEvent.scroll(scroller, { target: { scrollTop: 100 * 30 } });
  const before = rows();
  // One more is in view at the bottom.
  fireEvent.scroll(scroller, { target: { scrollTop: 100 * 30 + 15 } });
  const near = rows();
  expect(near.size).toBe(before.size + 1);
  const stayed = [...before].filter(([index]) => near.has(index));
  expect(stayed.length).toBeGreaterThan(30);
  for (const [index, row] of stayed) expect(near.get(index)).toBe(row);
  fireEvent.scroll(scroller, { target: { scrollTop: 300 * 30 } });
  const far = rows();
  expect(far.get('302')?.textContent).toContain('300.pt');
  const taken = [...far.values()].filter((row) => [...near.values()].includes(row));
  // Not those for which there was no slot that somebody had left.
  expect(taken.length).toBeGreaterThan(far.size - 16);
});
