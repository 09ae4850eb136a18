import type { Box } from '../../shared/boxes/box.ts';
import {
  fleetStream,
  type FleetDelta,
  type FleetEntry,
  type FleetState,
} from '../../shared/streams/fleet-stream.ts';
import type { StreamHub, Topic } from '../streams/stream-hub.ts';

export type FleetTopic = Topic<FleetState, FleetDelta>;

/** The stream of all boxes. It is there before the fleet itself, so that a window need not wait for SSH to be loaded. */
export function addFleetTopic(hub: StreamHub, boxes: readonly Box[] = []): FleetTopic {
  return hub.addTopic('fleet', '', {
    kind: fleetStream,
    initial: { entries: boxes.map(untouchedEntry) },
  });
}

/** A box of which nothing but its row is known. */
export function untouchedEntry(box: Box): FleetEntry {
  return {
    box,
    link: { kind: 'idle' },
    telemetry: { kind: 'off' },
    flavour: { kind: 'unknown' },
    gpus: null,
    latest: null,
  };
}
