import { expect, it } from 'vitest';
import { REMEDIES } from '../../shared/patrol/remediation.ts';
import { shippedGotchas } from './gotchas.fixture.ts';

const CATALOG = new Map(shippedGotchas().map(({ id, fix }) => [id, fix]));

it.each(Object.entries(REMEDIES))(
  'says for “%s” what the catalog says, word for word',
  (_cause, remedies) => {
    const fromCatalog = remedies.filter(({ gotcha }) => gotcha !== null);
    expect(fromCatalog.length).toBeGreaterThan(0);
    for (const { gotcha, step } of fromCatalog) expect(CATALOG.get(gotcha ?? '')).toContain(step);
  },
);

it('never has a run started again as an answer', () => {
  const steps = Object.values(REMEDIES).flatMap((remedies) => remedies.map(({ step }) => step));
  expect(steps.filter((step) => /^(?:re)?(?:start|launch|run)\b(?! inside)/i.test(step))).toEqual(
    [],
  );
  expect(REMEDIES['own-error'][0]?.step).toContain('before any new try');
});
