import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

/** Only a hang should end a test, not a busy machine. */
const PATIENCE = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
};

/** Each changes modules before anybody else has loaded what stands on them. */
const ALONE = [
  'src/main/app/flooded-door.test.ts',
  'src/main/app/given-to-electron.test.ts',
  'src/main/app/ipc-fuzz.test.ts',
  'src/main/app/keyring-vault.test.ts',
  'src/main/app/process-worker.test.ts',
  'src/main/ssh/hostile-handshake.test.ts',
  'src/main/transfer/disk-names.test.ts',
  'src/main/transfer/make-folders.test.ts',
  'src/main/teardown/gate-fuzz.test.ts',
  'src/main/workers/settle-files.test.ts',
];

export default defineConfig({
  test: {
    // Four more than there are cores: tests of main wait for real servers, programs and disks for most of their time (of those of
    // a queue, 37 s of 103 are the processor's), and with two more a whole run left a quarter of two cores idle. Vitest's own choice
    // is one less, which on two cores is one file at a time.
    maxWorkers: availableParallelism() + 4,
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
          globalSetup: ['src/main/test-builds.fixture.ts', 'src/main/test-home.fixture.ts'],
          setupFiles: ['src/test-patience.fixture.ts', 'src/main/test-isolation.fixture.ts'],
          include: ['src/main/**/*.test.ts', 'incidents/**/*.test.ts'],
          exclude: ALONE,
          // What they import takes a process two to five seconds of the processor: once, not for each of three hundred files.
          isolate: false,
        },
      },
      {
        test: {
          ...PATIENCE,
          name: 'alone',
          environment: 'node',
          globalSetup: ['src/main/test-home.fixture.ts'],
          setupFiles: ['src/test-patience.fixture.ts'],
          include: [...ALONE, 'scripts/**/*.test.ts', 'eslint-rules/**/*.test.ts'],
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
            'src/test-patience.fixture.ts',
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
