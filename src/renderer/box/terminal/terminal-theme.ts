import type { ITheme } from '@xterm/xterm';

const COLORS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;

/** The page's theme for xterm, which draws by itself and knows no custom properties. */
export function readTerminalTheme(): ITheme {
  const tokens = getComputedStyle(document.documentElement);
  const token = (name: string): string => tokens.getPropertyValue(`--${name}`).trim();
  const ansi = Object.fromEntries(
    COLORS.flatMap((color) => [
      [color, token(`ansi-${color}`)],
      [`bright${color.charAt(0).toUpperCase()}${color.slice(1)}`, token(`ansi-bright-${color}`)],
    ]),
  );
  return {
    ...ansi,
    background: token('surface-well'),
    foreground: token('text'),
    cursor: token('accent'),
    cursorAccent: token('surface-well'),
    selectionBackground: token('terminal-selection'),
    scrollbarSliderBackground: token('line-strong'),
    scrollbarSliderHoverBackground: token('text-faint'),
    scrollbarSliderActiveBackground: token('text-faint'),
    overviewRulerBorder: token('surface-well'),
  };
}

export interface MatchColors {
  readonly matchBackground: string;
  readonly activeMatchBackground: string;
  readonly matchOverviewRuler: string;
  readonly activeMatchColorOverviewRuler: string;
}

/** How found text is marked. */
export function readMatchColors(): MatchColors {
  const tokens = getComputedStyle(document.documentElement);
  const token = (name: string): string => tokens.getPropertyValue(`--${name}`).trim();
  return {
    matchBackground: token('fill-warn'),
    activeMatchBackground: token('line-warn'),
    matchOverviewRuler: token('line-warn'),
    activeMatchColorOverviewRuler: token('status-warn'),
  };
}

/** Calls when the theme changes; returns how to stop. */
export function watchTheme(onChange: () => void): () => void {
  const query = matchMedia('(prefers-color-scheme: light)');
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}
