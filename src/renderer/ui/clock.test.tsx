import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Age } from './age.tsx';

beforeEach(() => void vi.useFakeTimers({ now: 100_000 }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const shown = () => screen.getByTestId('age').textContent.replaceAll('\u00a0', ' ');

describe('Age', () => {
  it('ticks by itself', () => {
    render(
      <span data-testid="age">
        <Age atMs={98_000} />
      </span>,
    );
    expect(shown()).toBe('2 s ago');
    act(() => void vi.advanceTimersByTime(3000));
    expect(shown()).toBe('5 s ago');
  });

  it('leaves no timer behind', () => {
    const { unmount } = render(<Age atMs={98_000} />);
    expect(vi.getTimerCount()).toBe(1);
    unmount();
    expect(vi.getTimerCount()).toBe(0);
  });
});
