import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { problem } from '../../../shared/problem.ts';
import { err, ok } from '../../../shared/result.ts';
import type { FakeBridge } from '../../state/fake-bridge.fixture.ts';
import { useView } from '../../state/view.ts';
import { openTestWindow } from '../../test-window.fixture.ts';
import { NotesSection } from './notes-section.tsx';

const BOX = '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01';
const KEPT = ok({ kind: 'kept', savedAtMs: 5 } as const);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

async function open(): Promise<FakeBridge> {
  const bridge = openTestWindow();
  bridge.answer('note:read', ok({ text: 'data on /data', savedAtMs: 1 }));
  bridge.answer('note:keep', KEPT);
  render(<NotesSection boxId={BOX} />);
  await screen.findByRole('textbox', { name: 'This box' });
  return bridge;
}

const note = (): HTMLTextAreaElement => screen.getByRole('textbox', { name: 'This box' });
const type = (value: string): void => void fireEvent.change(note(), { target: { value } });
const pause = (): Promise<void> =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(1000);
  });

describe('a note', () => {
  it('is kept as typed, once a pause is made, and undone step by step', async () => {
    const bridge = await open();
    type('a');
    type('ab');
    expect(bridge.callsTo('note:keep')).toEqual([]);
    await pause();
    expect(bridge.callsTo('note:keep')).toEqual([{ boxId: BOX, text: 'ab' }]);
    type('abc');
    await pause();
    const [undo] = screen.getAllByRole('button', { name: 'Undo' });
    fireEvent.click(undo!);
    await pause();
    expect(note().value).toBe('ab');
    fireEvent.click(undo!);
    await pause();
    expect(note().value).toBe('data on /data');
    expect(bridge.callsTo('note:keep').at(-1)).toEqual({ boxId: BOX, text: 'data on /data' });
    expect((undo as HTMLButtonElement).disabled).toBe(true);
  });

  it('says which line looks like a secret, that nothing was kept, and the way out', async () => {
    const bridge = await open();
    const lines = [{ line: 2, shown: 'password: [redacted]' }];
    bridge.answer('note:keep', ok({ kind: 'flagged', lines }));
    type('x\npassword: hunter22');
    await pause();
    expect(screen.getByRole('alert').textContent).toContain('Line 2: password: [redacted]');
    expect(screen.getByText(/^Not kept; what was there before still is/)).toBeDefined();
    await userEvent
      .setup({ advanceTimers: vi.advanceTimersByTime })
      .click(screen.getByRole('button', { name: 'Send a secret…' }));
    expect(useView.getState().overlay).toEqual({ kind: 'send-secret', boxId: BOX });
  });

  it('is kept when the page is left in the middle of typing, and a refusal is told', async () => {
    const bridge = await open();
    type('left in a hurry');
    cleanup();
    expect(bridge.callsTo('note:keep')).toEqual([{ boxId: BOX, text: 'left in a hurry' }]);
    bridge.answer('note:keep', ok({ kind: 'flagged', lines: [] }));
    render(<NotesSection boxId={BOX} />);
    await screen.findByRole('textbox', { name: 'This box' });
    type('hunter22');
    cleanup();
    await vi.waitFor(() => expect(useView.getState().failures).toHaveLength(1));
    expect(useView.getState().failures[0]?.message).toContain('looks like a secret');
  });

  it('says why it could not be kept or read', async () => {
    const bridge = await open();
    bridge.answer('note:keep', err(problem('disk-full', 'The disk is full.')));
    type('x');
    await pause();
    expect(screen.getByText('The disk is full.')).toBeDefined();
    bridge.answer('note:keep', KEPT);
    fireEvent.click(screen.getByRole('button', { name: 'Keep it again' }));
    expect(await screen.findByText(/^Kept/)).toBeDefined();
    cleanup();
    bridge.answer('note:read', err(problem('database-unavailable', 'It cannot be read.')));
    render(<NotesSection boxId={BOX} />);
    expect(await screen.findAllByText('It cannot be read.')).toHaveLength(2);
  });
});
