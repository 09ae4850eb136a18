import { byBox } from '../streams/meter-stream.ts';
import type { GateState } from './gate.ts';

/** How the teardown of a box stands, as the window shows it. */
export interface TeardownView {
  readonly gate: GateState;
  /** The entry of the evidence that says that the box is gone; null: none does. */
  readonly receipt: number | null;
  /** What is being done right now; null: nothing. */
  readonly doing: TeardownDoing | null;
}

export type TeardownDoing =
  | { readonly kind: 'inspecting' }
  | {
      readonly kind: 'reading-copies';
      readonly doneFiles: number;
      readonly files: number;
      readonly doneBytes: number;
      readonly bytes: number;
    }
  | { readonly kind: 'confirming' };

export const teardownsStream = byBox<TeardownView>();
