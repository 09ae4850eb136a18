import type { GpuDetails } from '../../../shared/telemetry/gpu-facts.ts';

type MigCard = Pick<GpuDetails, 'index' | 'migMode' | 'migProfiles'>;

/** Which cards are split and into what, and what that hides (facts/nvidia.md §1.2); null: none is. */
export function migWords(gpus: readonly MigCard[]): string | null {
  const split = gpus.filter(({ migMode }) => migMode === 'Enabled');
  if (split.length === 0) return null;
  const cards = split.map((card) => `GPU ${card.index} ${partsOf(card)}`).join('; ');
  return `MIG is on: ${cards}. Parts are not GPUs of their own. While MIG is on, the driver does not tell how busy a card is; power, temperature and clocks are of the whole card.`;
}

function partsOf({ migProfiles }: MigCard): string {
  if (migProfiles === null) return 'can be split, and into what is not told';
  if (migProfiles.length === 0) return 'is not split yet';
  const counts = new Map<string, number>();
  for (const profile of migProfiles) counts.set(profile, (counts.get(profile) ?? 0) + 1);
  const parts = [...counts].map(([profile, count]) =>
    count === 1 ? profile : `${count} × ${profile}`,
  );
  return `is split into ${migProfiles.length === 1 ? 'one part' : `${migProfiles.length} parts`} (${parts.join(', ')})`;
}
