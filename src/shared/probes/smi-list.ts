import { MAX_CARDS, MAX_PER_CARD, type CardReport, type MigInstance } from './card-report.ts';
import {
  classifyGpuToolFailure,
  isGpuToolFailureDetail,
  type GpuToolFailure,
} from './gpu-tool-failure.ts';
import { MAX_LINE_CHARS } from './line-splitter.ts';
import { nonBlankLines, UnreadableLines } from './probe-output.ts';
import type { QueryRow } from './query.ts';

const CARD = /^GPU (\d{1,3}): (\S.{0,80}?) \(UUID: (GPU-[\w-]{1,60})\)$/;
// Until R470 a MIG device had the name of its card, its instance and its compute instance: MIG-GPU-<uuid>/7/0.
const INSTANCE = /^ {2}MIG ([\w.+]{1,30}) +Device +(\d{1,3}): \(UUID: (MIG-[\w/-]{1,80})\)$/;

/** Reads `nvidia-smi -L`. */
export function parseSmiList(text: string): CardReport {
  const rows: QueryRow[] = [];
  const instances: MigInstance[] = [];
  const failures: GpuToolFailure[] = [];
  const unreadable = new UnreadableLines();
  for (const raw of nonBlankLines(text)) {
    const line = raw.length > MAX_LINE_CHARS ? raw : raw.trimEnd();
    const failure = line.length > MAX_LINE_CHARS ? null : classifyGpuToolFailure(line);
    const [, index, name, uuid] = CARD.exec(line) ?? [];
    const [, profile, device, part] = INSTANCE.exec(line) ?? [];
    if (failure !== null) failures.push(failure);
    else if (index !== undefined && rows.length < MAX_CARDS) {
      rows.push({ index: told(index), name: told(name ?? ''), uuid: told(uuid ?? '') });
    } else if (device !== undefined && rows.length > 0 && instances.length < MAX_PER_CARD) {
      instances.push(instanceOf(rows.length - 1, Number(device), profile ?? null, part ?? ''));
    } else if (!isGpuToolFailureDetail(line)) unreadable.add(line);
  }
  return {
    rows,
    instances,
    processes: [],
    listsProcesses: false,
    driverVersion: null,
    cudaVersion: null,
    attachedGpus: null,
    failures,
    unreadable: unreadable.lines,
    unreadableCount: unreadable.count,
  };
}

function told(text: string): {
  readonly kind: 'value';
  readonly text: string;
  readonly unit: null;
} {
  return { kind: 'value', text, unit: null };
}

function instanceOf(
  card: number,
  device: number,
  profile: string | null,
  uuid: string,
): MigInstance {
  const [, gpuInstance, computeInstance] = /\/(\d{1,3})\/(\d{1,3})$/.exec(uuid) ?? [];
  return {
    card,
    device,
    gpuInstance: gpuInstance === undefined ? null : Number(gpuInstance),
    computeInstance: computeInstance === undefined ? null : Number(computeInstance),
    profile,
    uuid,
    memoryUsedMiB: null,
    memoryTotalMiB: null,
    multiprocessors: null,
  };
}
