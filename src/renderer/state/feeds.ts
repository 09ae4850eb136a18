import { create } from 'zustand';
import type { Alert } from '../../shared/alerts/alert.ts';
import { isArchived } from '../../shared/boxes/archived.ts';
import type { ConfigChange, ConfigState } from '../../shared/boxes/ssh-config/config-listing.ts';
import type { DemoState } from '../../shared/demo/faults.ts';
import type { BoxFindings } from '../../shared/detectors/box-findings.ts';
import type { IpcStreams, StreamName } from '../../shared/ipc/streams.ts';
import { questionsStream, type Question } from '../../shared/questions/question.ts';
import type { BoxMeter } from '../../shared/meter/box-meter.ts';
import type { RememberedView } from '../../shared/settings/remembered.ts';
import type { Settings } from '../../shared/settings/settings.ts';
import { alertsStream } from '../../shared/streams/alerts-stream.ts';
import {
  configStream,
  demoStream,
  keyOffersStream,
  noticesStream,
  rememberedStream,
  settingsStream,
  webhookStream,
  type Notice,
} from '../../shared/streams/app-streams.ts';
import { findingsStream, type FindingsState } from '../../shared/streams/findings-stream.ts';
import {
  fleetStream,
  type FleetEntry,
  type FleetState,
} from '../../shared/streams/fleet-stream.ts';
import {
  clocksStream,
  meterStream,
  type BoxClocks,
  type ByBox,
} from '../../shared/streams/meter-stream.ts';
import { behindStream } from '../../shared/streams/runs-stream.ts';
import type { StreamKind } from '../../shared/streams/stream.ts';
import type { BoxBehind } from '../../shared/transfer/behind.ts';
import type { WebhookState } from '../../shared/webhook/delivery.ts';
import { LOADING, type Feed, type StreamClient } from './stream-client.ts';

/** The streams that the window follows from start to end, one store each; panels select from them. */
export const useFleet = create<Feed<FleetState>>(() => LOADING);
export const useFindings = create<Feed<FindingsState>>(() => LOADING);
export const useAlerts = create<Feed<ByBox<readonly Alert[]>>>(() => LOADING);
export const useMeter = create<Feed<ByBox<BoxMeter>>>(() => LOADING);
export const useClocks = create<Feed<ByBox<BoxClocks>>>(() => LOADING);
export const useBehind = create<Feed<ByBox<BoxBehind>>>(() => LOADING);
export const useWebhook = create<Feed<WebhookState>>(() => LOADING);
export const useSettings = create<Feed<Settings>>(() => LOADING);
export const useRemembered = create<Feed<RememberedView>>(() => LOADING);
export const useNotices = create<Feed<readonly Notice[]>>(() => LOADING);
export const useDemo = create<Feed<DemoState>>(() => LOADING);
export const useQuestions = create<Feed<readonly Question[]>>(() => LOADING);
export const useKeyOffers = create<Feed<readonly string[]>>(() => LOADING);

const NO_QUESTIONS: readonly Question[] = [];

/** What waits for an answer, oldest first. */
export const selectQuestions = (feed: Feed<readonly Question[]>): readonly Question[] =>
  feed.kind === 'live' ? feed.state : NO_QUESTIONS;
export const useSshConfig = create<Feed<ConfigState>>(() => LOADING);

const NO_CHANGES: readonly ConfigChange[] = [];

export const selectConfigChanges = (feed: Feed<ConfigState>): readonly ConfigChange[] =>
  feed.kind === 'live' ? feed.state.changes : NO_CHANGES;

const NO_ENTRIES: readonly FleetEntry[] = [];

interface FleetLists {
  readonly living: readonly FleetEntry[];
  readonly archived: readonly FleetEntry[];
}

/** A selector answers the same list until the fleet is another. */
const lists = new WeakMap<readonly FleetEntry[], FleetLists>();

function listsOf(feed: Feed<FleetState>): FleetLists {
  const all = selectAllEntries(feed);
  const known = lists.get(all);
  if (known !== undefined) return known;
  const archived = all.filter(({ box }) => isArchived(box));
  const living = archived.length === 0 ? all : all.filter(({ box }) => !isArchived(box));
  const made = { living, archived };
  lists.set(all, made);
  return made;
}

/** With those in the archive: what they were called, and what they cost, goes on to count. */
export const selectAllEntries = (feed: Feed<FleetState>): readonly FleetEntry[] =>
  feed.kind === 'live' ? feed.state.entries : NO_ENTRIES;

