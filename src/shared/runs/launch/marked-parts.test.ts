import fc from 'fast-check';
import { expect, it } from 'vitest';
import { linesBehindMark } from './marked-parts.ts';

it('tells what stands behind the mark in every line that begins with it, and no other', () => {
  const piece = fc.constantFrom('M', 'M ', '\n', 'M a', ' ', 'x', '\r', 'MM ');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('');
      const lines = text.split('\n').filter((line) => line.startsWith('M '));
      expect([...linesBehindMark(text, 'M')]).toEqual(lines.map((line) => line.slice(2)));
    }),
  );
});
