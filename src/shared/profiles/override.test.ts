import { expect, it } from 'vitest';
import { applyOverride } from './override.ts';

const shipped = {
  clocks: [{ id: 'a', event: 'Auto release', consequence: 'disk deleted', verified: '2026-06' }],
};
const clockWith = (changed: Readonly<Record<string, string>>): unknown => {
  const override = { clocks: [{ id: 'a', verified: '2026-11', ...changed }] };
  const { merged, faults } = applyOverride(shipped, override);
  expect(faults).toEqual([]);
  return (merged as typeof shipped).clocks[0];
};

it('keeps the short name of a clock only beside the consequence that it names', () => {
  expect(clockWith({ trigger: 'stopped' })).toMatchObject({ event: 'Auto release' });
  expect(clockWith({ consequence: 'stopped' })).not.toHaveProperty('event');
  expect(clockWith({ consequence: 'stopped', event: 'Stop' })).toMatchObject({ event: 'Stop' });
});
