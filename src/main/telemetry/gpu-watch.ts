import { backoffMs } from '../../shared/boxes/backoff.ts';
import { isNoCommands } from '../../shared/boxes/flavour/no-commands.ts';
import { DMON_COMMAND, DmonReader, type DmonBatch } from '../../shared/probes/dmon.ts';
import { DmonCycles, type DmonCycle } from '../../shared/probes/dmon-cycles.ts';
import {
  classifyGpuToolFailure,
  gpuToolFailureMeaning,
  type GpuToolFailure,
} from '../../shared/probes/gpu-tool-failure.ts';
import { nonBlankLines } from '../../shared/probes/probe-output.ts';
import { parseQuery, QUERY_COMMAND, toGpuFacts } from '../../shared/probes/query.ts';
import { problem, type Problem, type ProblemCode } from '../../shared/problem.ts';
import type { GpuFacts } from '../../shared/telemetry/gpu-facts.ts';
import type { TelemetryState } from '../../shared/telemetry/telemetry-state.ts';
import type { ReadingsCycle } from '../../shared/streams/readings-stream.ts';
import type { Log } from '../log/log.ts';
import { describeEnd, type ExitStatus } from '../ssh/exit-status.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';

/** A big box can take seconds to answer one query, and a sick driver hangs for 45 s and more (facts/nvidia.md §1.4). */
const FACTS_TIMEOUT_MS = 60_000;

/** A stream that lived this long was healthy: its restart begins with the shortest wait again. */
const HEALTHY_AFTER_MS = 60_000;

export interface GpuWatchListener {
  readonly log: Log;
  readonly onFacts: (gpus: readonly GpuFacts[]) => void;
  readonly onState: (state: TelemetryState) => void;
  readonly onReadings: (cycle: ReadingsCycle) => void;
}

/** Reads the box's GPUs for as long as the connection lives, restarting the stream when it ends; returns how to stop. */
export function watchGpus(connection: SshConnection, listener: GpuWatchListener): () => void {
  const stopper = new AbortController();
  const { signal } = stopper;
  void connection.closed.then(() => stopper.abort());
  void keepWatching(connection, listener, signal);
  return () => stopper.abort();
}

async function keepWatching(
  connection: SshConnection,
  listener: GpuWatchListener,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    const startedAtMs = Date.now();
    listener.onState({ kind: 'starting', sinceMs: startedAtMs });
    await readFacts(connection, listener, signal);
    const reason = await readStream(connection, listener, signal);
    if (signal.aborted) return;
    listener.log.warn('GPU stream ended', { code: reason.code, detail: reason.detail ?? '' });
    const nowMs = Date.now();
    const isHopeless = isNoCommands(reason);
    if (nowMs - startedAtMs > HEALTHY_AFTER_MS) attempt = 1;
    const waitMs = backoffMs(attempt, Math.random());
    listener.onState({
      kind: 'failed',
      problem: reason,
      sinceMs: nowMs,
      retryAtMs: isHopeless ? null : nowMs + waitMs,
    });
    if (isHopeless) return;
    await pause(waitMs, signal);
  }
}

async function readFacts(
  connection: SshConnection,
  { log, onFacts }: GpuWatchListener,
  signal: AbortSignal,
): Promise<void> {
  const outcome = await connection.run(QUERY_COMMAND, { timeoutMs: FACTS_TIMEOUT_MS, signal });
  if (signal.aborted) return;
  if (!outcome.ok) {
    log.warn('GPU facts unknown', { code: outcome.error.code });
    return;
  }
  const { rows, unreadable, failures } = parseQuery(outcome.value.stdout);
  if (unreadable.length > 0) log.warn('GPU facts unreadable in part', { unreadable });
  for (const failure of failures) log.warn('GPU facts refused', { line: failure.line });
  const facts = rows.map(toGpuFacts).filter((each): each is GpuFacts => each !== null);
  if (facts.length > 0) onFacts(facts);
}

/** Follows one stream to its end and says why it ended. */
async function readStream(
  connection: SshConnection,
  listener: GpuWatchListener,
  signal: AbortSignal,
): Promise<Problem> {
  const started = await connection.start(DMON_COMMAND, signal);
  if (!started.ok) return started.error;
  const remote = started.value;
  const reader = new DmonReader();
  const cycles = new DmonCycles();
  let unreadableLines = 0;
  let liveSinceMs: number | null = null;
  let failure: GpuToolFailure | null = null;

  const take = (batch: DmonBatch, whole: readonly DmonCycle[]): void => {
    unreadableLines += batch.unreadableCount;
    failure = batch.failures.at(-1) ?? failure;
    if (batch.unreadableCount > 0) {
      listener.log.warn('unreadable dmon lines', { lines: batch.unreadable });
    }
    const atMs = Date.now();
    if (whole.length > 0 && (liveSinceMs === null || batch.unreadableCount > 0)) {
      liveSinceMs ??= atMs;
      listener.onState({
        kind: 'live',
        sinceMs: liveSinceMs,
        source: 'dmon',
        unreadableLines,
        refused: [],
        problem: null,
      });
    }
    for (const readings of whole) listener.onReadings({ atMs, readings });
  };

  for await (const text of remote.stdout()) {
    if (signal.aborted) break;
    const batch = reader.push(text);
    take(batch, cycles.push(batch.readings));
  }
  const rest = reader.end();
  take(rest, [...cycles.push(rest.readings), ...cycles.end()]);
  return judgeEnd(failure, remote.stderr, await remote.exited);
}

const CODES: Readonly<Partial<Record<GpuToolFailure['kind'], ProblemCode>>> = {
  'no-devices': 'no-gpu',
  'tool-missing': 'no-gpu-tool',
  'driver-not-loaded': 'driver-broken',
  'library-mismatch': 'driver-broken',
};

/** The tool's own words decide; its exit code only where it said nothing (facts/nvidia.md §1.5). */
function judgeEnd(said: GpuToolFailure | null, stderr: string, end: ExitStatus): Problem {
  const failure = said ?? firstFailure(stderr);
  if (failure !== null) {
    const problemCode = CODES[failure.kind] ?? 'gpu-tool-failed';
    return problem(problemCode, gpuToolFailureMeaning[failure.kind], { detail: failure.line });
  }
  if (end.kind === 'exited' && end.code === 127) {
    return problem('no-gpu-tool', gpuToolFailureMeaning['tool-missing']);
  }
  return problem('gpu-tool-failed', 'The GPU stream ended without saying why.', {
    detail: `${describeEnd(end)} ${stderr.slice(0, 300)}`.trim(),
  });
}

function firstFailure(stderr: string): GpuToolFailure | null {
  for (const line of nonBlankLines(stderr)) {
    const failure = classifyGpuToolFailure(line);
    if (failure !== null) return failure;
  }
  return null;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}
