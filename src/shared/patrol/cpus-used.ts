import type { PatrolLook } from './patrol-look.ts';
import type { PatrolMemory } from './patrol-memory.ts';

/** Editors, servers and a log-in together use less (chosen for Leasehold). */
const WORKS_FROM_CPUS = 0.5;

/** CPUs' worth of time that the box has used since the look before; null: not told. */
export function cpusUsed(
  { cpu, machine }: PatrolLook,
  before: Pick<PatrolMemory, 'cpuUsedS' | 'machine'> | null,
): number | null {
  const [wasS, isS] = [before?.cpuUsedS ?? null, cpu?.usedS ?? null];
  const [fromS, toS] = [before?.machine.uptimeS ?? null, machine.uptimeS];
  if (wasS === null || isS === null || fromS === null || toS === null) return null;
  // Counters that went back are those of another life of the box.
  return isS < wasS || toS <= fromS ? null : (isS - wasS) / (toS - fromS);
}

/** Something computes, whether or not it writes a log: a data set that is made in somebody's terminal. */
export function doCpusWork(look: PatrolLook, before: PatrolMemory | null): boolean {
  return (cpusUsed(look, before) ?? 0) >= WORKS_FROM_CPUS;
}
