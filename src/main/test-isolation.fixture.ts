import { afterAll, vi } from 'vitest';

// Many files take turns in one process (see vitest.config.ts). What one of them put in the place of something else goes with it.
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
