import type { CardReport, ListedProcess, MigInstance } from './card-report.ts';
import type { QueryCell, QueryRow } from './query.ts';
import { readCell } from './report-cells.ts';
import { REASON_BITS, REPORT_FIELDS, type FieldKind } from './report-fields.ts';
import { readReportText, type ReportBounds } from './report-text.ts';
import type {
  ReportCard,
  ReportDocument,
  ReportGroup,
  ReportLeaf,
  ReportTree,
} from './report-tree.ts';
import { readReportXml } from './report-xml.ts';

/** Reads `nvidia-smi -q`, as text. */
export function parseReportText(text: string, bounds?: ReportBounds): CardReport {
  return toReport(readReportText(text, bounds), /^ +Processes\s*(?::|$)/m.test(text));
}

/** Reads `nvidia-smi -q -x`. */
export function parseReportXml(text: string): CardReport {
  return toReport(readReportXml(text), /<processes\s*\/?>/.test(text));
}

function toReport(
  { documents, failures, unreadable }: ReportTree,
  listsProcesses: boolean,
): CardReport {
  const onBad: OnBad = (leaf) => unreadable.add(leaf.line);
  const cards = documents.flatMap((document) => document.cards);
  const rows = documents.flatMap((document) => readDocument(document, onBad));
  const instances = cards.flatMap((card, place) =>
    card.instances.map((group) => readInstance(group, place, onBad)),
  );
  const processes = cards.flatMap((card, place) =>
    card.processes.flatMap((group) => readProcess(group, place, onBad)),
  );
  const head = documents.at(-1)?.head ?? new Map<string, ReportLeaf>();
  return {
    rows,
    instances,
    processes,
    listsProcesses,
    driverVersion: versionOf(head, 'driver_version', 'kmd_version'),
    cudaVersion: versionOf(head, 'cuda_version', 'cuda_umd_version'),
    attachedGpus: attachedOf(head, onBad),
    failures,
    unreadable: unreadable.lines,
    unreadableCount: unreadable.count,
  };
}

function readDocument({ head, cards }: ReportDocument, onBad: OnBad): readonly QueryRow[] {
  const driverVersion = versionOf(head, 'driver_version', 'kmd_version');
  // One card of several may be asked for, so a place is an index only where all are there.
  const isWhole = attachedOf(head, () => undefined) === cards.length;
  return cards.map((card, place) => {
    const row = readCard(card, onBad);
    if (isWhole) row.set('index', told(String(place)));
    if (driverVersion !== null) row.set('driver_version', told(driverVersion));
    return Object.fromEntries(row);
  });
}

function told(text: string): QueryCell {
  return { kind: 'value', text, unit: null };
}

type OnBad = (leaf: ReportLeaf) => void;

function readCard({ address, leaves }: ReportCard, onBad: OnBad): Map<string, QueryCell> {
  const row = new Map<string, QueryCell>();
  const rest = new Map(leaves);
  for (const { field, kind, paths } of REPORT_FIELDS) {
    let cell: QueryCell | null = null;
    for (const path of paths) {
      const leaf = leaves.get(path);
      if (leaf === undefined) continue;
      const read = readCell(leaf.text, kind);
      if (read === null && rest.has(path)) onBad(leaf);
      rest.delete(path);
      if (read !== null && (cell === null || cell.kind === 'missing')) {
        cell = cell === null || read.kind === 'value' ? read : cell;
      }
    }
    if (cell !== null) row.set(field, cell);
  }
  if (!isTold(row, 'pci.bus_id') && address !== null) row.set('pci.bus_id', told(address));
  addReasons(row);
  addEccTotals(row, leaves, onBad);
  addRecovery(row, leaves);
  for (const [path, leaf] of rest) {
    if (SUMMED.test(path)) continue;
    const cell = readCell(leaf.text, { kind: 'text' });
    if (cell !== null) row.set(path, cell);
  }
  return row;
}

function isTold(row: ReadonlyMap<string, QueryCell>, field: string): boolean {
  return row.get(field)?.kind === 'value';
}

/** `clocks_event_reasons.active` as CSV has it, from the reasons that are told one by one. */
function addReasons(row: Map<string, QueryCell>): void {
  let bits = 0;
  let isAny = false;
  for (const [name, bit] of REASON_BITS) {
    const cell = row.get(`clocks_event_reasons.${name}`);
    if (cell?.kind !== 'value') continue;
    isAny = true;
    if (cell.text === 'Active') bits |= bit;
  }
  if (!isAny) return;
  row.set(
    'clocks_event_reasons.active',
    told(`0x${bits.toString(16).toUpperCase().padStart(16, '0')}`),
  );
}

const SUMMED =
  /^ecc_errors\/(volatile|aggregate)\/(?:(?:sram|dram)_(un)?correctable(?:_parity|_sec_?ded)?|(single|double)_bit\/total)$/;

