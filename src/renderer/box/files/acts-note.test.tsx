import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import type { FileTransfer } from '../../../shared/files/file-transfer.ts';
import { problem } from '../../../shared/problem.ts';
import { openFeeds } from '../../state/feeds.ts';
import { createStreamClient } from '../../state/stream-client.ts';
import { StreamProvider } from '../../state/stream-context.ts';
import { openTestWindow } from '../../test-window.fixture.ts';
import { ActsNote } from './acts-note.tsx';
import type { FileActs } from './use-file-acts.ts';

afterEach(() => {
  cleanup();
  closeFeeds();
});
let closeFeeds = (): void => undefined;

const UPLOAD: FileTransfer = { way: 'upload', doneFiles: 0, files: 1, doneBytes: 1, bytes: 9 };

/** With what main tells of files on their way. */
async function show(acts: Partial<FileActs>, transfer: FileTransfer | null = null): Promise<void> {
  closeFeeds();
  const bridge = openTestWindow([]);
  bridge.serve('file-transfers', { boxes: transfer === null ? {} : { b1: transfer } });
  const client = createStreamClient(bridge);
  closeFeeds = openFeeds(client);
  const all = { end: null, plan: null, isBusy: false, ...acts } as FileActs;
  await act(async () => {
    render(
      <StreamProvider value={client}>
        <ActsNote boxId="b1" acts={all} />
      </StreamProvider>,
    );
    await Promise.resolve();
  });
}

it('is dismissed by a button that stands in the very note that says what was refused', async () => {
  const leave = vi.fn();
  const refused = problem('results-unknown', 'It was never brought home.');
  await show({ end: { kind: 'failed', problem: refused }, leave });
  const dismiss = screen.getByRole('button', { name: 'Dismiss' });
  const note = screen.getByText('It was never brought home.').parentElement?.parentElement;
  expect(note?.contains(dismiss)).toBe(true);
  expect(note).not.toBe(screen.getByRole('status'));
  await userEvent.setup().click(dismiss);
  expect(leave).toHaveBeenCalledOnce();
});

it('shows how far files are, also where nobody here knows of the act, and not beside what came of it', async () => {
  const report = { way: 'upload', to: '/root', files: 1, bytes: 9, left: [] } as const;
  const end = { kind: 'copied', report } as const;
  const isShown = (): boolean => screen.queryByText('Uploading…') !== null;
  // As after the window was loaded anew.
  await show({}, UPLOAD);
  expect(isShown()).toBe(true);
  cleanup();
  // What was said last stays while something is dragged out.
  await show({ end, isBusy: true }, UPLOAD);
  expect(isShown()).toBe(true);
  cleanup();
  await show({ end }, UPLOAD);
  expect(isShown()).toBe(false);
  expect(screen.getByText(/copied to/)).toBeTruthy();
});
