import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { onCleanup } from './cleanups.mjs';

const isWindows = process.platform === 'win32';

/** A child that was asked to end gets this long before it is killed. */
const GRACE_MS = 5000;

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {number} [uid]
 * @property {number} [gid]
 * @property {number} [niceness] How far it leaves the processor to whatever else wants it, as of nice(1).
 * @property {'capture' | 'stderr' | 'inherit'} [output] Kept for the caller (as it is unless said otherwise), shown on
 * our stderr, or handed through.
 *
 * @typedef {object} RunResult
 * @property {number} code The exit code; 128 + n when a signal ended it, 127 when it could not be started.
 * @property {string} stdout
 * @property {string} text Both streams in the order in which they came.
 */

/**
 * Runs a command to its end. A bad exit is a value, not an exception. The child leads its own process group, so that
 * Ctrl+C reaches it once, through us, and takes its children along.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<RunResult>}
 */
export async function run(command, args, options = {}) {
  const { output = 'capture', niceness = 0, ...spawnOptions } = options;
  const streams = { capture: 'pipe', stderr: process.stderr, inherit: 'inherit' };
  const stream = /** @type {'pipe' | 'inherit' | import('node:stream').Writable} */ (
    streams[output]
  );
  const child = spawn(command, args, {
    ...spawnOptions,
    stdio: ['ignore', stream, stream],
    detached: !isWindows,
  });
  if (niceness > 0 && child.pid !== undefined) setPriority(child.pid, niceness);
  let stdout = '';
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (/** @type {string} */ chunk) => {
    stdout += chunk;
    text += chunk;
  });
  child.stderr?.setEncoding('utf8').on('data', (/** @type {string} */ chunk) => {
    text += chunk;
  });
  const endNow = onCleanup(() => endGroup(child));
  try {
    return { code: await exitCode(child), stdout, text };
  } catch (error) {
    return { code: 127, stdout, text: `${text}${command}: ${String(error)}\n` };
  } finally {
    await endNow();
  }
}

/**
 * The exit code of a child once its streams are closed; rejects when it could not be started.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>}
 */
export async function exitCode(child) {
  const [code, signal] = await once(child, 'close');
  return signal === null ? code : 128 + constants.signals[/** @type {NodeJS.Signals} */ (signal)];
}

/**
 * Ends a child that leads its own group, and what is left in that group.
 * @param {import('node:child_process').ChildProcess} child
 * @param {{ graceMs?: number, isLeaderAsked?: boolean }} [options] `isLeaderAsked`: ask the leader only, because it ends
 * its own children in order.
 */
export async function endGroup(child, { graceMs = GRACE_MS, isLeaderAsked = false } = {}) {
  const leader = child.pid;
  if (leader === undefined) return;
  if (isRunning(child)) {
    const kill = setTimeout(() => signalGroup(leader, 'SIGKILL'), graceMs);
    const exited = once(child, 'exit');
    if (isLeaderAsked) child.kill('SIGTERM');
    else signalGroup(leader, 'SIGTERM');
    await exited;
    clearTimeout(kill);
  }
  signalGroup(leader, 'SIGKILL');
}

const isRunning = (/** @type {import('node:child_process').ChildProcess} */ child) =>
  child.pid !== undefined && child.exitCode === null && child.signalCode === null;

/** Signals a whole group; one that is already gone is what we wanted. */
function signalGroup(/** @type {number} */ leader, /** @type {NodeJS.Signals} */ signal) {
  try {
    process.kill(isWindows ? leader : -leader, signal);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
  }
}

/**
 * How to start npm from a script: through the very npm that runs us, or the one in PATH.
 * @returns {{ command: string, args: string[] }}
 */
export function npm() {
  const path = process.env['npm_execpath'];
  if (path?.endsWith('.js')) return { command: process.execPath, args: [path] };
  // npm is a .cmd file on Windows, which only a shell starts.
  return isWindows ? { command: 'cmd.exe', args: ['/c', 'npm'] } : { command: 'npm', args: [] };
}
