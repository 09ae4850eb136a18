import type { BoxFindings } from '../detectors/box-findings.ts';
import type { Finding, Subject } from '../detectors/finding.ts';
import type { Alert } from './alert.ts';
import { openAlert } from './advance.ts';

export const BOX: Subject = { kind: 'box' };

export function gpu(index: number, uuid: string | null = `GPU-${String(index)}`): Subject {
  return { kind: 'gpu', index, uuid };
}

/** A finding that is seen now. */
export function findingAt(lastSeenMs: number, part: Partial<Finding> = {}): Finding {
  return {
    detector: 'U23',
    title: 'Throttling',
    short: 'throttled',
    subject: gpu(0),
    severity: 'warn',
    headline: 'GPU 0 is held at 50 % of its clock.',
    means: 'Heat.',
    fix: ['Rent a healthier box'],
    commands: [],
    wastedShare: 0.5,
    clues: [],
    caveat: null,
    sinceMs: lastSeenMs,
    lastSeenMs,
    costPerHour: { micros: 3_600_000, currency: 'USD' },
    notSeenBecause: null,
    ...part,
  };
}

export function reportAt(atMs: number, part: Partial<BoxFindings> = {}): BoxFindings {
  return { atMs, findings: [], unknown: [], clear: [], ...part };
}

let lastNo = 0;

/** An id as the service makes them. */
export function newId(): string {
  lastNo += 1;
  return `00000000-0000-4000-8000-${String(lastNo).padStart(12, '0')}`;
}

/** An alert that was just opened. */
export function alertAt(atMs: number, part: Partial<Finding> = {}): Alert {
  return openAlert(newId(), findingAt(atMs, part));
}
