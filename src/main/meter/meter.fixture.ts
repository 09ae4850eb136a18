import type { Box } from '../../shared/boxes/box.ts';
import { USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import type { Finding } from '../../shared/detectors/finding.ts';
import {
  EMPTY_FINDINGS,
  findingsStream,
  type FindingsDelta,
  type FindingsState,
} from '../../shared/streams/findings-stream.ts';
import { facts } from '../../shared/detectors/box.fixture.ts';
import {
  EMPTY_FLEET,
  fleetStream,
  type FleetDelta,
  type FleetState,
} from '../../shared/streams/fleet-stream.ts';
import type { KnownRun } from '../../shared/meter/run-costs.ts';
import { NO_PATROL, type PatrolState, type SeenLog } from '../../shared/patrol/patrol-state.ts';
import { gpuFactsStream } from '../../shared/streams/gpu-facts-stream.ts';
import { patrolStream } from '../../shared/streams/patrol-stream.ts';
import { NO_GPU_FACTS, type GpuFactsState } from '../../shared/telemetry/gpu-facts.ts';
import { untouchedEntry } from '../boxes/fleet-topic.ts';
import { StreamHub, type Topic } from '../streams/stream-hub.ts';

export const BOX: Box = {
  id: 'b7b7f0de-1111-4222-8333-444455556666',
  name: 'train-a',
  platform: 'autodl',
  address: { host: '192.0.2.7', port: 22, user: 'root' },
  ...USUAL_WAY,
  tags: [],
  addedAtMs: 0,
};

/** One box as the other services of main tell of it. */
export class ToldBox {
  readonly hub = new StreamHub();
  readonly #fleet: Topic<FleetState, FleetDelta>;
  readonly #facts: Topic<GpuFactsState, GpuFactsState>;
  readonly #patrol: Topic<PatrolState, Partial<PatrolState>>;

  constructor(box: Box = BOX) {
    this.#box = box;
    this.#fleet = this.hub.addTopic('fleet', '', { kind: fleetStream, initial: EMPTY_FLEET });
    this.#findings = this.hub.addTopic('findings', '', {
      kind: findingsStream,
      initial: EMPTY_FINDINGS,
    });
    this.#facts = this.hub.addTopic('gpu-facts', box.id, {
      kind: gpuFactsStream,
      initial: NO_GPU_FACTS,
    });
    this.#patrol = this.hub.addTopic('patrol', box.id, { kind: patrolStream, initial: NO_PATROL });
  }

  readonly #box: Box;
  readonly #findings: Topic<FindingsState, FindingsDelta>;

  appears(): void {
    this.#fleet.publish({ kind: 'put', entry: untouchedEntry(this.#box) });
  }

  /** The link stands, and the slow probe answers from a box that has been up for so long. */
  answers(upForMs: number, life = 'boot-1', clockOffsetMs = 0): void {
    const link = { kind: 'up', sinceMs: Date.now(), latencyMs: 20 } as const;
    this.#fleet.publish({ kind: 'change', boxId: this.#box.id, part: { link } });
    const machine = {
      ...facts().machine,
      bootId: life,
      uptimeS: upForMs / 1000,
      initStartTicks: 0,
      clockOffsetMs,
    };
    this.#facts.publish({ facts: facts({ atMs: Date.now(), machine }), problem: null });
  }

  /** What a patrol sees there now, with the last line that a run has just written. */
  runs(runs: readonly (Omit<KnownRun, 'log'> & { readonly lastLine?: string })[]): void {
    const rest = {
      folder: null,
      user: null,
      survivesHangup: null,
      tmuxSession: null,
      isUnbuffered: null,
      checkpoint: null,
    };
    const seen = {
      atMs: Date.now(),
      took: null,
      uptimeS: null,
      memoryShare: null,
      isWhole: true,
      unread: [],
    };
    this.#patrol.publish({
      seen: { ...seen, runs: runs.map((run) => ({ ...run, ...rest, log: logOf(run) })) },
    });
  }

  /** What the detectors say of it; null: they cannot tell. */
  finds(idle: { readonly isIdle: boolean; readonly sinceMs: number } | null): void {
    const finding: Finding = {
      detector: 'idle',
      title: 'The box does nothing and is paid for',
      severity: 'warn',
      headline: 'The GPU does nothing.',
      means: '',
      fix: [],
      wastedShare: 1,
      evidence: [],
      caveat: null,
      subject: { kind: 'box' },
      sinceMs: idle?.sinceMs ?? 0,
      lastSeenMs: Date.now(),
      costPerHour: null,
      notSeenBecause: null,
    };
    this.#findings.publish({
      boxId: this.#box.id,
      findings: {
        atMs: Date.now(),
        findings: idle?.isIdle === true ? [finding] : [],
        unknown:
          idle === null
            ? [{ detector: 'idle', title: 'idle', because: 'the link is down', gpus: [] }]
            : [],
        clear: idle?.isIdle === false ? [{ subject: { kind: 'box' }, detectors: ['idle'] }] : [],
      },
    });
  }

  isLost(): void {
    this.#fleet.publish({ kind: 'change', boxId: this.#box.id, part: { link: { kind: 'idle' } } });
  }

  isForgotten(): void {
    this.#fleet.publish({ kind: 'remove', boxId: this.#box.id });
  }
}

function logOf({ lastLine }: { readonly lastLine?: string }): SeenLog | null {
  if (lastLine === undefined) return null;
  const writtenAtMs = Date.now();
  return { path: '/data/train.log', isDeleted: false, writtenAtMs, bytes: 1, lastLine };
}
