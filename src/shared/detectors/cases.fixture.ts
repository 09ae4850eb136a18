import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Money } from '../money.ts';
import { parseDmon } from '../probes/dmon.ts';
import { DmonCycles, type DmonCycle } from '../probes/dmon-cycles.ts';
import { sample } from '../probes/sample.fixture.ts';
import { parseKernelLog } from '../probes/xid.ts';
import type { PatrolState } from '../patrol/patrol-state.ts';
import { problem, type ProblemCode } from '../problem.ts';
import type { BoxGpuFacts, GpuDetails, GpuProcess, KernelLogLook } from '../telemetry/gpu-facts.ts';
import type { GpuReading } from '../telemetry/gpu-reading.ts';
import type { TelemetryState } from '../telemetry/telemetry-state.ts';
import { BoxDetectors } from './box-detectors.ts';
import { details, facts, reading } from './box.fixture.ts';
import type { JudgedBox } from './box-findings.ts';
import type { DetectorId, Severity } from './finding.ts';
import type { CpuLook } from '../telemetry/cpu-look.ts';

const FOLDER = fileURLToPath(new URL('./samples/', import.meta.url));

/** What a box printed, or would print: `about` says from which recording and what was changed. */
export interface Case {
  readonly about: string;
  readonly seconds: number;
  /** A recorded dmon stream: its cycles again and again, one a second. */
  readonly dmon?: string;
  /** Derived rows: the same every second. */
  readonly readings?: readonly Partial<GpuReading>[];
  readonly failed?: {
    readonly code: ProblemCode;
    readonly message: string;
    readonly detail: string;
  };
  readonly gpus?: readonly Partial<GpuDetails>[];
  readonly processes?: readonly Partial<GpuProcess>[];
  /** A recorded kernel log. */
  readonly kernelLog?: string;
  readonly machine?: Partial<BoxGpuFacts['machine']>;
  readonly cpu?: Omit<CpuLook, 'atMs' | 'load1'>;
  readonly patrol?: Partial<PatrolState>;
  readonly pricePerHour?: Money;
  readonly expected: {
    readonly detector: DetectorId;
    readonly answer: 'clear' | 'unknown' | 'found';
    readonly because?: string;
    readonly headline?: string;
    readonly severity?: Severity;
    readonly costPerHour?: Money | null;
    /** All that is found, nothing else. */
    readonly allFound: readonly DetectorId[];
  };
}

export const caseNames: readonly string[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json') && file.includes('--'))
  .map((file) => file.slice(0, -'.json'.length));

export function readCase(name: string): Case {
  return JSON.parse(readFileSync(`${FOLDER}${name}.json`, 'utf8')) as Case;
}

/** One second of a case. */
export interface Moment {
  readonly atMs: number;
  readonly readings: DmonCycle;
}

const FACTS_EVERY_S = 30;
export const LIVE: TelemetryState = {
  kind: 'live',
  sinceMs: 0,
  source: 'dmon',
  unreadableLines: 0,
  unreadableSamples: [],
  refused: [],
  problem: null,
};

export function momentsOf({ seconds, dmon, readings }: Case): readonly Moment[] {
  const cycles =
    dmon === undefined
      ? [(readings ?? []).map((told, index) => reading({ index, ...told }))]
      : recordedCycles(dmon);
  return Array.from({ length: seconds + 1 }, (_, atS) => ({
    atMs: atS * 1000,
    readings: cycles[atS % cycles.length] ?? [],
  }));
}

export function recordedCycles(name: string): readonly DmonCycle[] {
  const grouping = new DmonCycles();
  const { readings } = parseDmon(sample(name).text);
  return [...grouping.push(readings), ...grouping.end()];
}

export function factsOf(given: Case, atMs: number): BoxGpuFacts | null {
  const { gpus, processes, kernelLog, machine } = given;
  if (gpus === undefined && processes === undefined && kernelLog === undefined) return null;
  const base = facts();
  return {
    ...base,
    atMs,
    gpus: (gpus ?? []).map((told, index) => details({ index, ...told })),
    processes:
      processes === undefined
        ? base.processes
        : { kind: 'known', processes: processes.map((told, i) => processRow(told, i)) },
    kernelLog: kernelLog === undefined ? base.kernelLog : kernelLook(kernelLog),
    machine: { ...base.machine, ...machine },
  };
}

export function kernelLook(name: string): KernelLogLook {
  const { rows, outcome } = parseKernelLog(sample(name).text);
  return { outcome, events: rows, source: 'dmesg' };
}

function processRow(told: Partial<GpuProcess>, place: number): GpuProcess {
  return {
    gpu: 'GPU-0',
    pid: 1000 + place,
    name: 'python',
    memoryMiB: null,
    user: null,
    command: null,
    ageS: null,
    ...told,
  };
}

/** Feeds what the case says, in the order of these moments, and answers what is believed at the end. */
export function replay(given: Case, moments = momentsOf(given)): JudgedBox {
  const box = new BoxDetectors();
  box.usePrice(given.pricePerHour ?? null);
  if (given.patrol !== undefined) box.usePatrol(given.patrol);
  for (const moment of moments) feed(box, given, moment);
  return box.findings;
}

export function feed(box: BoxDetectors, given: Case, { atMs, readings }: Moment): boolean {
  const { failed, cpu } = given;
  box.useTelemetry(
    failed === undefined
      ? LIVE
      : {
          kind: 'failed',
          problem: problem(failed.code, failed.message, { detail: failed.detail }),
          sinceMs: 0,
          retryAtMs: 0,
        },
  );
  if (atMs % (FACTS_EVERY_S * 1000) === 0) {
    const look = factsOf(given, atMs);
    if (look !== null) box.useFacts({ facts: look, problem: null });
    if (cpu !== undefined) box.useCpu({ ...cpu, load1: null, atMs });
  }
  box.useReadings(atMs, readings);
  return box.judge(atMs);
}

export function answerOf(
  { findings, unknown }: Pick<JudgedBox, 'findings' | 'unknown'>,
  detector: DetectorId,
): Case['expected']['answer'] {
  if (findings.some((each) => each.detector === detector && each.notSeenBecause === null))
    return 'found';
  return unknown.some((each) => each.detector === detector) ? 'unknown' : 'clear';
}
