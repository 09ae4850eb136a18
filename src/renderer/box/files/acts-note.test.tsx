import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { problem } from '../../../shared/problem.ts';
import { createStreamClient } from '../../state/stream-client.ts';
import { StreamProvider } from '../../state/stream-context.ts';
import { openTestWindow } from '../../test-window.fixture.ts';
import { ActsNote } from './acts-note.tsx';
import type { FileActs } from './use-file-acts.ts';

afterEach(cleanup);

it('is dismissed by a button that stands in the very note that says what was refused', async () => {
  const leave = vi.fn();
  const refused = problem('results-unknown', 'It was never brought home.');
  const acts = {
    end: { kind: 'failed', problem: refused },
    plan: null,
    leave,
  } as unknown as FileActs;
  const client = createStreamClient(openTestWindow([]));
  await act(async () => {
    render(
      <StreamProvider value={client}>
        <ActsNote boxId="b1" acts={acts} />
      </StreamProvider>,
    );
    await Promise.resolve();
  });
  const dismiss = screen.getByRole('button', { name: 'Dismiss' });
  const note = screen.getByText('It was never brought home.').parentElement?.parentElement;
  expect(note?.contains(dismiss)).toBe(true);
  expect(note).not.toBe(screen.getByRole('status'));
  await userEvent.setup().click(dismiss);
  expect(leave).toHaveBeenCalledOnce();
});
