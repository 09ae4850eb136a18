import { spawn } from 'node:child_process';
import { onCleanup } from '../lib/cleanups.mjs';
import { ROOT } from '../lib/paths.mjs';
import { endGroup, exitCode } from '../lib/processes.mjs';

/** An app that was asked to quit gets this long to close its links and files. */
const QUIT_MS = 8000;

/** Electron's own switches for this user: as root its sandbox cannot work, so root runs without one. */
export const sandboxArgs = () => (process.getuid?.() === 0 ? ['--no-sandbox'] : []);

/** @param {import('./electron-runtime.mjs').Runtime} runtime */
export function appEnvironment(runtime) {
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env; // set by editors' terminals; would start a bare Node
  return runtime.isFallback ? { ...env, LEASEHOLD_FALLBACK_RUNTIME: '1' } : env;
}

/**
 * Opens the window. The app leads its own process group, so Ctrl+C in a terminal reaches only us and the app is asked
 * once: Chromium takes a second request as "die now".
 * @param {import('./electron-runtime.mjs').Runtime} runtime
 * @param {readonly string[]} args
 * @param {import('node:child_process').StdioOptions} stdio
 */
export function launchApp(runtime, args, stdio = ['ignore', 'inherit', 'inherit']) {
  const child = spawn(runtime.executable, [...sandboxArgs(), ...args], {
    cwd: ROOT,
    env: appEnvironment(runtime),
    stdio,
    detached: process.platform !== 'win32',
  });
  const quit = onCleanup(() => endGroup(child, { graceMs: QUIT_MS, isLeaderAsked: true }));
  return { child, quit, exited: exitCode(child) };
}
