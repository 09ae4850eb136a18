import { expect, it } from 'vitest';
import { vanishCauses } from '../../shared/patrol/judge-vanished.ts';
import { vanishHeadline, vanishSteps } from '../../shared/patrol/remediation.ts';
import { failureIds } from '../../shared/triage/failures.ts';
import { shippedCatalog } from './gotchas.fixture.ts';

const CATALOG = shippedCatalog();

it.each([...vanishCauses, null])('has steps for the end “%s”, each with its entry', (cause) => {
  const steps = vanishSteps(CATALOG, cause, null);
  expect(steps.length).toBeGreaterThan(0);
  for (const { step, gotcha } of steps) {
    if (gotcha !== null) expect(CATALOG.get(gotcha)?.fix).toContain(step);
  }
});

it('never has a run started again as an answer', () => {
  const steps = [...vanishCauses, null].flatMap((cause) =>
    vanishSteps(CATALOG, cause, null).map(({ step }) => step),
  );
  expect(steps.filter((step) => /^(?:re)?(?:start|launch|run)\b(?! inside)/i.test(step))).toEqual(
    [],
  );
  expect(vanishSteps(CATALOG, 'own-error', null)[0]?.step).toContain('before any new try');
});

it('leads from the answer to what the log says to the entry that tells more', () => {
  expect(vanishSteps(CATALOG, 'own-error', 'gpu-memory')).toEqual([
    { gotcha: 'U10', step: expect.stringContaining('what else holds GPU memory') as string },
  ]);
});

it.each([...vanishCauses, null])('has a headline for the end “%s”', (cause) => {
  for (const failure of [...failureIds, null]) {
    expect(vanishHeadline(CATALOG, cause, failure)).toMatch(/^Run .{4,}[^.{]$/);
  }
  expect(vanishHeadline(new Map(), cause, null)).toBe('Run gone');
});

it('says first what the nearer entry says to do, with its id', () => {
  const steps = vanishSteps(CATALOG, 'own-error', 'network', ['NB3']);
  expect(steps[0]).toEqual({ step: 'Set GPU and internet before committing', gotcha: 'NB3' });
  expect(steps.slice(2)).toEqual(vanishSteps(CATALOG, 'own-error', 'network'));
});
