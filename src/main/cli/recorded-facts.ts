import type { CardReport, ListedProcess } from '../../shared/probes/card-report.ts';
import { parseGpuFacts, toGpuDetails } from '../../shared/probes/gpu-facts.ts';
import { textOf, type QueryRow } from '../../shared/probes/query.ts';
import type { KernelLogOutput } from '../../shared/probes/xid.ts';
import {
  gpuKeyOf,
  type BoxGpuFacts,
  type GpuProcess,
  type ProcessesLook,
} from '../../shared/telemetry/gpu-facts.ts';

export type RecordedFacts = Omit<BoxGpuFacts, 'atMs'>;

const MARK = 'recorded';

/** Through the reader of the slow probe, which these answers are sections of. */
export function factsOfAnswers(
  gpus: string | null,
  apps: string | null,
  kernelLog: string | null,
): RecordedFacts {
  const section = (name: string, text: string | null): string =>
    text === null ? '' : `\n${MARK} begin ${name}\n${text}\n${MARK} end ${name} 0\n`;
  const text = section('gpus', gpus) + section('apps', apps) + section('dmesg', kernelLog);
  const { facts } = parseGpuFacts(text, MARK, { askedAtMs: 0, answeredAtMs: 0 });
  return { ...facts, cpu: null };
}

/** What a kernel log alone says of a box. */
export function factsOfKernelLog({ outcome, rows }: KernelLogOutput): RecordedFacts {
  return {
    ...factsOfAnswers(null, null, null),
    kernelLog: { outcome, events: rows, source: 'dmesg' },
  };
}

/** Adds what `-q`, its XML, the table or the list show. A card that CSV has told already is told by CSV. */
export function withReports(facts: RecordedFacts, reports: readonly CardReport[]): RecordedFacts {
  const gpus = new Map(facts.gpus.map((gpu) => [gpu.uuid, gpu]));
  for (const row of reports.flatMap(identifiedRows)) {
    const details = toGpuDetails(row);
    if (details !== null && !gpus.has(details.uuid)) gpus.set(details.uuid, details);
  }
  return { ...facts, gpus: [...gpus.values()], processes: processesOf(facts, reports) };
}

/**
 * These forms may leave out the index, the UUID or the name. The place in the text stands for the index then, and the
 * address for the UUID: what is told has to be told of some card.
 */
export function identifiedRows({ rows }: CardReport): readonly QueryRow[] {
  return rows.map((row, place) => ({
    ...row,
    index: named(textOf(row, 'index') ?? String(place)),
    uuid: named(textOf(row, 'uuid') ?? textOf(row, 'pci.bus_id') ?? `#${place}`),
    name: named(textOf(row, 'name') ?? 'not told'),
  }));
}

function named(text: string): {
  readonly kind: 'value';
  readonly text: string;
  readonly unit: null;
} {
  return { kind: 'value', text, unit: null };
}

function processesOf(facts: RecordedFacts, reports: readonly CardReport[]): ProcessesLook {
  const listing = reports.filter(({ listsProcesses }) => listsProcesses);
  if (facts.processes.kind === 'known' || listing.length === 0) return facts.processes;
  const processes = listing.flatMap((report) => {
    const cards = identifiedRows(report);
    return report.processes.map((process) => toGpuProcess(process, cards[process.card] ?? {}));
  });
  return { kind: 'known', processes };
}

function toGpuProcess({ pid, name, memoryMiB }: ListedProcess, card: QueryRow): GpuProcess {
  return {
    gpu: gpuKeyOf(Number(textOf(card, 'index')), textOf(card, 'uuid')),
    pid: pid ?? 0,
    name: name ?? 'not told',
    memoryMiB,
    user: null,
    command: null,
    ageS: null,
  };
}
