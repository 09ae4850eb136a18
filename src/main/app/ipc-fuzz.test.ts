import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { channels } from '../../shared/ipc/contract.ts';
import { GateFuzz, type Clock } from '../teardown/gate-fuzz.fixture.ts';

vi.mock('electron', () => ({
  app: { getVersion: () => '0.0.0' },
  safeStorage: { isEncryptionAvailable: () => false },
}));
// The library that writes it asks for Electron by itself.
vi.mock('./memory-store.ts', () => ({ openMemoryStore: () => () => undefined }));

/** `npm run bench -- ipc-fuzz` asks for many more. */
const MESSAGES = Number(process.env['IPC_FUZZ_MESSAGES'] ?? 500);
const SEED = Number(process.env['IPC_FUZZ_SEED'] ?? 7);
/** Without a single answer for so long, something waits for ever. */
const SILENCE_MS = 300_000;
/** With so many, each channel is asked often enough to have answered. */
const ALL_ASKED = 20_000;

const clock: Clock = { monoMs: 0, wallMs: 0 };
const real = { mono: performance.now.bind(performance), wall: Date.now.bind(Date) };
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'leasehold-home-'));
  vi.stubEnv('HOME', home);
  vi.stubEnv('SSH_AUTH_SOCK', undefined);
  performance.now = () => real.mono() + clock.monoMs;
  Date.now = () => Math.round(real.wall() + clock.wallMs);
});
afterEach(() => {
  [performance.now, Date.now] = [real.mono, real.wall];
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

// As the gate's own fuzz, with nothing of main made up: the boxes are real addresses at which nobody answers.
it(`answers whatever the door is told, and breaks at none of it (seed ${String(SEED)})`, async () => {
  const fuzz = new GateFuzz(SEED, clock, 0);
  let before = -1;
  let watch: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    watch = setInterval(() => {
      const { messages } = fuzz.counts;
      if (messages === before) reject(new Error(`no answer: ${[...fuzz.waiting].join('\n')}`));
      before = messages;
    }, SILENCE_MS);
  });
  const fault = await Promise.race([fuzz.run(MESSAGES), silence]);
  clearInterval(watch);
  const silent = channels.filter((each) => each !== 'app:quit' && !fuzz.answered.has(each));
  const report = process.env['IPC_FUZZ_REPORT'];
  if (report !== undefined) {
    const told = { seed: SEED, ...fuzz.counts, channels: fuzz.answered.size, silent };
    writeFileSync(report, JSON.stringify(told));
  }
  expect(fault).toBeNull();
  expect([...fuzz.waiting]).toEqual([]);
  if (MESSAGES >= ALL_ASKED) expect(silent).toEqual([]);
}, 7_200_000);
