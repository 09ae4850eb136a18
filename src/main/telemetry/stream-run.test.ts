import { expect, it, vi } from 'vitest';
import { planSource, type SourcePlan } from '../../shared/telemetry/source-plan.ts';
import type { Log } from '../log/log.ts';
import { StreamRun } from './stream-run.ts';

const QUIET = { info() {}, warn() {}, error() {}, debug() {} } as unknown as Log;
const PIECE = 'gpu\n'.repeat(8192);

function runOf(plan: SourcePlan): StreamRun {
  return new StreamRun(plan, {
    ...{ log: QUIET, onReadings: vi.fn(), onLive: vi.fn(), onSilent: vi.fn(), onChange: vi.fn() },
    ...{ isShort: () => false, onShort: vi.fn() },
  });
}

function anyPlan(): SourcePlan {
  const plan = planSource({ letters: [], fields: [], facts: [], isDmonUseless: false }, null);
  if (plan === null) throw new Error('no plan');
  return plan;
}

it('lets others in between the pieces of a stream that have come already', async () => {
  const run = runOf(anyPlan());
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

it('reads what came as one bit by bit, so that it can let others in between', async () => {
  const plan = anyPlan();
  const reader = plan.openReader();
  const push = vi.spyOn(reader, 'push');
  const all = PIECE.repeat(64);
  await runOf({ ...plan, openReader: () => reader }).follow({
    async *stdout() {
      yield all;
    },
    exited: Promise.resolve({ kind: 'exited', code: 0 }),
  });
  const read = push.mock.calls.map(([text]) => text);
  expect(read.join('')).toBe(all);
  expect(Math.max(...read.map(({ length }) => length))).toBeLessThanOrEqual(16 * 1024);
});
