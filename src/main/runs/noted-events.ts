import { z } from 'zod';
import type { Problem } from '../../shared/problem.ts';
import { selectCheckpoints } from '../../shared/runs/checkpoints/checkpoints.ts';
import type { LaunchedRun, ResultFile } from '../../shared/runs/launch/launched-run.ts';
import { runId } from '../../shared/runs/launch/run-request-schema.ts';
import {
  MAX_CHECKPOINTS_NOTED,
  MAX_EVENT_CHARS,
  MAX_RUNS_NOTED,
  NO_EVENTS,
  type EventsByRun,
  type RunEvents,
} from '../../shared/runs/run-events.ts';
import { runEventsStream } from '../../shared/streams/runs-stream.ts';
import type { EntriesTable } from '../storage/entries-table.ts';
import type { StreamHub, Topic } from '../streams/stream-hub.ts';

const KEPT_AS = 'run-events';
const event = z.strictObject({
  checkpoints: z.array(z.strictObject({ path: z.string(), writtenAtMs: z.number() })),
  error: z.strictObject({ atMs: z.number(), text: z.string() }).nullable(),
});
const kept: z.ZodType<EventsByRun> = z.record(runId, event);

export interface NotedEventsOptions {
  readonly boxId: string;
  readonly hub: StreamHub;
  readonly entries: Pick<EntriesTable, 'read' | 'write' | 'setAside'>;
  /** SECURITY: takes secrets out of what the box wrote. */
  readonly redact: (text: string) => string;
  readonly onProblem: (found: Problem) => void;
}

/** What was seen of the runs of one box, kept over restarts (stream `run-events`): bounded, and let go with the runs. */
export class NotedEvents {
  readonly #options: NotedEventsOptions;
  readonly #topic: Topic<EventsByRun, EventsByRun>;

  constructor(options: NotedEventsOptions) {
    this.#options = options;
    const { hub, boxId } = options;
    this.#topic = hub.addTopic('run-events', boxId, {
      kind: runEventsStream,
      initial: this.#read(),
    });
  }

  /** Its results were listed. */
  listed({ id, keeps }: Pick<LaunchedRun, 'id' | 'keeps'>, files: readonly ResultFile[]): void {
    const checkpoints = selectCheckpoints(files, keeps?.checkpoints)
      .slice(0, MAX_CHECKPOINTS_NOTED)
      .map(({ path, writtenAtMs }) => ({ path: this.#short(path), writtenAtMs }));
    const before = this.#topic.state[id]?.checkpoints ?? [];
    if (isSame(before, checkpoints)) return;
    this.#note(id, { checkpoints });
  }

  /** A line of its log told of an error just now. Only the first one counts: what comes after it mostly follows from it. */
  failed(id: string, text: string, atMs: number): void {
    if ((this.#topic.state[id]?.error ?? null) !== null) return;
    this.#note(id, { error: { atMs, text: this.#short(text) } });
  }

  /** Of a run that is not on the box any more nobody sees a mark. */
  keepOnly(ids: ReadonlySet<string>): void {
    const all = Object.entries(this.#topic.state);
    const left = all.filter(([id]) => ids.has(id));
    if (left.length < all.length) this.#keep(Object.fromEntries(left));
  }

  close(): void {
    this.#options.hub.removeTopic('run-events', this.#options.boxId);
  }

  #short(text: string): string {
    return this.#options.redact(text).slice(0, MAX_EVENT_CHARS);
  }

  #note(id: string, part: Partial<RunEvents>): void {
    const { [id]: before = NO_EVENTS, ...others } = this.#topic.state;
    const all = [...Object.entries(others), [id, { ...before, ...part }] as const];
    // Ids begin with the time of the launch.
    const newest = all.sort(([a], [b]) => (a < b ? 1 : -1)).slice(0, MAX_RUNS_NOTED);
    this.#keep(Object.fromEntries(newest));
  }

  #keep(events: EventsByRun): void {
    const { entries, boxId, onProblem } = this.#options;
    const written = entries.write(boxId, KEPT_AS, events, Date.now());
    if (!written.ok) onProblem(written.error);
    this.#topic.publish(events);
  }

  #read(): EventsByRun {
    const { entries, boxId, onProblem } = this.#options;
    const read = entries.read(boxId, KEPT_AS, kept);
    if (read.ok) return read.value ?? {};
    onProblem(read.error);
    entries.setAside(boxId, KEPT_AS, Date.now());
    return {};
  }
}

const isSame = (one: RunEvents['checkpoints'], other: RunEvents['checkpoints']): boolean =>
  one.length === other.length &&
  one.every(({ path, writtenAtMs }, at) => {
    const same = other[at];
    // A box tells its times by a clock that is compared anew at each look.
    return same?.path === path && Math.abs(same.writtenAtMs - writtenAtMs) < CLOCK_MS;
  });
const CLOCK_MS = 3000;
