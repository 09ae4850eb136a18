import { constants } from 'node:os';
import { describeError, Refusal } from './refusal.mjs';
import { say } from './say.mjs';

// What was started or laid down and must not outlive the script. Run newest first, at the end and on a signal alike.
/** @type {Set<() => Promise<void>>} */
const cleanups = new Set();

/**
 * Registers how to undo something. The answer undoes it now; whoever asks again, or at the end of the script, waits for
 * that same undoing, so that no exit cuts it short.
 * @param {() => unknown} undo
 */
export function onCleanup(undo) {
  /** @type {Promise<void> | null} */
  let undone = null;
  const undoOnce = () => {
    undone ??= (async () => {
      await undo();
      cleanups.delete(undoOnce);
    })();
    return undone;
  };
  cleanups.add(undoOnce);
  return undoOnce;
}

async function runCleanups() {
  for (const undoOnce of [...cleanups].reverse()) {
    try {
      await undoOnce();
    } catch (error) {
      say(`Could not clean up: ${describeError(error)}`);
    }
  }
}

/**
 * Runs a script: exits with the number it answers, after everything it started was ended. Ctrl+C, a plain kill and a bug
 * of ours end what it started first, too.
 */
export function runScript(/** @type {() => Promise<number>} */ main) {
  let isEnding = false;
  const end = async (/** @type {number} */ code) => {
    if (isEnding) return;
    isEnding = true;
    await runCleanups();
    process.exit(code);
  };
  const fail = (/** @type {unknown} */ error) => {
    // A person's problem is one sentence; a bug of ours shows where it is.
    if (error instanceof Refusal) say(error.message);
    else say(String(error instanceof Error ? error.stack : error));
    return end(1);
  };
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => void end(128 + constants.signals[signal]));
  }
  process.on('uncaughtException', (error) => void fail(error));
  // Whoever read what we say has gone, as in `npm test | head`. To say that fails as well, and so on without an end.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => void end(1));
  main().then(end, fail);
}
