import { expect, it } from 'vitest';
import { advance } from '../alerts/advance.ts';
import { alertAt, findingAt } from '../alerts/alert.fixture.ts';
import { marksOfLastSpan } from './alert-marks.ts';

it('marks where an alert began and ended, once it is over, and each time that it was back', () => {
  const open = alertAt(1000);
  expect(marksOfLastSpan(open)).toEqual([]);
  const over = advance(open, { kind: 'clear', atMs: 61_000 });
  const { headline } = open.finding;
  expect(marksOfLastSpan(over)).toMatchObject([
    { kind: 'alert', atMs: 1000, gpu: 'GPU-0', text: headline },
    { kind: 'alert-over', atMs: 61_000, text: `No longer so: ${headline}` },
  ]);
  const back = advance(over, { kind: 'found', finding: findingAt(90_000), atMs: 90_000 });
  const lost = advance(back, { kind: 'unknown', because: 'the connection is down' });
  expect(marksOfLastSpan(advance(lost, { kind: 'dismiss', atMs: 99_000 }))).toMatchObject([
    { kind: 'alert', atMs: 90_000 },
    { kind: 'alert-over', atMs: 99_000, text: `Marked as resolved: ${headline}` },
  ]);
});
