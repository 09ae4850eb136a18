import type { Problem } from '../problem.ts';

/** Where a box's readings come from. The AMD ones are best effort, and whoever shows them says so. */
export type ReadingSource = 'dmon' | 'query-loop' | 'amd-smi' | 'rocm-smi';

export const readingSourceWords: Readonly<Record<ReadingSource, string>> = {
  dmon: 'nvidia-smi dmon, once a second',
  'query-loop': 'nvidia-smi --query-gpu in a loop, once a second, because dmon is not available',
  'amd-smi': 'amd-smi, about once a second (AMD, best effort)',
  'rocm-smi': 'rocm-smi, about once a second (AMD, best effort)',
};

/** What is known about a box's GPU stream right now. A failure is named by its problem's code. */
export type TelemetryState =
  | { readonly kind: 'off' }
  | { readonly kind: 'starting'; readonly sinceMs: number }
  | {
      readonly kind: 'live';
      readonly sinceMs: number;
      readonly source: ReadingSource;
      /** Lines of the stream that are neither rows nor headers; more than none deserves a look. */
      readonly unreadableLines: number;
      /** The newest of them, each cut to a bounded length. Hostile. */
      readonly unreadableSamples: readonly string[];
      /** What this driver refused, and which therefore is unknown: dmon's letters, or names of fields. */
      readonly refused: readonly string[];
      /** Something is wrong although rows come: one card of several is lost, for example. */
      readonly problem: Problem | null;
    }
  | {
      readonly kind: 'failed';
      readonly problem: Problem;
      readonly sinceMs: number;
      /** When the stream is made anew; null: not on this connection, which runs no commands. */
      readonly retryAtMs: number | null;
    };
