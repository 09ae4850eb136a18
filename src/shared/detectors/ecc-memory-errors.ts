import type { GpuDetails, Tristate } from '../telemetry/gpu-facts.ts';
import { CLEAR, figure, unknown, type Clue, type Severity } from './finding.ts';
import { says, type variants } from './says.ts';
import { SLOW_GAP_MS, type GpuDetector } from './view.ts';

/** nvidia.md §2.1: no gotcha of its own */
export const memoryErrors: GpuDetector = {
  id: 'ecc',
  scope: 'gpu',
  // Counters and flags, not measurements: one look is enough, and only another look takes it back.
  foundAfterMs: 0,
  clearAfterMs: 0,
  maxGapMs: SLOW_GAP_MS,
  judge({ index, details }) {
    if (details === null) return unknown('the memory errors of the card are not known');
    const signs = SIGNS.filter(({ isOn }) => isOn(details) === true);
    const [worst] = signs;
    if (worst === undefined) {
      // Rows on newer cards, pages on older ones: a card has one of them (nvidia.md §2.1).
      const isPending = details.isRemapPending ?? details.retiredPagesPending;
      const untold = [details.eccUncorrectedVolatile, isPending].filter((each) => each === null);
      if (untold.length === 2) return unknown('the memory errors of the card are not known');
      if (untold.length === 0) return CLEAR;
      return unknown(
        details.eccMode === 'Disabled'
          ? 'ECC is off, so errors are not counted'
          : 'only a part of the memory’s errors is known',
      );
    }
    return {
      kind: 'found',
      severity: worst.severity,
      says: says('ecc', worst.variant, { gpu: index }),
      wastedShare: null,
      clues: signs.map(({ clue }) => clue(details)),
      caveat: null,
    };
  },
};

interface Sign {
  readonly isOn: (details: GpuDetails) => Tristate;
  readonly severity: Severity;
  readonly variant: keyof (typeof variants)['ecc'];
  readonly clue: (details: GpuDetails) => Clue;
}

// The worst first (nvidia.md §2.1).
const SIGNS: readonly Sign[] = [
  {
    isOn: ({ hasRemapFailed }) => hasRemapFailed,
    severity: 'critical',
    variant: 'remap-failed',
    clue: () => ({ kind: 'line', line: 'remapped_rows.failure: Yes' }),
  },
  {
    isOn: ({ isSramThresholdExceeded }) => isSramThresholdExceeded,
    severity: 'critical',
    variant: 'sram',
    clue: () => ({
      kind: 'line',
      line: 'ecc.errors.uncorrected.aggregate.sram.thresholdExceeded: Yes',
    }),
  },
  {
    isOn: ({ eccUncorrectedVolatile }) =>
      eccUncorrectedVolatile === null ? null : eccUncorrectedVolatile > 0,
    severity: 'warn',
    variant: 'uncorrected',
    clue: ({ eccUncorrectedVolatile }) =>
      figure(
        'uncorrectable errors since the driver was loaded',
        eccUncorrectedVolatile ?? 0,
        'errors',
      ),
  },
  {
    isOn: ({ isRemapPending }) => isRemapPending,
    severity: 'info',
    variant: 'remap-pending',
    clue: () => ({ kind: 'line', line: 'remapped_rows.pending: Yes' }),
  },
  {
    isOn: ({ retiredPagesPending }) => retiredPagesPending,
    severity: 'info',
    variant: 'page-pending',
    clue: () => ({ kind: 'line', line: 'retired_pages.pending: Yes' }),
  },
];
