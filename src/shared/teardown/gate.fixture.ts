import { MACHINE } from './found-on-box.fixture.ts';
import type { Act, GateState } from './gate.ts';
import type { ProviderSaid } from './provider-said.ts';
import type { Blocker, Inspection } from './inspection.ts';

/** As its provider knows it. */
const LINKED = { ...MACHINE, instance: 'i-1' };

export const BLOCKER: Blocker = {
  ...{ id: 'run-alive:r-1', kind: 'run-alive', stage: 'inventory', entry: null, verb: null },
  ...{ says: 'It is still running.', shows: [], loss: 'r-1', accepted: null },
};

/** What a look brings of a box that holds just that. */
export const inspectionOf = (
  digest: string,
  blockers: readonly Blocker[] = [],
  atMs = 0,
): Inspection => ({
  atMs,
  machine: LINKED,
  runs: [],
  blockers,
  left: [],
  copies: '',
  copiesReadAtMs: null,
  digest,
});

export const ACT: Act = {
  ...{
    id: 'act-1',
    verb: 'Terminate',
    aim: 'gone',
    approvedAtMs: 5,
    evidence: 7,
    machine: LINKED,
  },
};

/** What a provider says of it. */
export const saidOf = (kind: ProviderSaid['kind']): ProviderSaid => ({
  ...{ provider: 'Acme', kind, says: 'So it is.', atMs: 6 },
});

/** The whole of a state in one word, as a table has it. */
export function wordOf(state: GateState): string {
  if (state.kind !== 'shut') return state.kind;
  if (state.inspection === null) return 'shut';
  const isOpen = state.inspection.blockers.every(({ accepted }) => accepted !== null);
  return `shut, ${isOpen ? 'open to a yes' : 'blocked'}`;
}
