import type { BoxMeter } from '../../shared/meter/box-meter.ts';
import { selectDueMs } from '../../shared/clocks/select-clocks.ts';
import { severities } from '../../shared/detectors/finding.ts';
import { readFigures } from '../../shared/boxes/fleet-figures.ts';
import {
  groupOf,
  judgeStanding,
  standingGroups,
  standingGroupWords,
  type StandingGroup,
} from '../../shared/boxes/standing.ts';
import type { FleetColumn, FleetFilter, FleetGrouping } from '../../shared/settings/fleet-view.ts';
import type { FiguresState } from '../../shared/streams/figures-stream.ts';
import type { FindingsState } from '../../shared/streams/findings-stream.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import type { BoxClocks, ByBox } from '../../shared/streams/meter-stream.ts';
import type { SparksState } from '../../shared/streams/sparks-stream.ts';
import { readSeenMs } from '../../shared/telemetry/current-figures.ts';
import { capital } from '../ui/format.ts';
import { gpuModel } from './gpu-names.ts';
import { platformName } from '../../shared/profiles/platform-names.ts';

// What stands in the fleet table, and in which order. Pure: everything known is an argument.

export interface FleetKnowledge {
  readonly entries: readonly FleetEntry[];
  readonly figures: FiguresState;
  readonly findings: FindingsState;
  readonly sparks: SparksState;
  readonly meters: Readonly<Record<string, BoxMeter>>;
  readonly clocks: ByBox<BoxClocks>['boxes'];
  /** Boxes with an open question. */
  readonly asking: ReadonlySet<string>;
}

export interface FleetOrder {
  readonly sortBy: FleetColumn | null;
  readonly isDescending: boolean;
}

export type FleetRow =
  | { readonly kind: 'group'; readonly key: string; readonly group: FleetGroup }
  | { readonly kind: 'box'; readonly key: string; readonly entry: FleetEntry };

export interface FleetGroup {
  readonly id: string;
  readonly label: string;
  readonly entries: readonly FleetEntry[];
  readonly isCollapsed: boolean;
}

/** The place of each box; equal ones keep the order in which they were added, and what is unknown comes last either way. */
export function rankBoxes(
  known: FleetKnowledge,
  order: FleetOrder,
  nowMs: number,
): ReadonlyMap<string, number> {
  const { sortBy, isDescending } = order;
  const values = known.entries.map((entry, added) => ({
    id: entry.box.id,
    added,
    value: sortBy === null ? added : valueOf(sortBy, entry, known, nowMs),
  }));
  values.sort((a, b) => {
    if (a.value === null || b.value === null) {
      return Number(a.value === null) - Number(b.value === null) || a.added - b.added;
    }
    const direction = sortBy !== null && isDescending ? -1 : 1;
    return compare(a.value, b.value) * direction || a.added - b.added;
  });
  return new Map(values.map(({ id }, rank) => [id, rank]));
}

/** Those that the filter leaves, in their order. */
export function selectShown(
  known: FleetKnowledge,
  ranks: ReadonlyMap<string, number>,
  { text, states }: FleetFilter,
): readonly FleetEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return known.entries
    .filter(
      (entry) =>
        (states.length === 0 || states.includes(groupOfEntry(entry, known))) &&
        (words.length === 0 || matches(entry, words, known)),
    )
    .sort((a, b) => (ranks.get(a.box.id) ?? Infinity) - (ranks.get(b.box.id) ?? Infinity));
}

export function arrangeRows(
  shown: readonly FleetEntry[],
  groupBy: FleetGrouping,
  collapsed: readonly string[],
  known: FleetKnowledge,
): readonly FleetRow[] {
  if (groupBy === 'none') return shown.map((entry) => ({ kind: 'box', key: entry.box.id, entry }));
  return groupsOf(shown, groupBy, known).flatMap(({ id, label, entries }): FleetRow[] => {
    const isCollapsed = collapsed.includes(id);
    const head: FleetRow = {
      kind: 'group',
      key: id,
      group: { id, label, entries, isCollapsed },
    };
    // A box with several tags stands in several groups.
    const boxes = entries.map((entry): FleetRow => ({
      kind: 'box',
      key: `${id} ${entry.box.id}`,
      entry,
    }));
    return isCollapsed ? [head] : [head, ...boxes];
  });
}

export function groupOfEntry(entry: FleetEntry, { asking }: FleetKnowledge): StandingGroup {
  return groupOf(judgeStanding(entry, asking.has(entry.box.id)));
}

