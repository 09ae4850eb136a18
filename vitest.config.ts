import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

/** Only a hang should end a test, not a busy machine. */
const PATIENCE = { testTimeout: 30_000, hookTimeout: 30_000 };

export default defineConfig({
  test: {
    // One more than there are cores: most tests of main wait for a real server, program or disk for much of their time.
    // Vitest's own choice is one less, which on two cores is one file at a time.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        test: {
          ...PATIENCE,
          name: 'shared',
          environment: 'node',
          include: ['src/shared/**/*.test.ts'],
          // Pure functions keep nothing that the next file could find: one process for all of them.
          isolate: false,
        },
      },
      {
        test: {
          ...PATIENCE,
          name: 'node',
          environment: 'node',
          include: ['src/main', 'incidents', 'scripts', 'eslint-rules'].map(
            (room) => `${room}/**/*.test.ts`,
          ),
        },
      },
      {
        plugins: [react()],
        test: {
          ...PATIENCE,
          name: 'renderer',
          environment: 'jsdom',
          // jsdom and the packages of the window take a second to load: once for each process, not for each file.
          isolate: false,
          setupFiles: [
            'src/renderer/test-patience.fixture.ts',
            'src/renderer/test-isolation.fixture.ts',
          ],
          include: ['src/renderer/**/*.test.{ts,tsx}'],
          css: { modules: { classNameStrategy: 'non-scoped' } },
        },
      },
    ],
  },
});
