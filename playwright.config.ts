import { defineConfig } from '@playwright/test';

// Run through `npm test`, `npm run e2e` and `npm run screenshots`, which lay out a home, a screen and an ordinary user
// for the app and say here where results go.
const results = process.env['LEASEHOLD_E2E_RESULTS'] ?? 'test-results';
const report = process.env['LEASEHOLD_E2E_REPORT'];

export default defineConfig({
  testDir: 'e2e',
  outputDir: results,
  // One app at a time: two cores, one single-instance lock.
  workers: 1,
  fullyParallel: false,
  // A retry would hide a fault.
  retries: 0,
  forbidOnly: process.env['CI'] !== undefined,
  // Only a hang should end a test, not a busy machine: ten times what the longest takes that mostly acts.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [
    ['list'],
    ...(report === undefined ? [] : [['json', { outputFile: report }] as const]),
  ],
  projects: [
    { name: 'e2e', testMatch: '**/*.spec.ts' },
    { name: 'screenshots', testMatch: 'screenshots/*.shots.ts' },
  ],
});
