import type { Box } from '../../shared/boxes/box.ts';
import type { Clock } from '../../shared/clocks/clock.ts';

/** A mark of a clock that was just reached. */
export interface ClockAlarm {
  readonly box: Box;
  readonly clock: Clock;
  /** At this mark so much time is left; 0: it is over, and what the platform does then may have happened. */
  readonly markMs: number;
}

/** Brings alarms to whoever tells people. What rings before somebody listens, as at the start, waits for them. */
export class AlarmBell<Alarm = ClockAlarm> {
  readonly #listeners = new Set<(alarm: Alarm) => void>();
  #waiting: Alarm[] = [];

  ring(alarm: Alarm): void {
    if (this.#listeners.size === 0) this.#waiting.push(alarm);
    for (const listener of this.#listeners) listener(alarm);
  }

  /** Returns how to stop. */
  onAlarm(listener: (alarm: Alarm) => void): () => void {
    this.#listeners.add(listener);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const alarm of waiting) listener(alarm);
    return () => void this.#listeners.delete(listener);
  }
}
