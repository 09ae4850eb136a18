import { readdir } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { readTextOrNull } from '../lib/files.mjs';

/** A process whose parent has just ended needs a moment to notice; longer than this, and it stays. */
const SETTLE_MS = 3000;
const POLL_MS = 100;

/** @typedef {{ pid: number, command: string }} Leftover */

/**
 * The processes that are still there after a run, once those that were just ending had their moment.
 * @param {(process: { pid: number, uid: number, environment: string }) => boolean} isOurs
 * @param {number} [settleMs]
 * @returns {Promise<Leftover[]>}
 */
export async function findLeftovers(isOurs, settleMs = SETTLE_MS) {
  const deadline = Date.now() + settleMs;
  for (;;) {
    const found = await listProcesses(isOurs);
    if (found.length === 0 || Date.now() >= deadline) return found;
    await wait(POLL_MS);
  }
}

/** Ends what should have been gone. Answers a line for each. */
export function endLeftovers(/** @type {readonly Leftover[]} */ leftovers) {
  return leftovers.map(({ pid, command }) => {
    try {
      process.kill(pid, 'SIGKILL');
      return `left behind: ${String(pid)} ${command}`;
    } catch (error) {
      // It went at last, but too late to call the run clean.
      return `left behind: ${String(pid)} ${command} (${String(error)})`;
    }
  });
}

async function listProcesses(/** @type {Parameters<typeof findLeftovers>[0]} */ isOurs) {
  /** @type {Leftover[]} */
  const found = [];
  if (process.platform !== 'linux') return found; // only there is a list that tells whose they are
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // The owner of /proc/PID is root for a sandboxed Chromium process, so the owner is read from what it says inside.
    const status = await readProc(`/proc/${name}/status`);
    const uid = Number(/^Uid:\s+(\d+)/m.exec(status)?.[1] ?? NaN);
    if (status === '' || /^State:\s+[ZX]/m.test(status)) continue; // gone, or dead and waiting for its parent
    const pid = Number(name);
    if (
      pid === process.pid ||
      !isOurs({ pid, uid, environment: await readProc(`/proc/${name}/environ`) })
    )
      continue;
    const command = (await readProc(`/proc/${name}/cmdline`)).replaceAll('\0', ' ').trim();
    found.push({ pid, command: command || (/^Name:\s+(.*)$/m.exec(status)?.[1] ?? '?') });
  }
  return found;
}

/** What a file in /proc says; nothing where the process is gone by now or keeps it from us. */
async function readProc(/** @type {string} */ path) {
  try {
    return (await readTextOrNull(path)) ?? '';
  } catch (error) {
    if (
      ['ESRCH', 'EACCES', 'EPERM'].includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? '')
    )
      return '';
    throw error;
  }
}
