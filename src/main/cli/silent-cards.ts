import { MAX_PAUSE_MS } from '../../shared/detectors/recent-readings.ts';
import type { DmonCycle } from '../../shared/probes/dmon-cycles.ts';
import type { GpuReading } from '../../shared/telemetry/gpu-reading.ts';

/** A card that told no figure for a time, or never, while the recording went on. */
export interface SilentCard {
  readonly gpu: number;
  readonly sinceMs: number;
  /** Null: to the end of the recording. */
  readonly untilMs: number | null;
  /** Missing: not one came, as of a card that was not asked any more. */
  readonly rows: 'empty' | 'missing';
}

interface Silence {
  readonly sinceMs: number;
  readonly cycles: number;
  readonly rows: SilentCard['rows'];
}

/** More cards than any box has, and more silences than anybody reads. */
const MAX_CARDS = 256;
const MAX_SILENCES = 100;

/** What no rule sees: of a card that tells nothing there is no figure to judge, whatever the others say. */
export class SilentCards {
  /** By index; null: it tells. */
  readonly #cards = new Map<number, Silence | null>();
  readonly #over: SilentCard[] = [];

  push(atMs: number, cycle: DmonCycle): void {
    const rows = new Map(cycle.map((reading) => [reading.index, tellsFigures(reading)]));
    for (const gpu of rows.keys()) {
      if (!this.#cards.has(gpu) && this.#cards.size < MAX_CARDS) this.#cards.set(gpu, null);
    }
    for (const [gpu, silence] of this.#cards) {
      const tells = rows.get(gpu);
      if (tells === true) {
        const isOver = silence !== null && atMs - silence.sinceMs >= MAX_PAUSE_MS;
        if (isOver && !isOneCut(silence)) this.#note(gpu, silence, atMs);
        this.#cards.set(gpu, null);
      } else {
        const isEmpty = tells === false || silence?.rows === 'empty';
        this.#cards.set(gpu, {
          sinceMs: silence?.sinceMs ?? atMs,
          cycles: (silence?.cycles ?? 0) + 1,
          rows: isEmpty ? 'empty' : 'missing',
        });
      }
    }
  }

  /** What another file asked, or who recorded after a pause, and of which cards, is its own matter. */
  beginAgain(atMs: number): void {
    this.#endAt(atMs);
    this.#cards.clear();
  }

  /** The ones that never told again come last. */
  end(atMs: number): readonly SilentCard[] {
    const still = this.#toTheEnd(atMs).map(([gpu, { sinceMs, rows }]) => {
      return { gpu, sinceMs, untilMs: null, rows };
    });
    return [...this.#over, ...still];
  }

  #endAt(atMs: number): void {
    for (const [gpu, silence] of this.#toTheEnd(atMs)) this.#note(gpu, silence, atMs);
  }

  /** A row without figures at the end is a card's last word; that rows are missing there may only be the cut. */
  #toTheEnd(atMs: number): readonly (readonly [number, Silence])[] {
    return [...this.#cards].flatMap(([gpu, silence]) => {
      if (silence === null) return [];
      const isTold = silence.rows === 'empty' || atMs - silence.sinceMs >= MAX_PAUSE_MS;
      return isTold && !isOneCut(silence) ? [[gpu, silence] as const] : [];
    });
  }

  #note(gpu: number, { sinceMs, rows }: Silence, untilMs: number): void {
    if (this.#over.length < MAX_SILENCES) this.#over.push({ gpu, sinceMs, untilMs, rows });
  }
}

/** A recording that was ended in the middle of a cycle lacks the rest of that one. */
const isOneCut = ({ rows, cycles }: Silence): boolean => rows === 'missing' && cycles === 1;

/** What a row holds whether its card answers or not. */
const NO_FIGURES: ReadonlySet<string> = new Set(['index', 'boxTime', 'unknownColumns']);

export function tellsFigures(reading: GpuReading): boolean {
  return Object.entries(reading).some(([key, value]) => value !== null && !NO_FIGURES.has(key));
}
