import type { LatestFigures } from '../telemetry/latest-figures.ts';
import type { StreamKind } from './stream.ts';

/**
 * The newest figures of every box, with each sample: for who shows more of a list of boxes than how they stand. The map is
 * changed in place, because a hundred boxes must not be copied for each sample of one; each delta gives a new outer object.
 */
export interface FiguresState {
  readonly boxes: Map<string, LatestFigures>;
}

export interface FiguresDelta {
  readonly boxId: string;
  /** Null: the box is not in the list any more. */
  readonly figures: LatestFigures | null;
}

/** What crosses to the window. */
export type FiguresWire = readonly (readonly [boxId: string, figures: LatestFigures])[];

export const figuresStream: StreamKind<FiguresState, FiguresDelta> = {
  apply({ boxes }, { boxId, figures }) {
    if (figures === null) boxes.delete(boxId);
    else boxes.set(boxId, figures);
    return { boxes };
  },
};

export function emptyFigures(): FiguresState {
  return { boxes: new Map() };
}

export function figuresToWire({ boxes }: FiguresState): FiguresWire {
  return [...boxes];
}

export function figuresFromWire(wire: FiguresWire): FiguresState {
  return { boxes: new Map(wire) };
}
