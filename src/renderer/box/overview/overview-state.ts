import { isArchived } from '../../../shared/boxes/archived.ts';
import { isNoCommands } from '../../../shared/boxes/flavour/no-commands.ts';
import type { Problem } from '../../../shared/problem.ts';
import type { ReadingsState } from '../../../shared/streams/readings-stream.ts';
import { FRESH_MS } from '../../../shared/telemetry/current-figures.ts';
import type { BoxEntry } from '../../state/box-entry.ts';
import type { Feed } from '../../state/stream-client.ts';

/** What stands above the charts when they do not show the present. */
export type OverviewNote =
  | { readonly kind: 'problem'; readonly problem: Problem }
  | { readonly kind: 'disconnected' }
  /** The box is gone: nothing comes after what was recorded. */
  | { readonly kind: 'archived' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'stale'; readonly lastAtMs: number }
  /** The link is up, and the first sample is on its way: so far there is only what was recorded before. */
  | { readonly kind: 'starting' };

export type OverviewState =
  | { readonly kind: 'loading'; readonly title: string }
  | { readonly kind: 'disconnected' }
  | { readonly kind: 'readings-off' }
  /** The link is up, and this way in runs no commands: no fault, and no reason to wait. */
  | { readonly kind: 'no-commands'; readonly problem: Problem }
  | {
      readonly kind: 'failed';
      readonly problem: Problem;
      /** What the person can do about it; null: nothing from here. */
      readonly way: 'connect' | 'retry' | null;
    }
  | {
      readonly kind: 'charts';
      readonly readings: ReadingsState;
      readonly note: OverviewNote | null;
      /** The newest sample describes the present. */
      readonly isFresh: boolean;
    };

/** Which face the panel shows. A history outlives its link, but never passes for the present. */
export function judgeOverview(
  entry: BoxEntry,
  feed: Feed<ReadingsState>,
  nowMs: number,
  /** Whether something was recorded before; null: not known yet. Asked only while there is no live sample. */
  hasPast: boolean | null,
): OverviewState {
  if (feed.kind === 'failed') return { kind: 'failed', problem: feed.problem, way: null };
  if (feed.kind === 'loading') return { kind: 'loading', title: 'Reading the last 15 minutes…' };
  const readings = feed.state;
  const { lastAtMs } = readings;
  if (lastAtMs === null) {
    if (hasPast === null) return { kind: 'loading', title: 'Reading what was recorded…' };
    const isBare = !hasPast || isWithoutCommands(entry);
    if (isBare) return judgeEmpty(entry);
    const why = judgeNote(entry, null, nowMs) ?? ({ kind: 'starting' } as const);
    return { kind: 'charts', readings, note: why, isFresh: false };
  }
  const note = judgeNote(entry, lastAtMs, nowMs);
  return { kind: 'charts', readings, note, isFresh: note === null };
}

function judgeEmpty({ box, link, telemetry }: BoxEntry): OverviewState {
  if (link.kind === 'waiting') return { kind: 'failed', problem: link.problem, way: 'retry' };
  if (link.kind === 'down') return { kind: 'failed', problem: link.problem, way: 'connect' };
  if (link.kind === 'connecting') return { kind: 'loading', title: `Connecting to ${box.name}…` };
  if (link.kind !== 'up') return { kind: 'disconnected' };
  if (telemetry.kind === 'failed') {
    if (isNoCommands(telemetry.problem)) {
      return { kind: 'no-commands', problem: telemetry.problem };
    }
    return { kind: 'failed', problem: telemetry.problem, way: null };
  }
  if (telemetry.kind === 'off') return { kind: 'readings-off' };
  return { kind: 'loading', title: 'Waiting for the first sample…' };
}

function isWithoutCommands({ link, telemetry }: BoxEntry): boolean {
  return link.kind === 'up' && telemetry.kind === 'failed' && isNoCommands(telemetry.problem);
}

function judgeNote(
  { box, link, telemetry }: BoxEntry,
  lastAtMs: number | null,
  nowMs: number,
): OverviewNote | null {
  if (isArchived(box)) return { kind: 'archived' };
  if (link.kind === 'waiting' || link.kind === 'down') {
    return { kind: 'problem', problem: link.problem };
  }
  if (link.kind === 'connecting') return { kind: 'connecting' };
  if (link.kind !== 'up') return { kind: 'disconnected' };
  if (telemetry.kind === 'failed') return { kind: 'problem', problem: telemetry.problem };
  if (lastAtMs === null) return null;
  return nowMs - lastAtMs > FRESH_MS ? { kind: 'stale', lastAtMs } : null;
}

/** The same in the words of a gap, for the right end of the charts; null: samples come. */
export function silenceWords(note: OverviewNote | null): string | null {
  switch (note?.kind) {
    case undefined:
      return null;
    case 'problem':
      return 'no readings right now';
    case 'disconnected':
      return 'not connected';
    case 'archived':
      return 'the box is gone';
    case 'connecting':
      return 'the connection is down';
    case 'stale':
      return 'the box is silent';
    case 'starting':
      return 'waiting for the first sample';
  }
}
