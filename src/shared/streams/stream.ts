/**
 * A stream is a snapshot, then numbered deltas. Main and window fold deltas with the same pure `apply`, so both ends hold
 * the same state; a gap in the numbers asks for a new snapshot. Every stream of the app is one of these.
 */
export interface StreamKind<State, Delta> {
  readonly apply: (state: State, delta: Delta) => State;
}

/** The answer to opening a stream: the state after delta number `seq`. */
export interface StreamSnapshot<State> {
  readonly subscription: number;
  readonly seq: number;
  readonly state: State;
}

/** One batch: deltas numbered `firstSeq`, `firstSeq + 1`, … */
export interface StreamBatch<Delta> {
  readonly subscription: number;
  readonly firstSeq: number;
  readonly deltas: readonly Delta[];
}

/** Where a reader of a stream stands. */
export interface StreamCursor<State> {
  readonly seq: number;
  readonly state: State;
}

/**
 * Folds a batch into the reader's state. `gap` means that something was missed and only a new snapshot heals it; a batch
 * that is already contained in the snapshot changes nothing.
 */
export function foldBatch<State, Delta>(
  kind: StreamKind<State, Delta>,
  cursor: StreamCursor<State>,
  batch: { readonly firstSeq: number; readonly deltas: readonly Delta[] },
): StreamCursor<State> | 'gap' {
  const skip = cursor.seq + 1 - batch.firstSeq;
  if (skip < 0) return 'gap';
  if (skip >= batch.deltas.length) return cursor;
  let state = cursor.state;
  for (let i = skip; i < batch.deltas.length; i += 1) {
    const delta = batch.deltas[i];
    if (delta !== undefined) state = kind.apply(state, delta);
  }
  return { seq: batch.firstSeq + batch.deltas.length - 1, state };
}
