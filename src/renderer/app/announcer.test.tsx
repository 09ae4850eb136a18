import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Finding } from '../../shared/detectors/finding.ts';
import { sampleEntry } from '../fleet/fleet-entry.fixture.ts';
import { useFindings, useFleet } from '../state/feeds.ts';
import { openTestWindow } from '../test-window.fixture.ts';
import { Announcer } from './announcer.tsx';

const id = sampleEntry().box.id;

function finding(part: Partial<Finding> = {}): Finding {
  return {
    detector: 'U22',
    title: 'GPU error',
    short: 'throttled',
    subject: { kind: 'gpu', index: 3, uuid: null },
    severity: 'critical',
    headline: 'GPU 3 fell off the bus (Xid 79).',
    means: '',
    fix: [],
    commands: [],
    wastedShare: null,
    clues: [],
    caveat: null,
    sinceMs: 1,
    lastSeenMs: 1,
    costPerHour: null,
    notSeenBecause: null,
    ...part,
  };
}

const found = (...findings: readonly Finding[]): void =>
  act(() =>
    useFindings.setState(
      { kind: 'live', state: { boxes: { [id]: { atMs: 1, findings, unknown: [], clear: [] } } } },
      true,
    ),
  );
const said = () => screen.getByRole('status', { name: 'Critical findings' }).textContent;

beforeEach(() => {
  vi.useFakeTimers();
  openTestWindow();
  useFleet.setState({ kind: 'live', state: { entries: [sampleEntry()] } }, true);
  render(<Announcer />);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('Announcer', () => {
  it('says what is newly critical, and neither what was there nor what is less', () => {
    found(finding());
    expect(said()).toBe('');
    found(finding(), finding({ detector: 'U23', severity: 'warn', sinceMs: 2 }));
    expect(said()).toBe('');
    found(finding(), finding({ detector: 'ecc', headline: 'A row failed.', sinceMs: 3 }));
    expect(said()).toBe('Critical: train-a: A row failed.');
  });

  it('gathers a burst instead of talking without end', () => {
    found();
    found(finding());
    expect(said()).toMatch(/^Critical: train-a: GPU 3/);
    const more = [4, 5, 6].map((sinceMs) =>
      finding({ sinceMs, headline: `No. ${String(sinceMs)}` }),
    );
    found(finding(), ...more.slice(0, 1));
    found(finding(), ...more);
    expect(said()).toMatch(/^Critical: train-a: GPU 3/);
    act(() => void vi.advanceTimersByTime(10_000));
    expect(said()).toBe('3 new critical findings on 1 box. Critical: train-a: No. 4');
  });

  it('says again what ended and came back, and nothing once it is gone', () => {
    found();
    found(finding());
    found();
    act(() => void vi.advanceTimersByTime(10_000));
    found(finding({ sinceMs: 50, headline: 'Again.' }));
    expect(said()).toBe('Critical: train-a: Again.');
    found(finding({ sinceMs: 50 }), finding({ sinceMs: 60, detector: 'ecc' }));
    cleanup();
    expect(vi.getTimerCount()).toBe(0);
  });
});
