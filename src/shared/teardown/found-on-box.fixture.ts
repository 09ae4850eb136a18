import type { FoundMachine, FoundOnBox } from './found-on-box.ts';

export const MACHINE: FoundMachine = { hostKey: 'SHA256:same', life: 'b/1', instance: null };

/** A box on which nothing is, and nothing is in the way but that nobody has said so. */
export const foundNothing = (atMs: number): FoundOnBox => ({
  ...{
    atMs,
    runs: [],
    missing: [],
    results: [],
    absent: [],
    processes: [],
    processesUnknown: null,
  },
  ...{ machine: MACHINE, queues: [], sweeps: [], orders: [], profile: null },
  outside: { looked: ['~'], files: [], sent: [], isCut: false, unread: null, others: [] },
});
