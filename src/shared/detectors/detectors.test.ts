import { describe, expect, it } from 'vitest';
import type { JudgedBox } from './box-findings.ts';
import { detectors } from './catalog.ts';
import { answerOf, caseNames, readCase, replay } from './cases.fixture.ts';
import { subjectKeyOf } from './finding.ts';

describe.each(caseNames)('%s', (name) => {
  const { expected, ...given } = readCase(name);
  it(`is ${expected.answer}`, () => {
    const report = replay({ ...given, expected });
    const { detector, answer, because, allFound, headline: _inTheCatalog, ...told } = expected;
    expect(report.findings.map((finding) => finding.detector)).toEqual(allFound);
    expect(answerOf(report, detector)).toBe(answer);
    expectNotBoth(report);
    const isClear = report.clear.some(({ detectors: ids }) => ids.includes(detector));
    if (answer === 'clear') expect(isClear).toBe(true);
    const finding = report.findings.find((each) => each.detector === detector);
    if (answer === 'found') expect(finding).toMatchObject(told);
    const reasons = report.unknown.filter((each) => each.detector === detector);
    if (because !== undefined) expect(reasons.map((each) => each.because)).toEqual([because]);
  });
});

/** A clear answer ends an alert: it must never be given beside the finding, nor where nobody could look. */
function expectNotBoth({ findings, unknown, clear }: JudgedBox): void {
  for (const { subject, detectors: ids } of clear) {
    const place = subjectKeyOf(subject);
    const found = findings.filter((each) => subjectKeyOf(each.subject) === place);
    const blind = unknown.filter(({ gpus }) =>
      subject.kind === 'gpu' ? gpus.includes(subject.index) : gpus.length === 0,
    );
    for (const { detector } of [...found, ...blind]) expect(ids).not.toContain(detector);
  }
}

// Those of a patrol's look stand beside it: judge-look.test.ts asks the same of each, and that it comes out here.
const overReadings = detectors.filter(({ scope }) => scope !== 'patrol').map(({ id }) => id);
it.each(overReadings)('%s has a clear, an unknown and a found case', (id) => {
  const answers = caseNames
    .filter((name) => name.startsWith(`${id}--`))
    .map((name) => readCase(name).expected.answer);
  expect(new Set(answers)).toEqual(new Set(['clear', 'unknown', 'found']));
});

it('has no two detectors of one id, and clues for each finding', () => {
  expect(new Set(detectors.map(({ id }) => id)).size).toBe(detectors.length);
  const findings = caseNames.flatMap((name) => replay(readCase(name)).findings);
  for (const { clues } of findings) expect(clues.length).toBeGreaterThan(0);
});
