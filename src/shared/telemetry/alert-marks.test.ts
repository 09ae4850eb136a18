import { expect, it } from 'vitest';
import { caseNames, readCase, replay } from '../detectors/cases.fixture.ts';
import { NO_FINDINGS } from '../detectors/box-findings.ts';
import { marksOfEnded } from './alert-marks.ts';

it('marks where a finding began and where it ended, once it is over', () => {
  const name = caseNames.find((each) => readCase(each).expected.answer === 'found') ?? '';
  const found = replay(readCase(name));
  const [finding] = found.findings;
  if (finding === undefined) throw new Error(name);
  const over = { ...found, atMs: found.atMs + 60_000, findings: [] };
  const marks = marksOfEnded(found, over);
  expect(marks).toHaveLength(2 * found.findings.length);
  expect(marks.slice(0, 2)).toMatchObject([
    { kind: 'alert', atMs: finding.sinceMs, text: `${finding.detector}: ${finding.headline}` },
    {
      kind: 'alert-over',
      atMs: over.atMs,
      text: `${finding.detector}: no longer so. It was: ${finding.headline}`,
    },
  ]);
  // Other numbers, or a look that cannot be taken, are no end; nor is what this session never saw.
  const changed = found.findings.map((each) => ({ ...each, headline: 'x.', notSeenBecause: 'y' }));
  expect(marksOfEnded(found, { ...over, findings: changed })).toEqual([]);
  expect(marksOfEnded(NO_FINDINGS, over)).toEqual([]);
});
