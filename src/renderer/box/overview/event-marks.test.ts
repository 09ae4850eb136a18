import { expect, it } from 'vitest';
import type { Finding } from '../../../shared/detectors/finding.ts';
import type { TelemetryMark } from '../../../shared/telemetry/mark.ts';
import { clusterMarks, eventMarksOf } from './event-marks.ts';

const axis = { fromMs: 0, toMs: 10_000 };
const xid: TelemetryMark = {
  atMs: 5000,
  kind: 'xid',
  gpu: 'GPU-1',
  text: 'The card has fallen off the bus.',
  code: 79,
  clue: 'NVRM: Xid (PCI:0000:3b:00): 79',
};
const lost: TelemetryMark = {
  atMs: 2000,
  kind: 'link-lost',
  gpu: null,
  text: 'Connection lost.',
  code: null,
  clue: null,
};
const finding: Finding = {
  detector: 'U23',
  title: 'Throttled',
  short: 'throttled',
  subject: { kind: 'gpu', index: 0, uuid: 'GPU-0' },
  severity: 'warn',
  headline: 'GPU 0 is held at 52 % of its clock.',
  means: '',
  fix: [],
  commands: [],
  wastedShare: null,
  clues: [],
  caveat: null,
  sinceMs: 7000,
  lastSeenMs: 9000,
  costPerHour: null,
  notSeenBecause: null,
};
const told = { stored: [xid], live: [xid, lost], gaps: [], findings: [finding], runs: [] };

it('puts what is stored, live and found on one axis, each once and in order', () => {
  expect(eventMarksOf(axis, told, null).map(({ label, tone }) => [label, tone])).toEqual([
    ['connection lost', 'warn'],
    ['Xid 79', 'danger'],
    ['alert', 'warn'],
  ]);
});

it('leaves out what concerns another GPU, and what lies outside of the window', () => {
  const labels = (gpus: string[], window = axis): string[] =>
    eventMarksOf(window, told, gpus).map(({ label }) => label);
  expect(labels(['GPU-0'])).toEqual(['connection lost', 'alert']);
  expect(labels(['GPU-1'])).toEqual(['connection lost', 'Xid 79']);
  expect(labels(['GPU-0'], { fromMs: 3000, toMs: 6000 })).toEqual([]);
});

it('takes marks that cannot be told apart as one', () => {
  const marks = eventMarksOf(axis, told, null);
  expect(clusterMarks(marks, 1000).map(({ length }) => length)).toEqual([1, 1, 1]);
  expect(clusterMarks(marks, 2500).map(({ length }) => length)).toEqual([1, 2]);
});
