import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../shared/settings/settings.ts';
import { parseSettings, renderSettings } from './settings-file.ts';

describe('parseSettings', () => {
  it('reads an empty object as the defaults', () => {
    expect(parseSettings('{}')).toEqual({ settings: DEFAULT_SETTINGS, raw: {}, dropped: [] });
  });

  it('keeps every valid field beside invalid ones, nested ones too', () => {
    const text = JSON.stringify({
      theme: 'purple',
      notifications: false,
      keepInTray: 'yes',
      demo: { isOn: false, gpuModel: 'H200', gpuCount: 9 },
    });
    const read = parseSettings(text);
    expect(read?.settings).toEqual({
      ...DEFAULT_SETTINGS,
      notifications: false,
      demo: { isOn: false, gpuModel: 'H200', gpuCount: DEFAULT_SETTINGS.demo.gpuCount },
    });
    expect([...(read?.dropped ?? [])].sort()).toEqual(['demo.gpuCount', 'keepInTray', 'theme']);
  });

  it.each([
    ['a field of the wrong kind', '{"demo": 5, "theme": "dark"}', ['demo']],
    ['null', '{"demo": null, "theme": "dark"}', ['demo']],
    ['a list', '{"demo": [], "theme": "dark"}', ['demo']],
  ])('drops %s whole', (_what, text, dropped) => {
    const read = parseSettings(text);
    expect(read?.dropped).toEqual(dropped);
    expect(read?.settings).toEqual({ ...DEFAULT_SETTINGS, theme: 'dark' });
  });

  it.each(['', '{', 'null', '[]', '"dark"', '42', '\0\0\0\0', '{"theme":"dark"}}'])(
    'answers null for %j',
    (text) => {
      expect(parseSettings(text)).toBeNull();
    },
  );

  it('reads a file with a byte order mark', () => {
    expect(parseSettings('\uFEFF{"theme":"light"}')?.settings.theme).toBe('light');
  });

  it('is not moved by names that mean something to JavaScript', () => {
    const read = parseSettings('{"__proto__": {"theme": "dark"}, "constructor": 1, "toString": 2}');
    expect(read?.settings).toEqual(DEFAULT_SETTINGS);
    expect(read?.dropped).toEqual([]);
  });
});

describe('renderSettings', () => {
  it('lays known fields over the file and keeps unknown ones at every depth', () => {
    const text =
      '{"theme":"dark","future":{"a":[1]},"demo":{"gpuCount":3,"later":true},"__proto__":{"x":1}}';
    const read = parseSettings(text);
    if (read === null) throw new Error('unread');
    const rendered = renderSettings({ ...read.settings, theme: 'light' }, read.raw);
    const again = JSON.parse(rendered) as Record<string, unknown>;
    expect(again).toMatchObject({
      theme: 'light',
      future: { a: [1] },
      demo: { gpuCount: 3, later: true, isOn: true },
      notifications: true,
    });
    expect(Object.keys(again)).toContain('__proto__');
    expect(parseSettings(rendered)?.settings).toEqual({ ...read.settings, theme: 'light' });
  });

  it('puts the default in the place of a dropped value', () => {
    const read = parseSettings('{"theme":"purple"}');
    if (read === null) throw new Error('unread');
    expect(JSON.parse(renderSettings(read.settings, read.raw))).toEqual(DEFAULT_SETTINGS);
  });
});
