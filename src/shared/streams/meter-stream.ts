import type { Clock } from '../clocks/clock.ts';
import type { Skew } from '../clocks/skew.ts';
import type { BoxMeter } from '../meter/box-meter.ts';
import type { StreamKind } from './stream.ts';

/** A value for each box, by its id. */
export interface ByBox<T> {
  readonly boxes: Readonly<Record<string, T>>;
}

export interface BoxChange<T> {
  readonly boxId: string;
  /** Null: the box is not in the list any more. */
  readonly value: T | null;
}

export function byBox<T>(): StreamKind<ByBox<T>, BoxChange<T>> {
  return {
    apply({ boxes }, { boxId, value }) {
      if (value !== null) return { boxes: { ...boxes, [boxId]: value } };
      const { [boxId]: _old, ...others } = boxes;
      return { boxes: others };
    },
  };
}

/** All clocks of a box, the nearest dangerous one first. */
export interface BoxClocks {
  readonly clocks: readonly Clock[];
  /** Of the platform's profile; null: there is none for it. */
  readonly profileId: string | null;
  readonly skew: Skew;
  /** Until when each of them is put off, by its id. */
  readonly snoozed: Readonly<Record<string, number>>;
}

export const meterStream = byBox<BoxMeter>();
export const clocksStream = byBox<BoxClocks>();
