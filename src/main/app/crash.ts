import { app, type BrowserWindow, type RenderProcessGoneDetails } from 'electron';
import { cleanText } from '../log/fields.ts';
import type { RootLog } from '../log/log.ts';
import type { Crash } from './crash-page.ts';
import { showApp, showCrash } from './window.ts';

/** A window process that dies again within this time is not reopened by itself. */
const RELAPSE_MS = 60_000;

export interface CrashHandler {
  /** What the crash page shows. */
  readonly current: () => Omit<Crash, 'logFile'>;
  readonly guard: (window: BrowserWindow) => void;
}

/**
 * The one place where bugs end up: exceptions that nobody caught, promises that nobody awaited, a window process that
 * died. Everything is logged first; then the person sees a page that says so instead of a frozen or empty window.
 */
export function handleCrashes(
  log: RootLog,
  currentWindow: () => BrowserWindow | null,
): CrashHandler {
  let crash: Omit<Crash, 'logFile'> = { what: 'main', reason: 'Nothing has gone wrong yet.' };
  let lastWindowCrashMs = -Infinity;

  function show(window: BrowserWindow | null): void {
    if (window === null || window.isDestroyed()) return;
    showCrash(window).catch((cause: unknown) => log.error('no crash page', { cause }));
  }

  function onMainCrash(kind: string, cause: unknown): void {
    log.fatal(kind, { cause });
    crash = { what: 'main', reason: cleanText(describe(cause), log.redactor) };
    const window = currentWindow();
    // Without a window nobody would ever see it, and a core in an unknown state must not go on watching boxes.
    if (window === null || window.isDestroyed()) app.exit(1);
    else show(window);
  }
  process.on('uncaughtException', (cause) => onMainCrash('uncaught exception', cause));
  process.on('unhandledRejection', (cause) => onMainCrash('unhandled rejection', cause));

  function onWindowCrash(
    window: BrowserWindow,
    { reason, exitCode }: RenderProcessGoneDetails,
  ): void {
    if (reason === 'clean-exit') return;
    const words = `The window's process ended: ${reason}, exit code ${String(exitCode)}.`;
    log.error(words);
    const nowMs = Date.now();
    const isFirst = nowMs - lastWindowCrashMs > RELAPSE_MS;
    lastWindowCrashMs = nowMs;
    crash = { what: 'window', reason: words };
    // Its state lives in main, so the first time the window simply comes back.
    if (isFirst) showApp(window).catch((cause: unknown) => log.error('no window', { cause }));
    else show(window);
  }

  return {
    current: () => crash,
    guard: (window) => {
      window.webContents.on('render-process-gone', (_event, details) =>
        onWindowCrash(window, details),
      );
      window.on('unresponsive', () => log.warn('the window does not answer'));
      window.on('responsive', () => log.info('the window answers again'));
    },
  };
}

function describe(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
