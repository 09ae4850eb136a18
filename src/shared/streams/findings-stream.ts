import type { BoxFindings } from '../detectors/box-findings.ts';
import type { StreamKind } from './stream.ts';

/** By box id. One stream for all boxes: the fleet page shows the worst finding of each. */
export interface FindingsState {
  readonly boxes: Readonly<Record<string, BoxFindings>>;
}

export interface FindingsDelta {
  readonly boxId: string;
  /** Null: the box is not in the list any more. */
  readonly findings: BoxFindings | null;
}

export const EMPTY_FINDINGS: FindingsState = { boxes: {} };

export const findingsStream: StreamKind<FindingsState, FindingsDelta> = {
  apply({ boxes }, { boxId, findings }) {
    const { [boxId]: _old, ...others } = boxes;
    return { boxes: findings === null ? others : { ...others, [boxId]: findings } };
  },
};
