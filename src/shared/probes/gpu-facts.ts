import {
  gpuKeyOf,
  MAX_BOX_GPUS,
  type BoxGpuFacts,
  type GpuDetails,
  type GpuProcess,
  type KernelLogLook,
  type MachineFacts,
  type ProcessesLook,
} from '../telemetry/gpu-facts.ts';
import type { CpuCounters } from '../telemetry/cpu-look.ts';
import { readAmdFacts } from './amd.ts';
import { readCpuCounters } from './cpu-counters.ts';
import type { GpuToolFailure } from './gpu-tool-failure.ts';
import { normalPciAddress } from './pci-address.ts';
import {
  cellOf,
  numberOf,
  parseQuery,
  textOf,
  toGpuFacts,
  type QueryCell,
  type QueryRow,
} from './query.ts';
import { readMachine } from './machine-lines.ts';
import { readMigParts } from './mig-parts.ts';
import { parseReportText } from './report.ts';
import { UnreadableLines } from './probe-output.ts';
import { readMarkedSections, type MarkedSections } from './marked-sections.ts';
import { ageOf, readPairs, readTicks, whole } from './word-lines.ts';
import { parseKernelLog, type KernelGpuEvent } from './xid.ts';

export const KERNEL_LOG_UNASKED = 'the kernel log was not asked for';

/** What one look of resources/onbox/gpu-facts.sh brought. */
export interface GpuFactsLook {
  readonly facts: Omit<BoxGpuFacts, 'atMs' | 'cpu'>;
  readonly cpu: CpuCounters | null;
  /** nvidia-smi's own reasons for not answering, for one card or for all. */
  readonly failures: readonly GpuToolFailure[];
  /** Fields that this driver does not know; not to be asked for again. */
  readonly refused: readonly string[];
  readonly tools: readonly string[];
  /** Process numbers of nvidia-smi that wait for a driver which does not answer. */
  readonly hung: readonly number[];
  /** False: the output ended in the middle. */
  readonly isWhole: boolean;
  /** What belongs to no section, or to none that could be read. */
  readonly unreadable: readonly string[];
}

const MAX_PROCESSES = 2000;
/** SECURITY: all of a look is read in one turn of main. As many cards and processes as we believe in take some 3,000 lines at most. */
const MAX_LINES = 4096;
/** SECURITY: all of it is read in one turn of main. As recorded, the temperatures of a card take some 540 characters. */
const MAX_TEMPERATURE_CHARS = MAX_BOX_GPUS * 1024;

/** Reads the script's output. `clock`: this machine's time when it was asked and when it had answered. */
export function parseGpuFacts(
  stdout: string,
  mark: string,
  clock: { readonly askedAtMs: number; readonly answeredAtMs: number },
): GpuFactsLook {
  const sections = readMarkedSections(stdout, mark);
  const machineLines = readPairs(sections.text('machine', MAX_LINES) ?? '');
  const machine = readMachine(machineLines, clock);
  const query = parseQuery(sections.text('gpus', MAX_LINES) ?? '');
  const apps = parseQuery(sections.text('apps', MAX_LINES) ?? '');
  const { temperatures, cudaMaxVersion } = readReport(sections.text('temperature') ?? '');
  const amd = readAmdFacts(sections);
  const told = query.rows.slice(0, MAX_BOX_GPUS);
  const gpus = withMigParts(
    told.flatMap((row) => toGpuDetails(row, temperatures) ?? []),
    sections,
  );
  const failures = [...query.failures, ...apps.failures];
  const unknown = [
    ...query.unreadable.slice(0, UnreadableLines.KEPT).map((line) => `nvidia-smi printed: ${line}`),
    ...(told.length > gpus.length ? ['a card that does not say which one it is'] : []),
    ...(query.rows.length > told.length ? [`more than ${String(MAX_BOX_GPUS)} cards`] : []),
    ...(apps.rows.length > MAX_PROCESSES ? [`more than ${String(MAX_PROCESSES)} processes`] : []),
  ];
  const ticks = readTicks(machineLines);
  return {
    facts: {
      vendor: amd === null ? 'nvidia' : 'amd',
      gpus: amd ?? gpus,
      processes:
        amd === null
          ? readProcesses(sections, apps.rows.slice(0, MAX_PROCESSES), gpus, { machine, ticks })
          : { kind: 'unknown', because: 'not asked for on AMD cards' },
      kernelLog: readKernelLog(sections),
      machine: { ...machine, cudaMaxVersion },
      unknown,
    },
    cpu: readCpuCounters(sections.text('cpu', MAX_LINES) ?? '', machineLines),
    failures,
    refused: sections.notes('refused').filter((field) => /^[a-zA-Z0-9._]{1,100}$/.test(field)),
    tools: machineLines.get('tool') ?? [],
    hung:
      readPairs(sections.text('hung', MAX_LINES) ?? '')
        .get('hung')
        ?.flatMap((pid) => whole(pid) ?? []) ?? [],
    isWhole: sections.text('whole') !== null,
    unreadable: sections.outside,
  };
}

