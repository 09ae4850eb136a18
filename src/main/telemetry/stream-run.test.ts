import { expect, it, vi } from 'vitest';
import { planSource } from '../../shared/telemetry/source-plan.ts';
import type { Log } from '../log/log.ts';
import { StreamRun } from './stream-run.ts';

const QUIET = { info() {}, warn() {}, error() {}, debug() {} } as unknown as Log;
const PIECE = 'gpu\n'.repeat(8192);

it('lets others in between the pieces of a stream that have come already', async () => {
  const plan = planSource({ letters: [], fields: [], facts: [], isDmonUseless: false }, null);
  if (plan === null) throw new Error('no plan');
  const run = new StreamRun(plan, {
    ...{ log: QUIET, onReadings: vi.fn(), onLive: vi.fn(), onSilent: vi.fn(), onChange: vi.fn() },
    ...{ isShort: () => false, onShort: vi.fn() },
  });
  // As long as nobody else has a turn, and as much as may be on its way at most.
  let hadTurn = false;
  setImmediate(() => (hadTurn = true));
  let pieces = 0;
  await run.follow({
    async *stdout() {
      for (; !hadTurn && pieces < 64; pieces += 1) yield PIECE;
    },
    exited: Promise.resolve({ kind: 'exited', code: 0 }),
  });
  expect(hadTurn).toBe(true);
  expect(pieces).toBeLessThan(64);
});
