import { expect, it } from 'vitest';
import { line, type Evidence } from '../detectors/finding.ts';
import { alertAt } from './alert.fixture.ts';
import { alertSchema, fitToKeep } from './alert-schema.ts';
import type { Alert } from './alert.ts';

const kept = (alert: Alert): unknown => JSON.parse(JSON.stringify(fitToKeep(alert)));

it('reads alerts that an older Leasehold kept, whose lines have no file and no time', () => {
  const alert = alertAt(0, { evidence: [{ kind: 'line', line: 'Xid 79' }] });
  expect(alertSchema.parse(kept(alert))).toEqual(alert);
});

it('keeps the file and the time of a line, what happened once, and what it is about', () => {
  const evidence = [line('No space left on device', { file: '/work/train.log', atMs: 7 })];
  const subjects = [
    { kind: 'mount', path: '/data' },
    { kind: 'run', pid: 41, startTicks: 500, command: 'python train.py' },
  ] as const;
  for (const subject of subjects) {
    const alert = alertAt(0, { detector: 'U6', subject, evidence, isEvent: true });
    expect(alertSchema.parse(kept(alert))).toEqual(alert);
  }
});

it('cuts what a box made long, so that it can be read again', () => {
  const long = 'x'.repeat(100_000);
  const alert = alertAt(0, { evidence: [line(long, { file: long })] });
  const read = alertSchema.parse(kept(alert)).finding.evidence[0] as Extract<
    Evidence,
    { kind: 'line' }
  >;
  expect(read.line).toHaveLength(2000);
  expect(read.file).toHaveLength(2000);
});
