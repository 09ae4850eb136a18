import {
  NO_QUEUE,
  type QueueDelta,
  type QueueView,
} from '../../../shared/runs/queue/queue-view.ts';
import { queueStream } from '../../../shared/streams/queue-stream.ts';
import type { Connections } from '../../boxes/box-roster.ts';
import type { OnboxScripts } from '../../onbox/onbox-scripts.ts';
import type { StreamHub, Topic } from '../../streams/stream-hub.ts';
import { QueueTrail } from './queue-trail.ts';

/** A look brings only what is new, so that it may be asked for often; one that failed is asked again after longer. */
const LOOK_EVERY_MS = 2000;
const RETRY_MS = 10_000;

export interface FollowedQueueOptions {
  readonly boxId: string;
  /** The run whose page shows it, and the one whose folder holds the queue. */
  readonly runId: string;
  readonly queueId: string;
  readonly hub: StreamHub;
  readonly roster: Connections;
  readonly scripts: OnboxScripts;
  /** SECURITY: takes secrets out of what stands on the box. */
  readonly redact: (text: string) => string;
  readonly everyMs?: number;
}

/** The cells of one queue and how each stands, looked at while somebody does and the link is up. */
export class FollowedQueue {
  readonly #options: FollowedQueueOptions;
  readonly #topic: Topic<QueueView, QueueDelta>;
  readonly #trail: QueueTrail;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;
  #stopper: AbortController | null = null;
  #isClosed = false;
  #isOver = false;

  constructor(options: FollowedQueueOptions) {
    this.#options = options;
    const { scripts, queueId, redact } = options;
    this.#trail = new QueueTrail(scripts, queueId, redact);
    this.#topic = options.hub.addTopic('run-queue', this.#key, {
      kind: queueStream,
      initial: NO_QUEUE,
      onOpened: () => void this.look(),
    });
  }

  /** A run that is over writes nothing any more: one look after its end is the last that is worth a question, until somebody adds cells. */
  isOver(isOver: boolean): void {
    if (this.#isOver === isOver) return;
    this.#isOver = isOver;
    void this.look();
  }

  /** At once, after what is under way: that may have asked before whatever this is about. */
  async look(): Promise<void> {
    await this.#looking;
    clearTimeout(this.#timer);
    const { roster, boxId } = this.#options;
    const connection = roster.connectionOf(boxId);
    if (this.#isClosed || !this.#topic.isWatched || connection === null) return;
    this.#looking ??= this.#lookOnce(connection).finally(() => {
      this.#looking = null;
    });
    await this.#looking;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#stopper?.abort();
    this.#options.hub.removeTopic('run-queue', this.#key);
    await this.#looking;
  }

  get #key(): string {
    return `${this.#options.boxId} ${this.#options.runId}`;
  }

  async #lookOnce(connection: NonNullable<ReturnType<Connections['connectionOf']>>): Promise<void> {
    const { runId, everyMs = LOOK_EVERY_MS } = this.#options;
    const { signal } = (this.#stopper = new AbortController());
    const isOver = this.#isOver;
    const looked = await this.#trail.look(connection, runId, this.#topic.state, signal);
    this.#stopper = null;
    if (this.#isClosed) return;
    this.#topic.publish(looked.ok ? looked.value.delta : { problem: looked.error });
    const isLast = isOver && this.#isOver && looked.ok && looked.value.isSettled;
    if (!isLast) {
      this.#timer = setTimeout(() => void this.look(), looked.ok ? everyMs : RETRY_MS);
    }
  }
}
