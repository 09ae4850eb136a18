import { expect, it } from 'vitest';
import { makeRunId } from './run-id.ts';
import { runId } from './run-request-schema.ts';

const AT = Date.UTC(2026, 10, 23, 2, 30, 5);

it('makes ids that the schema takes', () => {
  const id = makeRunId(AT + 999, '1a2b3');
  expect(id).toBe('r-20261123-023005-3e71a2b3');
  expect(runId.parse(id)).toBe(id);
});

it('keeps the order of launch, also within one second', () => {
  const ids = [0, 1, 15, 16, 255, 999, 1000].map((ms, i) => makeRunId(AT + ms, `${9 - i}ffff`));
  expect([...ids].sort()).toEqual(ids);
});
