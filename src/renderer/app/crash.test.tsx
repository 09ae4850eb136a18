import { act, cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FakeBridge } from '../state/fake-bridge.fixture.ts';
import { openTestWindow } from '../test-window.fixture.ts';
import { describeCrash, watchCrashes } from './crash-reports.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { Notices } from './notices.tsx';

let bridge: FakeBridge;
beforeEach(() => {
  bridge = openTestWindow();
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function Broken(): never {
  throw new TypeError('cannot draw this');
}

describe('ErrorBoundary', () => {
  it('shows a readable screen, and tells main what broke', () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    render(
      <ErrorBoundary>
        <Broken />
      </ErrorBoundary>,
    );
    expect(screen.getByRole('heading', { name: 'This window stopped working' })).toBeDefined();
    for (const name of ['Reload', 'Show log', 'Copy details']) {
      expect(screen.getByRole('button', { name })).toBeDefined();
    }
    const details = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Details' });
    expect(details.value).toContain('cannot draw this');
    const [report] = bridge.callsTo('app:report-crash') as { message: string; stack: string }[];
    expect(report?.message).toBe('TypeError: cannot draw this');
    expect(report?.stack).toContain('Broken');
  });
});

describe('watchCrashes', () => {
  it('reports what nobody caught within the limits of the contract, and lets the window go on', () => {
    watchCrashes();
    render(<Notices />);
    const error = new Error('x'.repeat(5000));
    act(() => void window.dispatchEvent(new ErrorEvent('error', { error, cancelable: true })));
    const [report] = bridge.callsTo('app:report-crash') as { message: string; stack: string }[];
    expect(report?.message).toHaveLength(2000);
    expect(report?.stack.length).toBeLessThanOrEqual(20_000);
    const notices = within(screen.getByRole('status', { name: 'Notices' }));
    expect(notices.getByRole('button', { name: 'Show log' })).toBeDefined();
  });

  it('describes what is no Error', () => {
    expect(describeCrash('plain text')).toEqual({ message: 'plain text', stack: '' });
    expect(describeCrash(undefined)).toEqual({ message: 'undefined', stack: '' });
  });
});
