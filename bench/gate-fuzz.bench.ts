// A million messages to the whole door of Leasehold, random, replayed, forged and in any order, while boxes, copies and clocks change: how many were
// taken, and how often a box came to be ended. A judge looks at each end (src/main/teardown/gate-fuzz.fixture.ts); a wrong one breaks this.
import type { FuzzCounts } from '../src/main/teardown/gate-fuzz.fixture.ts';
import { runFuzz } from './fuzz.ts';
import { report } from './harness.ts';

// As a test it puts a box of its own in the place of those that SSH reaches.
const found = await runFuzz<FuzzCounts & { readonly seed: number }>(
  'src/main/teardown/gate-fuzz.test.ts',
  'GATE_FUZZ',
  1_000_000,
);
const row = (measure: string, value: number) => ({ measure, value, unit: 'times' });
report({
  name: 'gate-fuzz',
  rows: [
    row(`messages sent, seed ${String(found.seed)}`, found.messages),
    row('  accepted', found.accepted),
    row('  refused', found.refused),
    row('approved', found.approved),
    row('a box was ended, each time after a fresh yes to all that was there', found.acting),
    row('  of these by an order to a provider', found.ordered),
    row('data folders, each with two boxes and two apps at once', found.stories),
  ],
});