type MissingCell = Extract<QueryCell, { kind: 'missing' }>;

/** Words that stand in a cell of a card which is gone. */
const LOST = /^GPU (?:is lost|requires reset)$/i;
/** The tool asked for this figure and failed: of one figure it says nothing of the card. */
const FAILED = /^(?:Unknown Error|ERR!)$/i;
const NO_FIGURE =
  /^(?:index|uuid|name|serial|timestamp|count|pci\..*|driver_version|kmd_version|vbios_version)$/;

/** Cells that nvidia-smi could not read, whatever that means of the card. */
export function failedCells(row: QueryRow): readonly QueryCell[] {
  return missingBecause(FAILED, Object.values(row));
}

const missingBecause = (reason: RegExp, cells: readonly QueryCell[]): readonly MissingCell[] =>
  cells.filter((cell): cell is MissingCell => cell.kind === 'missing' && reason.test(cell.because));

/** What nvidia-smi says of a card in trouble; null: nothing. One figure that failed beside others that did not is no trouble. */
export function troubleOf(row: QueryRow): string | null {
  const cells = Object.values(row);
  const [lost] = missingBecause(LOST, cells);
  if (lost !== undefined) return lost.because;
  const [first, second] = missingBecause(FAILED, cells);
  if (first === undefined) return null;
  const isAnswering = Object.entries(row).some(
    ([field, cell]) => cell.kind === 'value' && !NO_FIGURE.test(field),
  );
  return second === undefined && isAnswering ? null : first.because;
}

/**
 * Null: the row does not say which card it is. `reports`: what `-q` told of each card, by its address; without it the row
 * itself may hold it.
 */
export function toGpuDetails(
  row: QueryRow,
  reports: ReadonlyMap<string, QueryRow> = new Map(),
): GpuDetails | null {
  const basics = toGpuFacts(row);
  if (basics === null) return null;
  const address = normalPciAddress(textOf(row, 'pci.bus_id') ?? '');
  const counter = (field: string): number | null =>
    numberOf(row, `clocks_event_reasons_counters.${field}`, 'us');
  const watts = (field: string): number | null => numberOf(row, field, 'W');
  const clock = (field: string): number | null => numberOf(row, field, 'MHz');
  const memory = (field: string): number | null => numberOf(row, field, 'MiB');
  const count = (field: string): number | null => numberOf(row, field, null);
  const report = (address === null ? undefined : reports.get(address)) ?? row;
  const { index, uuid, name, memoryTotalMiB, powerLimitW, maxSmClockMHz } = basics;
  return {
    // Spelled out: after a spread the engine grows the object field by field, for each card of each look.
    index,
    uuid,
    name,
    memoryTotalMiB,
    powerLimitW,
    maxSmClockMHz,
    // From 610 on this may be a sentence that begins with the number.
    driverVersion: versionOf(row, 'driver_version') ?? versionOf(row, 'kmd_version'),
    pciAddress: address,
    vbiosVersion: textOf(row, 'vbios_version'),
    pstate: textOf(row, 'pstate'),
    memoryUsedMiB: memory('memory.used'),
    memoryReservedMiB: memory('memory.reserved'),
    powerDrawW: watts('power.draw'),
    defaultPowerLimitW: watts('power.default_limit'),
    enforcedPowerLimitW: watts('enforced.power.limit'),
    minPowerLimitW: watts('power.min_limit'),
    maxPowerLimitW: watts('power.max_limit'),
    smClockMHz: clock('clocks.current.sm'),
    maxMemoryClockMHz: clock('clocks.max.memory'),
    defaultSmClockMHz: clock('clocks.default_applications.graphics'),
    slowdownTemperatureC: numberOf(report, 'temperature.gpu.slowdown', null),
    maxOperatingTemperatureC: numberOf(report, 'temperature.gpu.max_operating', null),
    temperatureC: count('temperature.gpu'),
    temperatureMarginC: marginOf(row),
    throttleBits: throttleBitsOf(row),
    throttleCounters: {
      powerCapUs: counter('sw_power_cap'),
      thermalUs: counter('sw_thermal_slowdown'),
      hardwareThermalUs: counter('hw_thermal_slowdown'),
      powerBrakeUs: counter('hw_power_brake_slowdown'),
      syncBoostUs: counter('sync_boost'),
    },
    eccMode: textOf(row, 'ecc.mode.current'),
    eccCorrectedVolatile: count('ecc.errors.corrected.volatile.total'),
    eccUncorrectedVolatile: uncorrectedOf(row),
    eccUncorrectedAggregate: count('ecc.errors.uncorrected.aggregate.total'),
    isSramThresholdExceeded: told(row, 'ecc.errors.uncorrected.aggregate.sram.thresholdExceeded'),
    remappedCorrectable: count('remapped_rows.correctable'),
    remappedUncorrectable: count('remapped_rows.uncorrectable'),
    isRemapPending: told(row, 'remapped_rows.pending'),
    hasRemapFailed: told(row, 'remapped_rows.failure'),
    retiredPagesPending: told(row, 'retired_pages.pending'),
    recoveryAction: recoveryOf(row),
    fabricState: textOf(row, 'fabric.state'),
    fabricStatus: textOf(row, 'fabric.status'),
    pcieGenCurrent: count('pcie.link.gen.current'),
    pcieGenMax: count('pcie.link.gen.max'),
    pcieWidthCurrent: count('pcie.link.width.current'),
    pcieWidthMax: count('pcie.link.width.max'),
    migMode: textOf(row, 'mig.mode.current'),
    migParts: null,
    persistenceMode: textOf(row, 'persistence_mode'),
    trouble: troubleOf(row),
  };
}