interface Group {
  readonly id: string;
  readonly label: string;
  readonly entries: FleetEntry[];
}

function groupsOf(
  shown: readonly FleetEntry[],
  groupBy: Exclude<FleetGrouping, 'none'>,
  known: FleetKnowledge,
): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const entry of shown) {
    for (const { id, label } of placesOf(entry, groupBy, known)) {
      const group = groups.get(id) ?? { id, label, entries: [] };
      group.entries.push(entry);
      groups.set(id, group);
    }
  }
  const all = [...groups.values()];
  if (groupBy === 'state') {
    return all.sort((a, b) => indexOfState(a.id) - indexOfState(b.id));
  }
  // What has no tag comes last.
  return all.sort(
    (a, b) => Number(a.id === NO_TAG) - Number(b.id === NO_TAG) || compare(a.label, b.label),
  );
}

/** No tag can begin like this: a box's own are words. */
const NO_TAG = 'tag:';

function placesOf(
  entry: FleetEntry,
  groupBy: Exclude<FleetGrouping, 'none'>,
  known: FleetKnowledge,
): readonly { readonly id: string; readonly label: string }[] {
  const { platform, tags } = entry.box;
  switch (groupBy) {
    case 'platform':
      return [{ id: `platform:${platform}`, label: platformName(platform) }];
    case 'state': {
      const group = groupOfEntry(entry, known);
      return [{ id: `state:${group}`, label: capital(standingGroupWords[group]) }];
    }
    case 'tag':
      if (tags.length === 0) return [{ id: NO_TAG, label: 'No tag' }];
      return tags.map((tag) => ({ id: `tag:${tag.toLowerCase()}`, label: tag }));
  }
}

function indexOfState(id: string): number {
  return standingGroups.findIndex((group) => id === `state:${group}`);
}

type Comparable = string | number;

function valueOf(
  column: FleetColumn,
  entry: FleetEntry,
  known: FleetKnowledge,
  nowMs: number,
): Comparable | null {
  const latest = known.figures.boxes.get(entry.box.id);
  const figures = readFigures(entry, latest);
  switch (column) {
    case 'state':
      return standingGroups.indexOf(groupOfEntry(entry, known));
    case 'box':
      return entry.box.name;
    case 'left':
      return selectDueMs(known.clocks[entry.box.id]?.clocks ?? [], nowMs);
    case 'sm':
      return figures.smPct;
    case 'hour':
      return meanOfSpark(known.sparks.boxes[entry.box.id]?.smPct ?? []);
    case 'clock':
      return figures.smClockMHz;
    case 'power':
      return figures.powerW;
    case 'vram':
      return figures.memoryUsedMiB;
    case 'temperature':
      return figures.temperatureC;
    case 'finding': {
      const findings = known.findings.boxes[entry.box.id]?.findings ?? [];
      const [worst] = findings;
      // More of the same weight are worse; no box has a thousand findings.
      return worst === undefined
        ? null
        : severities.indexOf(worst.severity) - findings.length / 1000;
    }
    case 'cost':
      return burnRank(known.meters[entry.box.id] ?? null);
    case 'seen': {
      if (entry.load === null) return null;
      return -(readSeenMs(entry.load, latest) ?? Infinity);
    }
  }
}

/** Each currency by itself: dollars and yuan have no order. Above all amounts of one currency stand those of the next. */
function burnRank(meter: BoxMeter | null): number | null {
  const [first] = meter?.burnPerHour?.money ?? [];
  if (first === undefined) return null;
  const place = Number.parseInt(first.currency, 36);
  return place * 1e6 + first.micros / 1e6;
}

function meanOfSpark(smPct: readonly (number | null)[]): number | null {
  const values = smPct.filter((value) => value !== null);
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

const inOrder = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

function compare(a: Comparable, b: Comparable): number {
  return typeof a === 'number' && typeof b === 'number'
    ? a - b
    : inOrder.compare(String(a), String(b));
}

function matches(
  { box, gpus }: FleetEntry,
  words: readonly string[],
  { findings }: FleetKnowledge,
): boolean {
  const found = findings.boxes[box.id]?.findings ?? [];
  const text = [
    box.name,
    platformName(box.platform),
    box.address.host,
    ...box.tags,
    ...(gpus ?? []).map(({ name }) => gpuModel(name)),
    ...found.flatMap((finding) => [finding.detector, finding.headline, finding.short]),
  ]
    .join('\n')
    .toLowerCase();
  return words.every((word) => text.includes(word));
}
