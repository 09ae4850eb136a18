import { describe, expect, it } from 'vitest';
import { sanitizeTitle, showHidden } from './visible-text.ts';

describe('text of a box', () => {
  it('shows what is hidden', () => {
    expect(showHidden('a\x1bb\x7f\u202ec\u200bd\ufeff')).toBe(
      'a<ESC>b<DEL><U+202E>c<U+200B>d<U+FEFF>',
    );
    expect(showHidden('Prüfung 名前 ✓')).toBe('Prüfung 名前 ✓');
  });

  it('makes one short line of a title', () => {
    expect(sanitizeTitle('  a\n\tb\u202e c  ')).toBe('a b c');
    expect(Array.from(sanitizeTitle('😀'.repeat(1e6)))).toHaveLength(80);
  });
});
