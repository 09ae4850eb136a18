import type { Result } from '../../shared/result.ts';
import type { SweepRef } from '../../shared/runs/sweep/sweep-roster.ts';
import type { SweepFile } from '../../shared/runs/sweep/sweep-schema.ts';

/** What is too heavy for main: each kind of job with what it is given and what it answers, both as structured clones. */
export interface Jobs {
  'sha256-file': {
    readonly input: { readonly path: string };
    readonly output: { readonly sha256: string; readonly sizeBytes: number };
  };
  /** What a box says of a sweep; or why nothing of it is believed. */
  'check-sweep': {
    readonly input: { readonly text: string; readonly ref: SweepRef };
    readonly output: Result<SweepFile, string>;
  };
}

export type JobKind = keyof Jobs;

/** To a worker: one job at a time. */
export type JobRequest = {
  [K in JobKind]: { readonly kind: K; readonly input: Jobs[K]['input'] };
}[JobKind];

/** From a worker. */
export type JobAnswer =
  | { readonly kind: 'progress'; readonly doneBytes: number }
  | { readonly kind: 'done'; readonly output: Jobs[JobKind]['output'] }
  /** What an adapter makes of it is for whoever asked. */
  | { readonly kind: 'failed'; readonly code: string | null; readonly message: string };
