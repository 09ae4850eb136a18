import { describe, expect, it } from 'vitest';
import { sampleGotcha } from './catalog.fixture.ts';
import { entryMarkdown } from './entry-markdown.ts';

describe('an entry as Markdown', () => {
  it('lets nothing that a log said become markup', () => {
    const entry = sampleGotcha({
      id: 'OWN1',
      title: '![x](http://a) <img> `a` @team',
      symptom: 'first\n# heading',
      signs: ['with `ticks`'],
      incident: 'a\n```\n# out of the fence\n````\nb',
    });
    const text = entryMarkdown(entry, 'format: 1\n');
    expect(text).toContain('# !\\[x\\](http://a) \\<img\\> \\`a\\` \\@team');
    expect(text).toContain('first \\# heading');
    expect(text).toContain('- `` with `ticks` ``');
    expect(text).toContain('`````text\na\n```');
    expect(text.split('\n').filter((line) => line.startsWith('# '))).toHaveLength(2);
  });

  it('has no part for what is not known', () => {
    const text = entryMarkdown(sampleGotcha({ id: 'OWN1' }), 'format: 1\n');
    for (const part of ['How to tell', 'Doubt', 'Checked', 'Seen', 'Related']) {
      expect(text).not.toContain(`## ${part}`);
    }
    expect(text).toContain('1. Do something');
  });
});
