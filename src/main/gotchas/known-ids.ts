import type { Gotcha } from '../../shared/gotchas/gotcha.ts';

/** How many entries each family has: ids are stable, so one that is not there was lost. */
const FAMILIES: Readonly<Record<string, number>> = {
  U: 43,
  GEN: 8,
  T: 6,
  SLURM: 5,
  K8S: 6,
  NB: 5,
  MN: 6,
  AD: 9,
  RP: 15,
  VAST: 15,
  LAM: 14,
  PS: 13,
  CN: 2,
  MP: 3,
  GS: 5,
  FZ: 3,
  LR: 3,
};

export const KNOWN_IDS: readonly string[] = [
  ...Object.entries(FAMILIES).flatMap(([family, count]) =>
    Array.from({ length: count }, (_, i) => `${family}${i + 1}`),
  ),
  'AD-DANGER',
  // Rules of nvidia.md and of the principles, which the source of the others does not number.
  'DRIVER',
  'ECC',
  'IDLE',
  'PCIE',
  'POWER-CAP',
  'STRAGGLER',
];

export function missingIds(gotchas: readonly Gotcha[]): readonly string[] {
  const there = new Set(gotchas.map(({ id }) => id));
  return KNOWN_IDS.filter((id) => !there.has(id));
}
