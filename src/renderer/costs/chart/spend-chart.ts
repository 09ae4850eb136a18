import type { BoxDays, SpendDays } from '../../../shared/meter/spend-days.ts';

/** Whose money a part of a bar is. */
export interface SpendPart {
  readonly id: string;
  readonly label: string;
}

export interface SpendBar {
  readonly fromMs: number;
  readonly toMs: number;
  /** Millionths, in the order of the chart's parts. */
  readonly micros: readonly number[];
  /** On top, if it was billed while nobody saw it. */
  readonly atMostMicros: number;
}

/** Bars of one currency: a sum over currencies would need rates that change by the day. */
export interface SpendChart {
  readonly currency: string;
  /** The largest first; what is small stands together. */
  readonly parts: readonly SpendPart[];
  readonly bars: readonly SpendBar[];
}

/** As many as colours and textures tell apart. */
const MAX_PARTS = 6;
const OTHERS: SpendPart = { id: 'others', label: 'all others' };

/** Which parts a box's money belongs to: its own, those of its tags, its platform's, or its kinds. */
export type PartsOf = (box: BoxDays) => readonly SpendPart[];

/** The one in which most boxes are paid first. */
export function currenciesIn({ boxes }: SpendDays): readonly string[] {
  const uses = new Map<string, number>();
  for (const { byKind, unresolved } of boxes) {
    const own = [...Object.values(byKind), unresolved].flatMap((days) => Object.keys(days));
    for (const currency of new Set(own)) uses.set(currency, (uses.get(currency) ?? 0) + 1);
  }
  return [...uses.keys()].sort().sort((a, b) => (uses.get(b) ?? 0) - (uses.get(a) ?? 0));
}

/** `daysABar`: from a quarter on, bars of a week. */
export function spendChart(
  { bounds, boxes }: SpendDays,
  { currency, partsOf, daysABar }: { currency: string; partsOf: PartsOf; daysABar: number },
): SpendChart {
  const days = bounds.length - 1;
  const sums = new Map<string, { readonly part: SpendPart; readonly micros: number[] }>();
  const atMost = zeros(days);
  for (const box of boxes) {
    addDays(atMost, box.unresolved[currency]);
    const own = zeros(days);
    for (const byDay of Object.values(box.byKind)) addDays(own, byDay[currency]);
    for (const part of partsOf(box)) {
      const known = sums.get(part.id) ?? { part, micros: zeros(days) };
      sums.set(part.id, known);
      addDays(known.micros, own);
    }
  }
  return drawn(currency, bounds, [...sums.values()], atMost, daysABar);
}

/** Of one box: what its money was for. */
export function kindChart(
  { bounds, boxes }: SpendDays,
  { currency, daysABar }: { currency: string; daysABar: number },
): SpendChart {
  const days = bounds.length - 1;
  const atMost = zeros(days);
  const sums = new Map<string, { readonly part: SpendPart; readonly micros: number[] }>();
  for (const { byKind, unresolved } of boxes) {
    addDays(atMost, unresolved[currency]);
    for (const [kind, byDay] of Object.entries(byKind)) {
      const part = { id: kind, label: KIND_WORDS[kind] ?? kind };
      const known = sums.get(kind) ?? { part, micros: zeros(days) };
      sums.set(kind, known);
      addDays(known.micros, byDay[currency]);
    }
  }
  return drawn(currency, bounds, [...sums.values()], atMost, daysABar);
}

export const KIND_WORDS: Readonly<Record<string, string>> = {
  compute: 'GPU time',
  storage: 'storage',
  egress: 'bytes out',
  other: 'other charges',
};

function drawn(
  currency: string,
  bounds: readonly number[],
  sums: readonly { readonly part: SpendPart; readonly micros: readonly number[] }[],
  atMost: readonly number[],
  daysABar: number,
): SpendChart {
  const ranked = sums
    .map((each) => ({ ...each, total: sumOf(each.micros) }))
    .filter(({ total }) => total > 0)
    .sort((a, b) => b.total - a.total);
  const large = ranked.length > MAX_PARTS ? ranked.slice(0, MAX_PARTS - 1) : ranked;
  const small = ranked.slice(large.length);
  const parts = [...large.map(({ part }) => part), ...(small.length > 0 ? [OTHERS] : [])];
  const bars: SpendBar[] = [];
  for (let end = bounds.length - 1; end > 0; end -= daysABar) {
    const from = Math.max(0, end - daysABar);
    const within = (days: readonly number[]): number => sumOf(days.slice(from, end));
    const rest = small.reduce((sum, { micros }) => sum + within(micros), 0);
    bars.unshift({
      fromMs: bounds[from] ?? 0,
      toMs: bounds[end] ?? 0,
      micros: [...large.map(({ micros }) => within(micros)), ...(small.length > 0 ? [rest] : [])],
      atMostMicros: within(atMost),
    });
  }
  return { currency, parts, bars };
}

export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

function zeros(count: number): number[] {
  return Array.from({ length: count }, () => 0);
}

function addDays(into: number[], days: readonly number[] | undefined): void {
  for (const [day, micros] of (days ?? []).entries()) into[day] = (into[day] ?? 0) + micros;
}
