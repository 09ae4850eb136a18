import type { GpuDetails, Told } from '../telemetry/gpu-facts.ts';
import { CLEAR, figure, unknown, type Evidence, type Severity } from './finding.ts';
import { SLOW_GAP_MS, type GpuDetector } from './view.ts';

/** nvidia.md §2.1: no gotcha of its own */
export const memoryErrors: GpuDetector = {
  id: 'ecc',
  title: 'The card’s memory has errors that wait for a reset or a replacement',
  scope: 'gpu',
  // Counters and flags, not measurements: one look is enough, and only another look takes it back.
  foundAfterMs: 0,
  clearAfterMs: 0,
  maxGapMs: SLOW_GAP_MS,
  judge({ index, details }) {
    if (details === null) return unknown('the card has not told its memory errors');
    const signs = SIGNS.filter(({ isOn }) => isOn(details) === true);
    const [worst] = signs;
    if (worst === undefined) {
      // Rows on newer cards, pages on older ones: a card has one of them (nvidia.md §2.1).
      const isPending = details.isRemapPending ?? details.retiredPagesPending;
      const untold = [details.eccUncorrectedVolatile, isPending].filter((each) => each === null);
      if (untold.length === 2) return unknown('this card or driver does not report memory errors');
      if (untold.length === 0) return CLEAR;
      return unknown(
        details.eccMode === 'Disabled'
          ? 'ECC is off, so errors are not counted'
          : 'only a part of the memory’s errors is reported',
      );
    }
    return {
      kind: 'found',
      severity: worst.severity,
      headline: `GPU ${index}: ${worst.words}.`,
      means: worst.means,
      fix: worst.fix,
      wastedShare: null,
      evidence: signs.map(({ evidence }) => evidence(details)),
      caveat: null,
    };
  },
};

interface Sign {
  readonly isOn: (details: GpuDetails) => Told;
  readonly severity: Severity;
  readonly words: string;
  readonly means: string;
  readonly fix: readonly string[];
  readonly evidence: (details: GpuDetails) => Evidence;
}

const REPLACE = [
  'Save what can be saved',
  'Ask the provider for a replacement, or rent another box',
];
const RESET = [
  'Reset the GPU when convenient; in a rented container restart the box or rent another',
];

// The worst first (nvidia.md §2.1).
const SIGNS: readonly Sign[] = [
  {
    isOn: ({ hasRemapFailed }) => hasRemapFailed,
    severity: 'critical',
    words: 'a bad memory row could not be replaced',
    means: 'The card has no spare row left for a bad one: replace it.',
    fix: REPLACE,
    evidence: () => ({ kind: 'line', line: 'remapped_rows.failure: Yes' }),
  },
  {
    isOn: ({ isSramThresholdExceeded }) => isSramThresholdExceeded,
    severity: 'critical',
    words: 'too many uncorrectable errors in its SRAM',
    means: 'The card itself says that its threshold is exceeded: ask for replacement.',
    fix: REPLACE,
    evidence: () => ({
      kind: 'line',
      line: 'ecc.errors.uncorrected.aggregate.sram.thresholdExceeded: Yes',
    }),
  },
  {
    isOn: ({ eccUncorrectedVolatile }) =>
      eccUncorrectedVolatile === null ? null : eccUncorrectedVolatile > 0,
    severity: 'warn',
    words: 'uncorrectable memory errors since the driver was loaded',
    means: 'Data in the card’s memory was damaged: results of jobs that ran then are suspect.',
    fix: ['Look for an Xid at the same time (U22): it says which program was hit', ...RESET],
    evidence: ({ eccUncorrectedVolatile }) =>
      figure(
        'uncorrectable errors since the driver was loaded',
        eccUncorrectedVolatile ?? 0,
        'errors',
      ),
  },
  {
    isOn: ({ isRemapPending }) => isRemapPending,
    severity: 'info',
    words: 'a memory row waits to be replaced',
    means: 'A bad row is replaced by a spare one at the next reset; until then it stays in use.',
    fix: RESET,
    evidence: () => ({ kind: 'line', line: 'remapped_rows.pending: Yes' }),
  },
  {
    isOn: ({ retiredPagesPending }) => retiredPagesPending,
    severity: 'info',
    words: 'a memory page waits to be retired',
    means: 'A bad page is taken out of use at the next reset; until then it stays in use.',
    fix: RESET,
    evidence: () => ({ kind: 'line', line: 'retired_pages.pending: Yes' }),
  },
];
