import type { GpuDetails, MigPart } from '../telemetry/gpu-facts.ts';
import type { CardReport, MigInstance } from './card-report.ts';
import { normalPciAddress } from './pci-address.ts';
import { textOf, type QueryRow } from './query.ts';
import { parseSmiList } from './smi-list.ts';
import { parseSmiTable } from './smi-table.ts';

type Card = Pick<GpuDetails, 'uuid' | 'pciAddress' | 'migMode'>;

/**
 * What MIG makes of each card, by its UUID. `list`: the text of `nvidia-smi -L`, which alone says what the parts are called;
 * `table`: that of the bare `nvidia-smi`, which alone says how full they are. Each null where it was not asked for.
 */
export function readMigParts(
  gpus: readonly Card[],
  list: string | null,
  table: string | null,
): ReadonlyMap<string, readonly MigPart[]> {
  const named = list === null ? null : parseSmiList(list);
  const filled = table === null ? null : parseSmiTable(table);
  const parts = gpus.flatMap(({ uuid, pciAddress, migMode }) => {
    if (migMode !== 'Enabled') return [];
    const names = instancesOf(named, (row) => textOf(row, 'uuid') === uuid);
    const memories = instancesOf(
      filled,
      (row) =>
        pciAddress !== null && normalPciAddress(textOf(row, 'pci.bus_id') ?? '') === pciAddress,
    );
    const joined = join(names, memories);
    return joined === null ? [] : [[uuid, joined] as const];
  });
  return new Map(parts);
}

/** Null: the text does not show that card. */
function instancesOf(
  report: CardReport | null,
  isCard: (row: QueryRow) => boolean,
): readonly MigInstance[] | null {
  const card = report?.rows.findIndex(isCard) ?? -1;
  if (report === null || card < 0) return null;
  return report.instances.filter((instance) => instance.card === card);
}

function join(
  names: readonly MigInstance[] | null,
  memories: readonly MigInstance[] | null,
): readonly MigPart[] | null {
  if (names === null) return memories?.map((memory) => partOf(null, memory)) ?? null;
  // Somebody split the card anew between the two questions: then the numbers of the parts mean different ones.
  const isSame =
    memories?.length === names.length &&
    names.every(({ device }) => memories.some((each) => each.device === device));
  return names.map((name) =>
    partOf(name, isSame ? (memories.find(({ device }) => device === name.device) ?? null) : null),
  );
}

function partOf(name: MigInstance | null, memory: MigInstance | null): MigPart {
  return {
    device: name?.device ?? memory?.device ?? null,
    gpuInstance: memory?.gpuInstance ?? name?.gpuInstance ?? null,
    profile: name?.profile ?? null,
    memoryUsedMiB: memory?.memoryUsedMiB ?? null,
    memoryTotalMiB: memory?.memoryTotalMiB ?? null,
  };
}
