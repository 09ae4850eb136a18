import { useMemo, useState } from 'react';
import { DEMO_PLATFORM } from '../../shared/demo/demo-platform.ts';
import type { BoxMeter } from '../../shared/meter/box-meter.ts';
import { wholeSum } from '../../shared/meter/estimate.ts';
import type { Money } from '../../shared/money.ts';
import type { WantedShare } from '../../shared/runs/sweep/sweep-plan.ts';
import { platformRank } from '../../shared/runs/launch/judge-boxes.ts';
import { dealCells, splitCells, type SplitPlace } from '../../shared/runs/sweep/split-cells.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { selectEntries, selectMeters, useFleet, useMeter } from '../state/feeds.ts';

/** What the whole box costs an hour; null: not known, or not in one currency. */
export const priceOf = (meter: BoxMeter | null | undefined): Money | null =>
  wholeSum(meter?.burnPerHour ?? null);

/** One box that cells can go to. */
export interface SplitRow extends SplitPlace {
  readonly boxId: string;
  /** Null: it can take some. */
  readonly cannot: string | null;
  readonly isChosen: boolean;
  /** As it stands in the field. */
  readonly text: string;
}

export interface BoxSplit {
  readonly rows: readonly SplitRow[];
  /** How the proposed numbers came about; null: the person changed them, or no box is chosen. */
  readonly says: string | null;
  /** Null: every cell has its box. */
  readonly error: string | null;
  readonly shares: readonly WantedShare[];
  /** The boxes by their names, where the person or a request file chose them; null: nobody did. */
  readonly named: readonly string[] | null;
  readonly onChosen: (boxId: string, isChosen: boolean) => void;
  readonly onText: (boxId: string, text: string) => void;
  /** The proposed numbers again. */
  readonly onReset: () => void;
  readonly isChanged: boolean;
}

interface SplitOptions {
  /** Those that a request is meant for, the best first; absent: any. */
  readonly platforms?: readonly string[] | undefined;
  /** What a request file names; null: nothing. */
  readonly wanted?: readonly string[] | null;
  /** How fast a box was, where that is known. */
  readonly speedOf?: (boxId: string) => number | null;
  /** Why a box can take none, beside its connection. */
  readonly cannotOf?: (boxId: string) => string | null;
}

/** Which box gets how many of these cells: a proposal that the person may change. */
export function useBoxSplit(cells: readonly number[], options: SplitOptions = {}): BoxSplit {
  const { speedOf = () => null, cannotOf = () => null, wanted = null, platforms } = options;
  const all = useFleet(selectEntries);
  const rankOf = ({ box }: FleetEntry): number => platformRank(platforms, box.platform);
  // Alike ones stay as the rail has them.
  const entries = [...all].sort((a, b) => (rankOf(a) === rankOf(b) ? 0 : rankOf(a) - rankOf(b)));
  const meters = useMeter(selectMeters);
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map());
  const known = entries.map((entry) => ({
    ...placeOf(entry, meters[entry.box.id]),
    speed: speedOf(entry.box.id),
    boxId: entry.box.id,
    cannot: entry.link.kind === 'up' ? cannotOf(entry.box.id) : 'not connected',
  }));
  const meant = entries.filter((entry) => rankOf(entry) < Infinity);
  const usual = usualIn(meant.length === 0 ? entries : meant, wanted);
  const chosen = known.filter(
    ({ boxId, cannot }) => cannot === null && (choices.get(boxId) ?? usual.has(boxId)),
  );
  const split = splitCells(cells.length, chosen);
  const isChanged = chosen.some(({ boxId }) => texts.has(boxId));
  const textOf = (boxId: string, proposed: number): string =>
    isChanged ? (texts.get(boxId) ?? String(proposed)) : String(proposed);
  const counts = chosen.map(({ boxId }, at) => textOf(boxId, split.counts[at] ?? 0));
  const numbers = counts.map((text) => (/^\d{1,6}$/.test(text.trim()) ? Number(text) : NaN));
  const error = splitError(cells.length, numbers);
  const key = `${cells.join()} ${numbers.join()} ${chosen.map(({ boxId }) => boxId).join()}`;
  const shares = useMemo(() => {
    if (error !== null) return [];
    return dealCells(cells, numbers).flatMap((dealt, at) =>
      dealt.length === 0 ? [] : [{ boxId: chosen[at]?.boxId ?? '', cells: dealt }],
    );
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the key says all that the lists hold
  }, [key, error]);
  return {
    rows: known.map((row) => {
      const at = chosen.findIndex(({ boxId }) => boxId === row.boxId);
      return { ...row, isChosen: at >= 0, text: at < 0 ? '' : (counts[at] ?? '') };
    }),
    says: isChanged || chosen.length < 2 ? null : split.says,
    ...{ error, shares, isChanged },
    named:
      choices.size === 0 && wanted === null
        ? null
        : [...chosen.map(({ name }) => name), ...lackingOf(known, wanted ?? [])],
    onChosen: (boxId, isChosen) => setChoices((before) => new Map(before).set(boxId, isChosen)),
    onText: (boxId, text) =>
      setTexts((before) =>
        new Map([
          ...chosen.map((each, at) => [each.boxId, counts[at] ?? ''] as const),
          ...before,
        ]).set(boxId, text),
      ),
    onReset: () => setTexts(new Map()),
  };
}

/** What a request file names, and what cannot take cells now. */
export function lackingOf(
  rows: readonly { readonly name: string; readonly cannot: string | null }[],
  wanted: readonly string[],
): readonly string[] {
  return wanted.filter(
    (each) => !rows.some(({ name, cannot }) => name === each && cannot === null),
  );
}

/** The boxes that cells go to unless the person says otherwise: those that the file names; the demo box only where there is no other. */
function usualIn(
  entries: readonly FleetEntry[],
  wanted: readonly string[] | null,
): ReadonlySet<string> {
  if (wanted !== null) {
    return new Set(entries.flatMap(({ box }) => (wanted.includes(box.name) ? [box.id] : [])));
  }
  const real = entries.filter(({ box }) => box.platform !== DEMO_PLATFORM);
  return new Set((real.length === 0 ? entries : real).map(({ box }) => box.id));
}

function placeOf(
  { box, gpus }: FleetEntry,
  meter: BoxMeter | undefined,
): Omit<SplitPlace, 'speed'> {
  return { name: box.name, pricePerHour: priceOf(meter), gpus: gpus?.length ?? null };
}

function splitError(count: number, numbers: readonly number[]): string | null {
  if (numbers.length === 0) return 'Choose at least one box that is connected.';
  if (numbers.some(Number.isNaN)) return 'Enter whole numbers of cells.';
  const given = numbers.reduce((sum, each) => sum + each, 0);
  return given === count
    ? null
    : `${String(given)} of ${String(count)} cells have a box: change the numbers.`;
}
