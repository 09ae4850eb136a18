import type { GpuDetails, MigPart } from '../../../shared/telemetry/gpu-facts.ts';
import { formatShare, UNKNOWN } from '../../ui/format.ts';

type MigCard = Pick<GpuDetails, 'index' | 'migMode' | 'migParts'>;

/** Which cards are split, and what that hides (facts/nvidia.md §1.2); null: none is. */
export function migWords(gpus: readonly MigCard[]): string | null {
  const split = splitCards(gpus);
  if (split.length === 0) return null;
  const cards = split.map((card) => `GPU ${card.index} ${partsOf(card)}`).join('; ');
  return `MIG is on: ${cards}. Parts are not GPUs of their own. While MIG is on, the driver does not tell how busy a card is; power, temperature and clocks are of the whole card.`;
}

export function splitCards(gpus: readonly MigCard[]): readonly MigCard[] {
  return gpus.filter(({ migMode }) => migMode === 'Enabled');
}

function partsOf({ migParts }: MigCard): string {
  if (migParts === null) return 'can be split, and into what is not told';
  if (migParts.length === 0) return 'is not split';
  return `is split into ${migParts.length === 1 ? 'one part' : `${migParts.length} parts`}`;
}

export function partName({ device, profile }: MigPart): string {
  const number = device === null ? 'Part' : `Part ${device}`;
  return profile === null ? number : `${number} · ${profile}`;
}

export function partMemoryWords({ memoryUsedMiB, memoryTotalMiB }: MigPart): string {
  if (memoryUsedMiB === null) return `memory ${UNKNOWN}`;
  const totalGiB = memoryTotalMiB === null ? null : memoryTotalMiB / 1024;
  return formatShare(memoryUsedMiB / 1024, totalGiB, 'GiB', 1);
}

/** Which parts have the same memory, so that nobody adds it up; null: it has its own, or that is not told. */
export function sharedWords(part: MigPart, all: readonly MigPart[]): string | null {
  const others = all.filter(
    (other) =>
      other !== part && other.gpuInstance !== null && other.gpuInstance === part.gpuInstance,
  );
  if (others.length === 0) return null;
  const numbers = others.map(({ device }) => device ?? 'unknown').join(', ');
  return `shared with part ${numbers}`;
}
