import { describe, expect, it } from 'vitest';
import { escapeUnsafe, formatLine } from './line.ts';

const AT_MS = Date.parse('2025-11-21T03:15:00.123Z');

describe('formatLine', () => {
  it('puts time, level, scope, message and data on one line', () => {
    const line = formatLine({
      atMs: AT_MS,
      level: 'warn',
      scope: 'app/fleet',
      message: 'link went down',
      fields: { code: 'link-lost', tries: 3 },
    });
    expect(line).toBe(
      '2025-11-21T03:15:00.123Z WARN  app/fleet: link went down {"code":"link-lost","tries":3}\n',
    );
  });

  it('leaves out empty data', () => {
    const entry = { atMs: AT_MS, level: 'info', scope: 'app', message: 'up', fields: {} } as const;
    expect(formatLine(entry)).toBe('2025-11-21T03:15:00.123Z INFO  app: up\n');
  });

  it('stays one line without control characters whatever the parts hold', () => {
    const everything = Array.from({ length: 0x2100 }, (_none, code) =>
      String.fromCharCode(code),
    ).join('');
    const nasty = `${everything}\u2066\u2069\ufeff\ud800`;
    const line = formatLine({
      atMs: AT_MS,
      level: 'error',
      scope: nasty,
      message: nasty,
      fields: { [nasty]: [nasty] },
    });
    expect(line.indexOf('\n')).toBe(line.length - 1);
    expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\u2028-\u202e\u2066-\u2069\ufeff]/u);
    expect(Buffer.from(line, 'utf8').toString('utf8')).toBe(line);
  });
});

describe('escapeUnsafe', () => {
  it.each([
    ['a\nb', 'a\\u000ab'],
    ['\u001b[31mred\u001b[0m', '\\u001b[31mred\\u001b[0m'],
    ['\u009b2J', '\\u009b2J'],
    ['\r\t\0', '\\u000d\\u0009\\u0000'],
    ['abc\u202egnp.exe', 'abc\\u202egnp.exe'],
    ['half \ud83d pair', 'half \\ud83d pair'],
  ])('escapes %j', (text, expected) => {
    expect(escapeUnsafe(text)).toBe(expected);
  });

  it.each(['plain', 'zwölf €', '日本語', '😀 whole pair', 'back\\slash "quotes"'])(
    'keeps %j',
    (text) => {
      expect(escapeUnsafe(text)).toBe(text);
    },
  );
});