function withMigParts(
  gpus: readonly GpuDetails[],
  sections: MarkedSections,
): readonly GpuDetails[] {
  const parts = readMigParts(
    gpus,
    sections.text('list', MAX_LINES),
    sections.text('table', MAX_LINES),
  );
  return gpus.map((gpu) => ({ ...gpu, migParts: parts.get(gpu.uuid) ?? null }));
}

/** Errors in a part of the memory are errors of the card; that a part has none says nothing of the others. */
function uncorrectedOf(row: QueryRow): number | null {
  const total = numberOf(row, 'ecc.errors.uncorrected.volatile.total', null);
  if (total !== null) return total;
  const parts = ECC_PARTS.map((part) =>
    numberOf(row, `ecc.errors.uncorrected.volatile.${part}`, null),
  );
  const sum = parts.reduce<number>((all, part) => all + (part ?? 0), 0);
  return sum > 0 ? sum : null;
}
const ECC_PARTS = ['dram', 'sram', 'device_memory'];

/** A driver that has no `gpu_recovery_action` tells it in two fields. */
function recoveryOf(row: QueryRow): string | null {
  const action = textOf(row, 'gpu_recovery_action');
  if (action !== null) return action;
  if (told(row, 'gpu_reset_status.reset_required') === true) return 'GPU Reset';
  const isDrain = told(row, 'gpu_reset_status.drain_and_reset_recommended');
  return isDrain === true ? 'Drain and Reset' : null;
}

/** Under either name of the field; null: told under neither. */
export function throttleBitsOf(row: QueryRow): number | null {
  const text =
    textOf(row, 'clocks_event_reasons.active') ?? textOf(row, 'clocks_throttle_reasons.active');
  const [, digits] = /^0x([0-9a-f]{1,16})$/i.exec(text ?? '') ?? [];
  if (digits === undefined) return null;
  const bits = parseInt(digits, 16);
  return Number.isSafeInteger(bits) && bits < 2 ** 31 ? bits : null;
}

function versionOf(row: QueryRow, field: string): string | null {
  return /^\d[\d.]{0,30}/.exec(textOf(row, field) ?? '')?.[0] ?? null;
}

/** Degrees left, which are below 0 on a card that is too hot. */
function marginOf(row: QueryRow): number | null {
  const text = textOf(row, 'temperature.gpu.tlimit');
  return text !== null && /^-?\d{1,3}$/.test(text) ? Number(text) : null;
}

function told(row: QueryRow, field: string): boolean | null {
  const cell = cellOf(row, field);
  if (cell.kind !== 'value') return null;
  if (/^yes$/i.test(cell.text)) return true;
  return /^no$/i.test(cell.text) ? false : null;
}

/** `nvidia-smi -q -d TEMPERATURE`, by card. Cards that give margins ("T.Limit") have no such temperatures (facts/nvidia.md §2.3). */
function readReport(text: string): {
  readonly temperatures: ReadonlyMap<string, QueryRow>;
  readonly cudaMaxVersion: string | null;
} {
  const { rows, cudaVersion } = parseReportText(text.slice(0, MAX_TEMPERATURE_CHARS), {
    maxCards: MAX_BOX_GPUS,
  });
  const temperatures = rows.flatMap((row) => {
    const address = normalPciAddress(textOf(row, 'pci.bus_id') ?? '');
    return address === null ? [] : [[address, row] as const];
  });
  return { temperatures: new Map(temperatures), cudaMaxVersion: cudaVersion };
}

