/** What was seen of a run on its way, which no list of runs tells. Texts are the box's, and hostile. */
export interface RunEvents {
  /** As its results were listed last; the newest first. */
  readonly checkpoints: readonly { readonly path: string; readonly writtenAtMs: number }[];
  /** The first line of its log that told of an error while it was followed. */
  readonly error: { readonly atMs: number; readonly text: string } | null;
}

/** Those of a box, by run. */
export type EventsByRun = Readonly<Record<string, RunEvents>>;

export const NO_EVENTS: RunEvents = { checkpoints: [], error: null };

/** Of one run: the newest ones say how it goes, and more stand in each other's way. */
export const MAX_CHECKPOINTS_NOTED = 50;
/** Of one box, the newest. */
export const MAX_RUNS_NOTED = 100;
export const MAX_EVENT_CHARS = 400;
