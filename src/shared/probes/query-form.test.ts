import { describe, expect, it } from 'vitest';
import { queryForm } from './query-form.ts';
import { sample, sampleNames } from './sample.fixture.ts';

describe('queryForm', () => {
  it.each(sampleNames('query-form'))('recognises %s', (name) => {
    const { text, expected } = sample<{ readonly form: string }>(name);
    expect(queryForm(text)).toBe(expected.form);
  });

  it.each(sampleNames('query').filter((name) => name.includes('csv') || name.includes('590')))(
    'takes %s for CSV',
    (name) => expect(queryForm(sample(name).text)).toBe('csv'),
  );

  it.each(sampleNames('dmon'))('sends %s to its own reader', (name) => {
    expect(queryForm(sample(name).text)).toBe('device-monitor');
  });
});
