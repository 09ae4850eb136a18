import { describe, expect, it } from 'vitest';
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
});
