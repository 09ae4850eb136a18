import type { StreamKind } from './stream.ts';

/** How far back the fleet page looks. */
export const SPARK_MINUTES = 60;

/** The load of one box, a mean over its cards for each minute; null: nothing was reported. */
export interface Spark {
  /** Minutes since 1970 of the newest value. */
  readonly lastMinute: number;
  /** At most SPARK_MINUTES, oldest first, none left out. */
  readonly smPct: readonly (number | null)[];
}

export interface SparksState {
  readonly boxes: Readonly<Record<string, Spark>>;
}

export interface SparksDelta {
  readonly boxId: string;
  /** Minutes that are over, in any order; null: the box is not in the list any more. */
  readonly minutes: readonly SparkMinute[] | null;
}

export interface SparkMinute {
  readonly minute: number;
  readonly smPct: number | null;
}

export const NO_SPARKS: SparksState = { boxes: {} };

export const sparksStream: StreamKind<SparksState, SparksDelta> = {
  apply({ boxes }, { boxId, minutes }) {
    const { [boxId]: old, ...others } = boxes;
    if (minutes === null) return { boxes: others };
    const spark = addMinutes(old, minutes);
    return spark === null ? { boxes } : { boxes: { ...others, [boxId]: spark } };
  },
};

function addMinutes(old: Spark | undefined, added: readonly SparkMinute[]): Spark | null {
  const byMinute = new Map<number, number | null>();
  old?.smPct.forEach((smPct, i) => byMinute.set(old.lastMinute - old.smPct.length + 1 + i, smPct));
  for (const { minute, smPct } of added) byMinute.set(minute, smPct);
  if (byMinute.size === 0) return null;
  const lastMinute = Math.max(...byMinute.keys());
  const first = Math.max(Math.min(...byMinute.keys()), lastMinute - SPARK_MINUTES + 1);
  return {
    lastMinute,
    smPct: Array.from(
      { length: lastMinute - first + 1 },
      (_none, i) => byMinute.get(first + i) ?? null,
    ),
  };
}
