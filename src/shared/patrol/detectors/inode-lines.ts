import { figure, type Clue, type Severity } from '../../detectors/finding.ts';
import type { MeasuredMount } from '../../mounts/mount.ts';
import { isLocal } from '../../mounts/select-mounts.ts';

/** Gotchas U7 and AD4: "100 % critical, >= 90 % warn (suggested)". */
const WARN_FROM_PCT = 90;
/** Some are freed and made all the time (chosen for Leasehold). */
const LEAVES_BELOW_PCT = 88;

export type InodesLook =
  | { readonly kind: 'clear' }
  | { readonly kind: 'unknown'; readonly because: string }
  | {
      readonly kind: 'low';
      readonly severity: Severity;
      /** Null: none is left. */
      readonly usedPct: number | null;
      readonly clues: readonly Clue[];
    };

export function judgeInodes(mount: MeasuredMount, wasLow: boolean): InodesLook {
  const { usage, because, path } = mount;
  if (usage === null) return { kind: 'unknown', because: because ?? 'the box did not say' };
  const { inodesUsedPct, inodesFree, inodesTotal } = usage;
  if (inodesUsedPct === null || inodesFree === null || inodesTotal === null) {
    // btrfs and its like make them as they need them; a server may keep its bound to itself.
    return isLocal(mount)
      ? { kind: 'clear' }
      : { kind: 'unknown', because: `${path} does not count its inodes` };
  }
  if (inodesUsedPct < (wasLow ? LEAVES_BELOW_PCT : WARN_FROM_PCT)) return { kind: 'clear' };
  return {
    kind: 'low',
    severity: inodesFree === 0 ? 'critical' : 'warn',
    usedPct: inodesFree === 0 ? null : inodesUsedPct,
    clues: [
      figure(`Inodes used on ${path}`, inodesUsedPct, '%'),
      figure(`Inodes free on ${path}`, inodesFree, 'inodes'),
    ],
  };
}