interface ProcessDetails {
  readonly user: string | null;
  readonly startTicks: number | null;
  readonly program: string | null;
  readonly command: string | null;
  /** Null: this user may not see what it has open. */
  readonly hasGpuOpen: boolean | null;
}

function readProcesses(
  sections: MarkedSections,
  rows: readonly QueryRow[],
  gpus: readonly GpuDetails[],
  { machine, ticks }: { readonly machine: Pick<MachineFacts, 'uptimeS'>; readonly ticks: number },
): ProcessesLook {
  if (sections.text('apps') === null || sections.code('apps') !== 0) {
    return { kind: 'unknown', because: 'nvidia-smi did not list the processes' };
  }
  const details = readProcessDetails(sections.text('processes', MAX_LINES) ?? '');
  const processes = rows.flatMap((row): readonly GpuProcess[] => {
    const pid = numberOf(row, 'pid', null);
    const name = textOf(row, 'process_name');
    const uuid = textOf(row, 'gpu_uuid');
    if (pid === null || !Number.isInteger(pid) || uuid === null) return [];
    const found = details.get(pid);
    const seen = found !== undefined && isSame(found, name) ? found : undefined;
    const index = gpus.find((gpu) => gpu.uuid === uuid)?.index ?? -1;
    return [
      {
        gpu: gpuKeyOf(index, uuid),
        pid,
        name: name ?? 'not told',
        memoryMiB: numberOf(row, 'used_memory', 'MiB') ?? numberOf(row, 'used_gpu_memory', 'MiB'),
        user: seen?.user ?? null,
        command: seen?.command ?? null,
        ageS: ageOf(seen?.startTicks ?? null, machine.uptimeS, ticks),
      },
    ];
  });
  return { kind: 'known', processes };
}

function readProcessDetails(text: string): ReadonlyMap<number, ProcessDetails> {
  const all = new Map<number, ProcessDetails>();
  for (const part of text.split(/^pid /m).slice(1)) {
    const pid = whole(part.split('\n', 1)[0]?.trim());
    if (pid === null) continue;
    const pairs = readPairs(part);
    const gpu = pairs.get('gpu')?.[0];
    all.set(pid, {
      user: pairs.get('user')?.[0] ?? null,
      startTicks: whole(pairs.get('start')?.[0]),
      program: pairs.get('program')?.[0] ?? null,
      command: pairs.get('command')?.[0] ?? null,
      hasGpuOpen: gpu === undefined ? null : gpu === 'yes',
    });
  }
  return all;
}

/**
 * SAFETY: in a container nvidia-smi tells the host's process numbers, and another process of the box may have that number.
 * Only one that is called the same and is not seen without a GPU counts as the same; a person may want to end it.
 */
function isSame({ program, command, hasGpuOpen }: ProcessDetails, name: string | null): boolean {
  if (hasGpuOpen === false || name === null) return false;
  const last = (path: string): string => path.trim().split(/[\\/]/).at(-1)?.split(' ')[0] ?? '';
  const words = [program, command?.split(' ')[0] ?? null];
  return words.some((word) => word !== null && last(word) !== '' && last(word) === last(name));
}

/** How many events the window gets; the first ones of a storm name the cause, the newest ones the present. */
const MAX_EVENTS = 100;

/** The journal only where dmesg is closed. */
function readKernelLog(sections: MarkedSections): KernelLogLook {
  const looks = (['dmesg', 'journalctl'] as const).flatMap((source) => {
    const text = sections.text(source, MAX_LINES);
    return text === null ? [] : [{ source, ...parseKernelLog(text) }];
  });
  const look = looks.find(({ outcome }) => outcome.kind !== 'cannot-rule-out') ?? looks[0];
  if (look === undefined) {
    return {
      outcome: { kind: 'cannot-rule-out', because: KERNEL_LOG_UNASKED },
      events: [],
      source: null,
    };
  }
  return { outcome: look.outcome, events: mostTelling(look.rows), source: look.source };
}

/** The newest, and before them the first of each kind that they leave out. */
function mostTelling(events: readonly KernelGpuEvent[]): readonly KernelGpuEvent[] {
  const kindOf = (event: KernelGpuEvent): string =>
    `${event.kind} ${'code' in event ? event.code : ''} ${event.address ?? ''}`;
  const newest = events.slice(-MAX_EVENTS);
  const told = new Set(newest.map(kindOf));
  const earlier = events.slice(0, -MAX_EVENTS).filter((event) => {
    const isNew = !told.has(kindOf(event));
    told.add(kindOf(event));
    return isNew;
  });
  return [...earlier.slice(0, MAX_EVENTS), ...newest];
}
