import type { Settings } from '../../shared/settings/settings.ts';

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** How the window was when it was last open. */
export interface WindowState {
  readonly bounds: Rectangle | null;
  readonly isMaximized: boolean;
  /** A copy of the setting, so that the window is right from its first moment, before the settings are read. */
  readonly theme: Settings['theme'];
}

/**
 * Reads a stored state; null when it is none. By hand, because this runs before the window and the schema library loads
 * after it.
 */
export function parseWindowState(value: unknown): WindowState | null {
  const { bounds, isMaximized, theme } = (value ?? {}) as Record<string, unknown>;
  if (typeof isMaximized !== 'boolean') return null;
  if (theme !== 'system' && theme !== 'dark' && theme !== 'light') return null;
  if (bounds === null) return { bounds, isMaximized, theme };
  const { x, y, width, height } = (bounds ?? {}) as Record<string, unknown>;
  if (!isInteger(x) || !isInteger(y) || !isInteger(width) || !isInteger(height)) return null;
  if (width < 1 || height < 1) return null;
  return { bounds: { x, y, width, height }, isMaximized, theme };
}

function isInteger(value: unknown): value is number {
  return Number.isInteger(value);
}

export const MIN_SIZE = { width: 940, height: 620 };
const DEFAULT_SIZE = { width: 1440, height: 900 };
/** So much of the title bar must be on a screen for the window to be caught with the mouse. */
const MIN_VISIBLE_PX = 80;

export const DEFAULT_WINDOW_STATE: WindowState = {
  bounds: null,
  isMaximized: false,
  theme: 'system',
};

/**
 * The bounds to open with. A screen may have gone since last time: a window that would be out of reach is put back on
 * the first screen, and never larger than it.
 */
export function selectBounds(
  state: WindowState,
  workAreas: readonly [Rectangle, ...Rectangle[]],
): Rectangle {
  const { bounds } = state;
  const [primary] = workAreas;
  if (bounds !== null && workAreas.some((area) => isReachable(bounds, area))) {
    const area = workAreas.find((each) => isReachable(bounds, each)) ?? primary;
    return { ...bounds, ...fit(bounds, area) };
  }
  const size = fit(bounds ?? DEFAULT_SIZE, primary);
  return {
    ...size,
    x: primary.x + Math.round((primary.width - size.width) / 2),
    y: primary.y + Math.round((primary.height - size.height) / 2),
  };
}

function fit(
  { width, height }: { readonly width: number; readonly height: number },
  area: Rectangle,
): { width: number; height: number } {
  return {
    width: Math.min(Math.max(width, MIN_SIZE.width), area.width),
    height: Math.min(Math.max(height, MIN_SIZE.height), area.height),
  };
}

function isReachable(bounds: Rectangle, area: Rectangle): boolean {
  const visibleX =
    Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x);
  const isTitleInside = bounds.y >= area.y && bounds.y < area.y + area.height - MIN_VISIBLE_PX;
  return visibleX >= MIN_VISIBLE_PX && isTitleInside;
}