/** The boxes in the list. */
export const selectEntries = (feed: Feed<FleetState>): readonly FleetEntry[] =>
  listsOf(feed).living;

export const selectArchived = (feed: Feed<FleetState>): readonly FleetEntry[] =>
  listsOf(feed).archived;

export const selectEntry =
  (boxId: string) =>
  (feed: Feed<FleetState>): FleetEntry | undefined =>
    selectAllEntries(feed).find(({ box }) => box.id === boxId);

/** What was found on this box; null: nothing was told of it yet. */
export const selectReport =
  (boxId: string) =>
  (feed: Feed<FindingsState>): BoxFindings | null =>
    feed.kind === 'live' ? (feed.state.boxes[boxId] ?? null) : null;

const NO_BOXES: ByBox<readonly Alert[]>['boxes'] = {};

export const selectAllAlerts = (
  feed: Feed<ByBox<readonly Alert[]>>,
): ByBox<readonly Alert[]>['boxes'] => (feed.kind === 'live' ? feed.state.boxes : NO_BOXES);

/** What is remembered of this box and is not over; null: nothing was told of it yet. */
export const selectAlerts =
  (boxId: string) =>
  (feed: Feed<ByBox<readonly Alert[]>>): readonly Alert[] | null =>
    selectAllAlerts(feed)[boxId] ?? null;

const NO_METERS: ByBox<BoxMeter>['boxes'] = {};

export const selectMeters = (feed: Feed<ByBox<BoxMeter>>): ByBox<BoxMeter>['boxes'] =>
  feed.kind === 'live' ? feed.state.boxes : NO_METERS;

/** What this box costs; null: nothing was told of it yet. */
export const selectMeter =
  (boxId: string) =>
  (feed: Feed<ByBox<BoxMeter>>): BoxMeter | null =>
    selectMeters(feed)[boxId] ?? null;

const NO_CLOCKS: ByBox<BoxClocks>['boxes'] = {};

export const selectAllClocks = (feed: Feed<ByBox<BoxClocks>>): ByBox<BoxClocks>['boxes'] =>
  feed.kind === 'live' ? feed.state.boxes : NO_CLOCKS;

/** The clocks of this box; null: nothing was told of them yet. */
export const selectClocksOf =
  (boxId: string) =>
  (feed: Feed<ByBox<BoxClocks>>): BoxClocks | null =>
    selectAllClocks(feed)[boxId] ?? null;

/** How far this computer is behind the box; null: that is not known. */
export const selectBehindOf =
  (boxId: string) =>
  (feed: Feed<ByBox<BoxBehind>>): BoxBehind | null =>
    feed.kind === 'live' ? (feed.state.boxes[boxId] ?? null) : null;

/** Whether a log-in to this box waits for the person. */
export const selectIsAsking =
  (boxId: string) =>
  (feed: Feed<readonly Question[]>): boolean =>
    selectQuestions(feed).some((question) => question.boxId === boxId);

/** Opens all of them at once; returns how to close them. */
export function openFeeds(client: StreamClient): () => void {
  const closers = [
    follow(client, 'fleet', fleetStream, useFleet.setState),
    follow(client, 'settings', settingsStream, useSettings.setState),
    follow(client, 'remembered', rememberedStream, useRemembered.setState),
    follow(client, 'notices', noticesStream, useNotices.setState),
    follow(client, 'demo', demoStream, useDemo.setState),
    follow(client, 'questions', questionsStream, useQuestions.setState),
    follow(client, 'key-offers', keyOffersStream, useKeyOffers.setState),
    follow(client, 'ssh-config', configStream, useSshConfig.setState),
    follow(client, 'findings', findingsStream, useFindings.setState),
    follow(client, 'alerts', alertsStream, useAlerts.setState),
    follow(client, 'meter', meterStream, useMeter.setState),
    follow(client, 'clocks', clocksStream, useClocks.setState),
    follow(client, 'behind', behindStream, useBehind.setState),
    follow(client, 'webhook', webhookStream, useWebhook.setState),
  ];
  return () => {
    for (const close of closers) close();
  };
}

function follow<N extends StreamName>(
  client: StreamClient,
  stream: N,
  kind: StreamKind<IpcStreams[N]['state'], IpcStreams[N]['delta']>,
  set: (feed: Feed<IpcStreams[N]['state']>, replace: true) => void,
): () => void {
  const spec = { stream, key: '', kind, fromWire: (wire: IpcStreams[N]['state']) => wire };
  return client.open(spec, (feed) => set(feed, true));
}
