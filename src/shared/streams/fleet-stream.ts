import { isInSums } from '../demo/demo-platform.ts';
import type { Box, LinkState } from '../boxes/box.ts';
import type { Crowding } from '../boxes/crowding.ts';
import type { FlavourState } from '../boxes/flavour/report.ts';
import type { BoxLoad } from '../telemetry/box-load.ts';
import type { GpuFacts } from '../telemetry/gpu-facts.ts';
import type { TelemetryState } from '../telemetry/telemetry-state.ts';
import type { StreamKind } from './stream.ts';

/** One box as the rail and the fleet page show it. */
export interface FleetEntry {
  readonly box: Box;
  readonly link: LinkState;
  /** Set while something has been waiting for a free session. */
  readonly crowding?: Crowding | null;
  readonly telemetry: TelemetryState;
  /** What its SSH can do. */
  readonly flavour: FlavourState;
  /** Null until the slow probe answered. */
  readonly gpus: readonly GpuFacts[] | null;
  /** Null before the first sample. */
  readonly load: BoxLoad | null;
}

export interface FleetState {
  readonly entries: readonly FleetEntry[];
}

export type FleetDelta =
  | { readonly kind: 'put'; readonly entry: FleetEntry }
  | {
      readonly kind: 'change';
      readonly boxId: string;
      readonly part: Partial<Omit<FleetEntry, 'box'>>;
    }
  | { readonly kind: 'remove'; readonly boxId: string };

/** A box of which nothing but its row is known. */
export function untouchedEntry(box: Box): FleetEntry {
  return {
    box,
    link: { kind: 'idle' },
    telemetry: { kind: 'off' },
    flavour: { kind: 'unknown' },
    gpus: null,
    load: null,
  };
}

/** The demo box is there last at one start and first at another: it always stands behind the person's own, so that their order stays. */
function withNew(entries: readonly FleetEntry[], entry: FleetEntry): readonly FleetEntry[] {
  const all = [...entries, entry];
  return [...all.filter(({ box }) => isInSums(box)), ...all.filter(({ box }) => !isInSums(box))];
}

export const EMPTY_FLEET: FleetState = { entries: [] };

export const fleetStream: StreamKind<FleetState, FleetDelta> = {
  apply(state, delta) {
    if (delta.kind === 'remove') {
      return { entries: state.entries.filter(({ box }) => box.id !== delta.boxId) };
    }
    const id = delta.kind === 'put' ? delta.entry.box.id : delta.boxId;
    const at = state.entries.findIndex(({ box }) => box.id === id);
    const old = state.entries[at];
    const entry = delta.kind === 'put' ? delta.entry : old && { ...old, ...delta.part };
    // A change for a box that was removed meanwhile says nothing any more.
    if (entry === undefined) return state;
    if (old === undefined) return { entries: withNew(state.entries, entry) };
    const entries = [...state.entries];
    entries[at] = entry;
    return { entries };
  },
};
