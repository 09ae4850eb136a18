import { expect, it } from 'vitest';
import { line, type Clue } from '../detectors/finding.ts';
import { alertAt } from './alert.fixture.ts';
import { alertSchema, fitToKeep } from './alert-schema.ts';
import type { Alert } from './alert.ts';

const kept = (alert: Alert): unknown => JSON.parse(JSON.stringify(fitToKeep(alert)));

it('reads alerts that an older Leasehold kept, whose lines have no file and no time', () => {
  const alert = alertAt(0, { clues: [{ kind: 'line', line: 'Xid 79' }] });
  expect(alertSchema.parse(kept(alert))).toEqual(alert);
});

it('keeps the file and the time of a line, what happened once, and what it is about', () => {
  const clues = [line('No space left on device', { file: '/work/train.log', atMs: 7 })];
  const subjects = [
    { kind: 'mount', path: '/data' },
    { kind: 'run', bootId: 'b1', pid: 41, startTicks: 500, command: 'python train.py' },
  ] as const;
  for (const subject of subjects) {
    const alert = alertAt(0, { detector: 'U6', subject, clues, isEvent: true });
    expect(alertSchema.parse(kept(alert))).toEqual(alert);
  }
});

it('cuts what a box made long, so that it can be read again', () => {
  const long = 'x'.repeat(100_000);
  const alert = alertAt(0, { clues: [line(long, { file: long })] });
  const read = alertSchema.parse(kept(alert)).finding.clues[0] as Extract<Clue, { kind: 'line' }>;
  expect(read.line).toHaveLength(2000);
  expect(read.file).toHaveLength(2000);
});

it('reads an alert about a run that an older Leasehold kept without the life of its machine', () => {
  const subject = { kind: 'run', bootId: null, pid: 41, startTicks: 500, command: null } as const;
  const alert = alertAt(0, { detector: 'U6', subject });
  const { bootId: _boot, ...older } = subject;
  const read = alertSchema.parse({ ...alert, finding: { ...alert.finding, subject: older } });
  expect(read).toEqual(alert);
});

it('reads an alert that an older Leasehold kept with another name for its commands', () => {
  const alert = alertAt(0);
  const { commands: _commands, ...finding } = alert.finding;
  const read = (part: object) =>
    alertSchema.parse({ ...alert, finding: { ...finding, ...part } }).finding.commands;
  expect(read({ look: ['nvidia-smi -L'] })).toEqual(['nvidia-smi -L']);
  expect(read({})).toEqual([]);
});

it('reads an alert that an older Leasehold kept without short words', () => {
  const alert = alertAt(0);
  const { short: _short, ...finding } = alert.finding;
  const read = alertSchema.parse({ ...alert, finding });
  expect(read.finding.short).toBe(finding.title);
});
