import { describe, expect, it } from 'vitest';
import { inRoot } from '../lib/paths.mjs';
import { run } from '../lib/processes.mjs';
import { requireDisplay } from './display.mjs';

describe('a display', () => {
  it('is asked for in one sentence that says what to do', () => {
    expect(() => requireDisplay({}, 'linux', true)).toThrow(
      'There is no display to open a window on (neither DISPLAY nor WAYLAND_DISPLAY is set): start Leasehold from a ' +
        'desktop session, or on a screen in memory with: xvfb-run -a npm start',
    );
  });

  it('can be had in memory only once that is installed', () => {
    expect(() => requireDisplay({}, 'linux', false)).toThrow(
      /or after `apt-get install xvfb xauth` on a screen in memory with: xvfb-run -a npm start$/,
    );
  });

  it.each([
    [{ DISPLAY: ':0' }, 'linux'],
    [{ WAYLAND_DISPLAY: 'wayland-0' }, 'linux'],
    [{}, 'darwin'],
    [{}, 'win32'],
  ] as const)('is there with %o on %s', (env, platform) => {
    expect(() => requireDisplay(env, platform, true)).not.toThrow();
  });

  it.skipIf(process.platform !== 'linux').each(['start', 'dev'])(
    'is asked for by npm run %s in one sentence, before anything is set up',
    async (name) => {
      const { DISPLAY: _, WAYLAND_DISPLAY: __, ...env } = process.env;
      const { code, stdout, text } = await run(
        process.execPath,
        [inRoot('scripts', `${name}.mjs`)],
        { env },
      );
      expect({ code, stdout, lines: text.trimEnd().split('\n').length }).toEqual({
        code: 1,
        stdout: '',
        lines: 1,
      });
      expect(text).toMatch(/^There is no display to open a window on .*\n$/);
    },
  );
});
