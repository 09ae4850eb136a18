import { join } from 'node:path';
import { BrowserWindow, nativeTheme, screen } from 'electron';
import { CRASH_URL, INDEX_URL } from './app-url.ts';
import { PAGE_PREFERENCES } from './page-preferences.ts';
import { MIN_SIZE, selectBounds, type WindowState } from './window-state.ts';

/** The page colour of tokens.css, so that the window is never white before its first paint. */
const PAGE_COLOR = { dark: '#0d1015', light: '#f4f6f9' };

export interface WindowOptions {
  readonly state: WindowState;
  /** Called with the bounds to open with next time. */
  readonly onStateChange: (part: Pick<WindowState, 'bounds' | 'isMaximized'>) => void;
}

export function createWindow({ state, onStateChange }: WindowOptions): BrowserWindow {
  const [first, ...others] = screen.getAllDisplays().map(({ workArea }) => workArea);
  const primary = first ?? screen.getPrimaryDisplay().workArea;
  const window = new BrowserWindow({
    ...selectBounds(state, [primary, ...others]),
    minWidth: MIN_SIZE.width,
    minHeight: MIN_SIZE.height,
    backgroundColor: nativeTheme.shouldUseDarkColors ? PAGE_COLOR.dark : PAGE_COLOR.light,
    title: 'Leasehold',
    autoHideMenuBar: true,
    // Until its page stands it would show nothing, and the page's process starts sooner while it need not draw.
    show: false,
    paintWhenInitiallyHidden: false,
    webPreferences: { ...PAGE_PREFERENCES, preload: join(__dirname, '../preload/index.cjs') },
  });
  const reveal = (): void => {
    if (state.isMaximized) window.maximize();
    window.show();
  };
  window.webContents.once('dom-ready', reveal);
  window.webContents.once('did-fail-load', reveal); // a window that cannot load must not be one that never comes

  const remember = (): void => {
    if (window.isDestroyed() || window.isMinimized()) return;
    onStateChange({ bounds: window.getNormalBounds(), isMaximized: window.isMaximized() });
  };
  window.on('resize', remember);
  window.on('move', remember);
  window.on('maximize', remember);
  window.on('unmaximize', remember);
  window.on('close', remember);
  return window;
}

export function showApp(window: BrowserWindow): Promise<void> {
  return window.loadURL(INDEX_URL);
}

export function showCrash(window: BrowserWindow): Promise<void> {
  return window.loadURL(CRASH_URL);
}

/** Not an option of the window: reading the picture would hold up the page. macOS takes the app's own icon. */
export function setWindowIcon(window: BrowserWindow | null, file: string): void {
  if (window !== null && process.platform !== 'darwin') window.setIcon(file);
}

export function bringToFront(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
