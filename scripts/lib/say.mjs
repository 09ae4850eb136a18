// Set-up talks on stderr, so that the stdout of a command line or a benchmark stays its own.

/** One plain line for the person who waits. */
export function say(/** @type {string} */ line) {
  process.stderr.write(`${line}\n`);
}

/** `850 ms`, `12.3 s`, `4 min 05 s`. */
export function formatDuration(/** @type {number} */ ms) {
  if (ms < 1000) return `${String(Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${String(Math.floor(seconds / 60))} min ${String(seconds % 60).padStart(2, '0')} s`;
}
