import { describe, expect, it } from 'vitest';
import { newNameFault } from './new-name.ts';

describe('a new name', () => {
  it.each(['a', '.env', 'results (2)', 'häß', '-rf', '$(x)', 'x'.repeat(255), '…'.repeat(85)])(
    'may be %j',
    (name) => expect(newNameFault(name)).toBeNull(),
  );

  it.each([
    '',
    '  ',
    '.',
    '..',
    'a/b',
    'a\nb',
    'a\u202eb',
    'a\0',
    'a\ufffd',
    'x'.repeat(256),
    '…'.repeat(86),
  ])('is not %j', (name) => expect(newNameFault(name)).toMatch(/\.$/));
});
