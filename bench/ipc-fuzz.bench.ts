// Every channel of the window, with random, replayed and forged messages: none breaks main, and none stays without an answer. Only the gate's own fuzz
// has boxes that answer; here nothing of main is made up, and nobody answers at the boxes' addresses.
import type { FuzzCounts } from '../src/main/teardown/gate-fuzz.fixture.ts';
import { runFuzz } from './fuzz.ts';
import { report } from './harness.ts';

interface Counts extends FuzzCounts {
  readonly seed: number;
  readonly channels: number;
  readonly silent: readonly string[];
}

const found = await runFuzz<Counts>('src/main/app/ipc-fuzz.test.ts', 'IPC_FUZZ', 30_000);
const row = (measure: string, value: number) => ({ measure, value, unit: 'times' });
report({
  name: 'ipc-fuzz',
  rows: [
    row(`messages sent and answered, seed ${String(found.seed)}; none broke main`, found.messages),
    row('  accepted', found.accepted),
    row('  refused', found.refused),
    row('channels that answered, unknown ones among them', found.channels),
    {
      ...row(`channels that never answered: ${found.silent.join(', ')}`, found.silent.length),
      ...{ goal: 'none', isMet: found.silent.length === 0 },
    },
  ],
});
