import { AmdReader, amdLoopCommand } from '../probes/amd.ts';
import { DMON_LETTERS, dmonCommand, DmonReader } from '../probes/dmon.ts';
import { QueryLoopReader, queryLoopCommand } from '../probes/query-loop.ts';
import type { ReadingReader } from '../probes/reading-batch.ts';
import type { ReadingSource } from './telemetry-state.ts';

/** What a box's tools refused, kept for its driver so that it is not asked at each start. */
export interface Refusals {
  /** dmon's letters. */
  readonly letters: readonly string[];
  /** Fields of the looped query. */
  readonly fields: readonly string[];
  /** dmon does not work for this card, or shows only some of the cards (facts/nvidia.md §1.1). */
  readonly isDmonUseless: boolean;
  /** Fields of the slow facts. */
  readonly facts: readonly string[];
}

export const NO_REFUSALS: Refusals = { letters: [], fields: [], isDmonUseless: false, facts: [] };

/** How to read a box once a second. */
export interface SourcePlan {
  readonly source: ReadingSource;
  readonly command: string;
  readonly refused: readonly string[];
  readonly openReader: () => ReadingReader;
}

/**
 * dmon where it can be had, the looped query otherwise. AMD's tools only where the box says that it has them and no
 * nvidia-smi. Null: the driver refuses everything that could be asked.
 */
export function planSource(refusals: Refusals, tools: readonly string[] | null): SourcePlan | null {
  const amd = (['amd-smi', 'rocm-smi'] as const).find((tool) => tools?.includes(tool));
  if (amd !== undefined && tools?.includes('nvidia-smi') === false) {
    return {
      source: amd,
      command: amdLoopCommand(amd),
      refused: [],
      openReader: () => new AmdReader(),
    };
  }
  const letters = DMON_LETTERS.filter((letter) => !refusals.letters.includes(letter));
  if (!refusals.isDmonUseless && letters.length > 0) {
    return {
      source: 'dmon',
      command: dmonCommand(letters),
      refused: refusals.letters,
      openReader: () => new DmonReader(),
    };
  }
  const command = queryLoopCommand(refusals.fields);
  if (command === null) return null;
  return {
    source: 'query-loop',
    command,
    refused: refusals.fields,
    openReader: () => new QueryLoopReader(),
  };
}