/** CSV gives totals, these texts their parts: since R440 by kind of memory, before by kind of error with a total. */
function addEccTotals(
  row: Map<string, QueryCell>,
  leaves: ReadonlyMap<string, ReportLeaf>,
  onBad: OnBad,
): void {
  const sums = new Map<string, QueryCell | null>();
  for (const [path, leaf] of leaves) {
    const [, scope, un, bits] = SUMMED.exec(path) ?? [];
    if (scope === undefined) continue;
    const kind = un === 'un' || bits === 'double' ? 'uncorrected' : 'corrected';
    const field = `ecc.errors.${kind}.${scope}.total`;
    const cell = readCell(leaf.text, { kind: 'count' });
    if (cell === null) onBad(leaf);
    sums.set(field, sums.has(field) ? sumOf(sums.get(field) ?? null, cell) : cell);
  }
  for (const [field, cell] of sums) if (cell !== null) row.set(field, cell);
}

/** A part that is not told makes the sum not told: it could only be too low. */
function sumOf(a: QueryCell | null, b: QueryCell | null): QueryCell | null {
  if (a === null || b === null) return null;
  if (a.kind === 'missing') return a;
  if (b.kind === 'missing') return b;
  return told(String(Number(a.text) + Number(b.text)));
}

/** Drivers before `gpu_recovery_action` say it in two fields. */
function addRecovery(row: Map<string, QueryCell>, leaves: ReadonlyMap<string, ReportLeaf>): void {
  if (row.has('gpu_recovery_action')) return;
  const reset = leaves.get('gpu_reset_status/reset_required')?.text;
  const drain = leaves.get('gpu_reset_status/drain_and_reset_recommended')?.text;
  if (reset === 'Yes') row.set('gpu_recovery_action', told('GPU Reset'));
  else if (drain === 'Yes') row.set('gpu_recovery_action', told('Drain and Reset'));
  else if (reset === 'No' && drain !== undefined) row.set('gpu_recovery_action', told('None'));
}

const COUNT: FieldKind = { kind: 'count' };
const MEMORY: FieldKind = { kind: 'figure', unit: 'MiB', max: 2 ** 24 };

/** A figure of a group, under the first of these names. */
function figureOf(
  group: ReportGroup,
  kind: FieldKind,
  onBad: OnBad,
  ...names: string[]
): number | null {
  const leaf = names.map((name) => group.get(name)).find((each) => each !== undefined);
  if (leaf === undefined) return null;
  const cell = readCell(leaf.text, kind);
  if (cell === null) onBad(leaf);
  return cell?.kind === 'value' ? Number(cell.text) : null;
}

function readInstance(group: ReportGroup, card: number, onBad: OnBad): MigInstance {
  const memory = (name: string): number | null =>
    figureOf(group, MEMORY, onBad, `fb_memory_usage/${name}`, `shared_fb_memory_usage/${name}`);
  return {
    card,
    device: figureOf(group, COUNT, onBad, 'index'),
    gpuInstance: figureOf(group, COUNT, onBad, 'gpu_instance_id'),
    computeInstance: figureOf(group, COUNT, onBad, 'compute_instance_id'),
    profile: null,
    uuid: group.get('uuid')?.text ?? null,
    memoryUsedMiB: memory('used'),
    memoryTotalMiB: memory('total'),
    multiprocessors: figureOf(group, COUNT, onBad, 'device_attributes/shared/multiprocessor_count'),
  };
}

function readProcess(group: ReportGroup, card: number, onBad: OnBad): readonly ListedProcess[] {
  if (!group.has('process_id') && !group.has('pid')) {
    for (const leaf of group.values()) if (!isInstanceNumber(leaf.path)) onBad(leaf);
    return [];
  }
  const text = (...names: string[]): string | null => {
    const leaf = names.map((name) => group.get(name)).find((each) => each !== undefined);
    const cell = leaf === undefined ? null : readCell(leaf.text, { kind: 'text' });
    return cell?.kind === 'value' ? cell.text : null;
  };
  return [
    {
      card,
      pid: figureOf(group, COUNT, onBad, 'process_id', 'pid'),
      type: text('type'),
      name: text('name', 'process_name'),
      memoryMiB: figureOf(group, MEMORY, onBad, 'used_gpu_memory', 'used_memory'),
      gpuInstance: figureOf(group, COUNT, onBad, 'gpu_instance_id'),
      computeInstance: figureOf(group, COUNT, onBad, 'compute_instance_id'),
    },
  ];
}

function isInstanceNumber(name: string): boolean {
  return name === 'gpu_instance_id' || name === 'compute_instance_id';
}

function attachedOf(head: ReadonlyMap<string, ReportLeaf>, onBad: OnBad): number | null {
  return figureOf(head, COUNT, onBad, 'attached_gpus');
}

/** From 610 on the first name may hold a sentence that begins with the number. */
function versionOf(head: ReadonlyMap<string, ReportLeaf>, ...names: string[]): string | null {
  for (const name of names) {
    const version = /^\d[\d.]{0,30}/.exec(head.get(name)?.text ?? '')?.[0];
    if (version !== undefined) return version;
  }
  return null;
}
