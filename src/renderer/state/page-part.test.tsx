import { act, cleanup, render, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OverlayHost } from '../app/overlay-host.tsx';
import { openTestWindow } from '../test-window.fixture.ts';
import { usePageAct, usePagePart } from './page-part.ts';
import { overlayOpened, tabChosen, useView, type BoxTab } from './view.ts';

const BOX = '11111111-1111-4111-8111-111111111111';
const kind = () => useView.getState().overlay.kind;

beforeEach(() => void openTestWindow());
afterEach(cleanup);

it('closes what it opened, and nothing that has taken its place', () => {
  const { result } = renderHook(() => usePagePart('name-folder'));
  act(() => result.current[1](true));
  expect(result.current[0]).toBe(true);
  const [, change] = result.current;
  act(() => overlayOpened({ kind: 'palette' }));
  act(() => change(false));
  expect(kind()).toBe('palette');
  act(() => overlayOpened({ kind: 'on-page', part: 'name-folder' }));
  act(() => change(false));
  expect(kind()).toBe('none');
});

it('is done once it can be, and once', () => {
  const done = vi.fn();
  const { rerender } = renderHook(({ isReady }) => usePageAct('measure-again', done, isReady), {
    initialProps: { isReady: false },
  });
  act(() => overlayOpened({ kind: 'on-page', part: 'measure-again' }));
  expect(done).not.toHaveBeenCalled();
  rerender({ isReady: true });
  expect(kind()).toBe('none');
  rerender({ isReady: true });
  expect(done).toHaveBeenCalledOnce();
});

it('is wanted no more where the page is left that never came to it', async () => {
  render(<OverlayHost />);
  act(() => overlayOpened({ kind: 'on-page', part: 'upload-files' }));
  // What watches the pages is loaded with the first overlay.
  let tab: BoxTab = 'runs';
  await vi.waitFor(() => {
    tab = tab === 'runs' ? 'files' : 'runs';
    act(() => tabChosen(BOX, tab));
    expect(kind()).toBe('none');
  });
});
