import type { Box } from '../../shared/boxes/box.ts';
import { USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import type { Finding } from '../../shared/detectors/finding.ts';
import type { FindingsDelta } from '../../shared/streams/findings-stream.ts';
import { facts } from '../../shared/detectors/box.fixture.ts';
import { untouchedEntry } from '../../shared/streams/fleet-stream.ts';
import type { KnownRun } from '../../shared/meter/run-costs.ts';
import type { PatrolState, SeenLog } from '../../shared/patrol/patrol-state.ts';
import type { GpuFactsState } from '../../shared/telemetry/gpu-facts.ts';
import { BoxRoster } from '../boxes/box-roster.ts';
import { Source, type OfBox } from '../streams/source.ts';
import { HeardHub } from '../streams/stream-hub.fixture.ts';

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
  readonly hub = new HeardHub();
  readonly roster = new BoxRoster(this.hub);
  readonly #facts = new Source<OfBox<GpuFactsState>>();
  readonly #findings = new Source<FindingsDelta>();
  readonly #patrols = new Source<OfBox<Partial<PatrolState>>>();
  /** As the services are given them. */
  readonly sources = {
    roster: this.roster,
    facts: this.#facts,
    findings: this.#findings,
    patrols: this.#patrols,
  };
  readonly #box: Box;

  constructor(box: Box = BOX) {
    this.#box = box;
  }

  appears(): void {
    this.roster.put(untouchedEntry(this.#box));
  }

  /** The link stands, and the slow probe answers from a box that has been up for so long. */
  answers(upForMs: number, life = 'boot-1', clockOffsetMs = 0): void {
    const link = { kind: 'up', sinceMs: Date.now(), latencyMs: 20 } as const;
    this.roster.change(this.#box.id, { link });
    const machine = {
      ...facts().machine,
      bootId: life,
      uptimeS: upForMs / 1000,
      initStartTicks: 0,
      clockOffsetMs,
    };
    const value = { facts: facts({ atMs: Date.now(), machine }), problem: null };
    this.#facts.tell({ boxId: this.#box.id, value });
  }

  /** What a patrol sees there now, with the last line that a run has just written. */
  runs(
    runs: readonly (Omit<KnownRun, 'log'> & {
      readonly lastLine?: string;
      readonly logPath?: string;
    })[],
  ): void {
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
    const value = {
      seen: { ...seen, runs: runs.map((run) => ({ ...run, ...rest, log: logOf(run) })) },
    };
    this.#patrols.tell({ boxId: this.#box.id, value });
  }

  /** What the detectors say of it; null: they cannot tell. */
  finds(idle: { readonly isIdle: boolean; readonly sinceMs: number } | null): void {
    const finding: Finding = {
      detector: 'idle',
      title: 'The box does nothing and is paid for',
      short: 'idle',
      severity: 'warn',
      headline: 'The GPU does nothing.',
      means: '',
      fix: [],
      commands: [],
      wastedShare: 1,
      clues: [],
      caveat: null,
      subject: { kind: 'box' },
      sinceMs: idle?.sinceMs ?? 0,
      lastSeenMs: Date.now(),
      costPerHour: null,
      notSeenBecause: null,
    };
    this.#findings.tell({
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
    this.roster.change(this.#box.id, { link: { kind: 'idle' } });
  }

  isForgotten(): void {
    this.roster.remove(this.#box.id);
  }
}

function logOf({
  lastLine,
  logPath: path = '/data/train.log',
}: {
  readonly lastLine?: string;
  readonly logPath?: string;
}): SeenLog | null {
  if (lastLine === undefined) return null;
  const writtenAtMs = Date.now();
  return { path, isDeleted: false, writtenAtMs, bytes: 1, lastLines: [lastLine] };
}
