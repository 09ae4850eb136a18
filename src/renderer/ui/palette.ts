import { useSyncExternalStore } from 'react';

/** The colour behind a token such as `--series-sm`, for what is painted and not styled. */
export type Palette = (token: string) => string;

function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement);
  const known = new Map<string, string>();
  return (token) => {
    let colour = known.get(token);
    if (colour === undefined) {
      colour = style.getPropertyValue(token).trim();
      known.set(token, colour);
    }
    return colour;
  };
}

let palette: Palette | null = null;
const listeners = new Set<() => void>();
const query = '(prefers-color-scheme: light)';

function themeChanged(): void {
  palette = null;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) matchMedia(query).addEventListener('change', themeChanged);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    matchMedia(query).removeEventListener('change', themeChanged);
    palette = null; // the theme may change while nobody listens
  };
}

/** The colours of the theme that is shown; a new one when the theme changes. */
export function usePalette(): Palette {
  return useSyncExternalStore(subscribe, () => (palette ??= readPalette()));
}
