import type { CardReport, ListedProcess } from '../../shared/probes/card-report.ts';
import { parseGpuFacts, toGpuDetails } from '../../shared/probes/gpu-facts.ts';
import { normalPciAddress } from '../../shared/probes/pci-address.ts';
import { textOf, type QueryRow } from '../../shared/probes/query.ts';
import type { KernelLogOutput } from '../../shared/probes/xid.ts';
import {
  gpuKeyOf,
  NAME_NOT_TOLD,
  type BoxGpuFacts,
  type GpuDetails,
  type GpuProcess,
  type ProcessesLook,
} from '../../shared/telemetry/gpu-facts.ts';
import { placesOf } from './recorded-clock.ts';

export type RecordedFacts = Omit<BoxGpuFacts, 'atMs'>;

const MARK = 'recorded';

/** Through the reader of the slow probe, which these answers are sections of. The cards come from their rows. */
export function factsOfAnswers(apps: string | null, kernelLog: string | null): RecordedFacts {
  const section = (name: string, text: string | null): string =>
    text === null ? '' : `\n${MARK} begin ${name}\n${text}\n${MARK} end ${name} 0\n`;
  const text = section('apps', apps) + section('dmesg', kernelLog);
  const { facts } = parseGpuFacts(text, MARK, { askedAtMs: 0, answeredAtMs: 0 });
  return { ...facts, cpu: null };
}

/** What a kernel log alone says of a box. */
export function factsOfKernelLog({ outcome, rows }: KernelLogOutput): RecordedFacts {
  return {
    ...factsOfAnswers(null, null),
    kernelLog: { outcome, events: rows, source: 'dmesg' },
  };
}

/** Rows of cards, each under an index, a UUID and a name. */
export interface NamedRows {
  readonly rows: readonly QueryRow[];
  /** False: several rows that may be one card at several times or several cards. Of such a text no load is known. */
  readonly isClear: boolean;
}

/**
 * A text may leave out the index, the UUID or the name, and what it tells is true all the same. The card's address stands for the
 * UUID then, and its place for the index: what is told has to be told of some card.
 */
export function namedRows(rows: readonly QueryRow[]): NamedRows {
  const places = placesOf(rows);
  const indices = new Map<string, number>();
  const taken = new Set(rows.flatMap((row) => indexOf(row) ?? []));
  const named = rows.map((row, i) => {
    const key = keyOf(row) ?? `#${String(places?.[i] ?? i)}`;
    const index = indexOf(row) ?? indices.get(key) ?? free(taken, indices.size);
    indices.set(key, index);
    taken.add(index);
    return {
      ...row,
      index: cell(String(index)),
      uuid: cell(textOf(row, 'uuid') ?? addressOf(row) ?? `#${String(index)}`),
      name: cell(textOf(row, 'name') ?? NAME_NOT_TOLD),
    };
  });
  const isClear = rows.length < 2 || places !== null || rows.every((row) => keyOf(row) !== null);
  return { rows: named, isClear };
}

const indexOf = (row: QueryRow): number | null => {
  const text = textOf(row, 'index');
  return text !== null && /^\d{1,3}$/.test(text) ? Number(text) : null;
};
const addressOf = (row: QueryRow): string | null =>
  normalPciAddress(textOf(row, 'pci.bus_id') ?? '');
const keyOf = (row: QueryRow): string | null =>
  textOf(row, 'uuid') ??
  addressOf(row) ??
  textOf(row, 'index') ??
  textOf(row, 'serial') ??
  textOf(row, 'pci.bus');

function free(taken: ReadonlySet<number>, from: number): number {
  let index = from;
  while (taken.has(index)) index += 1;
  return index;
}

/** The rows of one look after another: where a card comes again, the next one has begun. */
export function looksOf(rows: readonly QueryRow[]): readonly (readonly QueryRow[])[] {
  const looks: QueryRow[][] = [];
  let seen = new Set<string>();
  for (const row of rows) {
    const uuid = textOf(row, 'uuid') ?? '';
    const open = looks.at(-1);
    if (open === undefined || seen.has(uuid)) {
      looks.push([row]);
      seen = new Set([uuid]);
    } else {
      open.push(row);
      seen.add(uuid);
    }
  }
  return looks;
}

/** Of each card what its last row tells. */
export function detailsOf(rows: readonly QueryRow[]): readonly GpuDetails[] {
  const gpus = new Map<string, GpuDetails>();
  for (const row of rows) {
    const details = toGpuDetails(row);
    if (details !== null) gpus.set(details.uuid, details);
  }
  return [...gpus.values()];
}

/** Adds the cards, and what `-q`, its XML, the table or the list show. A card that CSV has told already is told by CSV. */
export function withCards(
  facts: RecordedFacts,
  gpus: readonly GpuDetails[],
  reports: readonly CardReport[],
): RecordedFacts {
  const known = new Set(gpus.map(({ uuid }) => uuid));
  const further = reports
    .flatMap(({ rows }) => detailsOf(namedRows(rows).rows))
    .filter(({ uuid }) => !known.has(uuid));
  const all = [...gpus, ...further];
  return { ...facts, gpus: all, processes: processesOf(facts.processes, all, reports) };
}

const cell = (
  text: string,
): { readonly kind: 'value'; readonly text: string; readonly unit: null } => ({
  kind: 'value',
  text,
  unit: null,
});

function processesOf(
  told: ProcessesLook,
  gpus: readonly GpuDetails[],
  reports: readonly CardReport[],
): ProcessesLook {
  if (told.kind === 'known') return onTheirCards(told.processes, gpus);
  const listing = reports.filter(({ listsProcesses }) => listsProcesses);
  if (listing.length === 0) return told;
  const processes = listing.flatMap((report) => {
    const cards = namedRows(report.rows).rows;
    return report.processes.map((process) => toGpuProcess(process, cards[process.card] ?? {}));
  });
  return { kind: 'known', processes };
}

/** Compute apps name their card by its UUID, which the text of the cards may have left out. */
function onTheirCards(
  processes: readonly GpuProcess[],
  gpus: readonly GpuDetails[],
): ProcessesLook {
  const known = new Set(gpus.map(({ index, uuid }) => gpuKeyOf(index, uuid)));
  const isStrange = gpus.length > 0 && processes.some(({ gpu }) => !known.has(gpu));
  if (!isStrange) return { kind: 'known', processes };
  const [only] = gpus;
  const isOne = gpus.length === 1 && new Set(processes.map(({ gpu }) => gpu)).size === 1;
  if (!isOne || only === undefined) {
    return { kind: 'unknown', because: 'on which of these cards the processes are is not known' };
  }
  const gpu = gpuKeyOf(only.index, only.uuid);
  return { kind: 'known', processes: processes.map((each) => ({ ...each, gpu })) };
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
