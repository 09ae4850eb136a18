// A million messages to the whole door of Leasehold, random, replayed, forged and in any order, while boxes, copies and clocks change: how many were
// taken, and how often a box came to be ended. A judge looks at each end (src/main/teardown/gate-fuzz.fixture.ts); a wrong one breaks this.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FuzzCounts } from '../src/main/teardown/gate-fuzz.fixture.ts';
import { report } from './harness.ts';

const MESSAGES = process.env['GATE_FUZZ_MESSAGES'] ?? '1000000';
const SEED = process.env['GATE_FUZZ_SEED'] ?? String(Date.now() % 2 ** 31);
const folder = mkdtempSync(join(tmpdir(), 'leasehold-gate-fuzz-bench-'));
try {
  const file = join(folder, 'report.json');
  const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
  // As a test it puts a box of its own in the place of those that SSH reaches.
  const fuzz = spawn(process.execPath, [vitest, 'run', 'src/main/teardown/gate-fuzz.test.ts'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: {
      ...process.env,
      ...{ GATE_FUZZ_MESSAGES: MESSAGES, GATE_FUZZ_SEED: SEED, GATE_FUZZ_REPORT: file },
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = (await once(fuzz, 'exit')) as [number | null];
  if (code !== 0) throw new Error('a box was ended that should not have been: see above');
  const found = JSON.parse(readFileSync(file, 'utf8')) as FuzzCounts & { readonly seed: number };
  const row = (measure: string, value: number) => ({ measure, value, unit: 'times' });
  report({
    name: 'gate-fuzz',
    rows: [
      row(`messages sent, seed ${String(found.seed)}`, found.messages),
      row('  accepted', found.accepted),
      row('  refused', found.refused),
      row('approved', found.approved),
      row('a box was ended, each time after a fresh yes to all that was there', found.acting),
      row('data folders, each with two boxes and two apps at once', found.stories),
    ],
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
