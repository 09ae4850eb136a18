import { afterAll, vi } from 'vitest';

const PATIENCE_MS = 60_000;

const { waitFor } = vi;

// What a test waits for comes with an event; a busy machine may deliver it after the second that Vitest waits, and after any
// number of seconds that a test could name. Only what never comes ends the wait.
vi.waitFor = (isSo, options) =>
  waitFor(isSo, {
    ...(typeof options === 'object' ? options : {}),
    timeout: PATIENCE_MS,
  });

// The next file of this process wraps it anew.
afterAll(() => {
  vi.waitFor = waitFor;
});
