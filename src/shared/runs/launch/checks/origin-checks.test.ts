import { expect, it } from 'vitest';
import { canOverride } from '../launch-plan.ts';
import { originCheck } from './origin-checks.ts';

it('names the box and how many commands there are to read, and lets nobody pass unasked', () => {
  const check = originCheck({ what: 'sweep', commands: 3, from: 'box\u001b[2J a' });
  expect(canOverride(check)).toBe(true);
  expect(check.says).toContain('its 3 commands');
  expect(check.says).toContain('were read from box');
  expect(check.says).not.toContain('\u001b');
});

it('says that it does not know a box that is gone', () => {
  expect(originCheck({ what: 'queue', commands: 1, from: null }).says).toContain(
    'its command, and what is set up before it, was read from a box that is not in the list any more',
  );
});
