import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir } from 'node:fs/promises';
import { onCleanup } from '../lib/cleanups.mjs';
import { endGroup } from '../lib/processes.mjs';
import { Refusal } from '../lib/refusal.mjs';

/**
 * Starts a screen in memory under a free number that the server picks itself, so that several never collide.
 * @param {{ uid?: number, gid?: number, env?: NodeJS.ProcessEnv }} [user]
 * @returns {Promise<{ display: string, stop: () => Promise<void> }>}
 */
export async function startXvfb(user = {}) {
  // Only root may make the folder of the sockets; where it is missing an ordinary user's server starts without one.
  if (process.getuid?.() === 0) await makeSocketFolder();
  const args = ['-displayfd', '3', '-screen', '0', '1920x1200x24', '-nolisten', 'tcp', '-noreset'];
  const child = spawn('Xvfb', args, {
    ...user,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const stop = onCleanup(() => endGroup(child));
  let complaint = '';
  child.stderr
    ?.setEncoding('utf8')
    .on('data', (/** @type {string} */ chunk) => (complaint += chunk));
  const ready = /** @type {import('node:stream').Readable} */ (child.stdio[3]).setEncoding('utf8');
  const failed = once(child, 'exit').then(([code]) => {
    throw new Refusal(`Xvfb ended with exit code ${String(code)}:\n${complaint.trimEnd()}`);
  });
  // The number comes in one short write, which a pipe never splits.
  const [number] = /** @type {[string]} */ (await Promise.race([once(ready, 'data'), failed]));
  failed.catch(() => {}); // it ends when we say so
  return { display: `:${number.trim()}`, stop };
}

async function makeSocketFolder() {
  const created = await mkdir('/tmp/.X11-unix', { recursive: true });
  if (created !== undefined) await chmod('/tmp/.X11-unix', 0o1777);
}
