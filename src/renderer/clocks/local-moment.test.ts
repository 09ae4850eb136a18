import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fromLocalInput, toLocalInput } from './local-moment.ts';

const zone = process.env['TZ'];
beforeEach(() => void (process.env['TZ'] = 'Europe/Berlin'));
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

describe('a date and a time of day', () => {
  it('are those of whoever sits here, summer and winter', () => {
    expect(fromLocalInput('2026-01-10T12:00')).toBe(Date.parse('2026-01-10T11:00:00Z'));
    expect(fromLocalInput('2026-07-10T12:00')).toBe(Date.parse('2026-07-10T10:00:00Z'));
    const atMs = Date.parse('2026-07-10T10:07:00Z');
    expect(toLocalInput(atMs)).toBe('2026-07-10T12:07');
  });

  it('that the change to summer time leaves out become the hour after', () => {
    const atMs = fromLocalInput('2026-03-29T02:30');
    expect(atMs).toBe(Date.parse('2026-03-29T01:30:00Z'));
    expect(toLocalInput(atMs ?? 0)).toBe('2026-03-29T03:30');
  });

  it.each(['', 'tomorrow', '2026-07-10', '12:00'])('are none in “%s”', (text) => {
    expect(fromLocalInput(text)).toBeNull();
  });
});
