import type { Box } from '../../shared/boxes/box.ts';
import type { Clock } from '../../shared/clocks/clock.ts';
import { catalogOf } from '../../shared/detectors/alert-words.ts';
import type { Gotchas } from '../../shared/gotchas/gotcha.ts';
import type { Profile } from '../../shared/profiles/profile.ts';
import type { PatrolMemory } from '../../shared/patrol/patrol-memory.ts';
import type { RecoveryKnowledge } from '../../shared/recovery/write-handbook.ts';
import { readMemory } from '../patrol/memory-file.ts';
import type { HostKeysTable } from '../storage/host-keys-table.ts';

export interface KnowledgeSources {
  readonly dataFolder: string;
  readonly hostKeys: Pick<HostKeysTable, 'current'>;
  readonly profileOf: (platform: string) => Profile | null;
  readonly clocksOf: (
    box: Box,
    memory: PatrolMemory | null,
  ) => Pick<RecoveryKnowledge, 'clocks' | 'clocksLack'>;
  readonly gotchas: () => Promise<Gotchas>;
}

/** What is known of a box at this moment, wherever it is kept. The box itself is not asked. */
export async function gatherKnowledge(
  box: Box,
  { dataFolder, hostKeys, profileOf, clocksOf, gotchas }: KnowledgeSources,
  atMs: number,
): Promise<RecoveryKnowledge> {
  const { memory, fault } = await readMemory(dataFolder, box.id);
  const key = hostKeys.current(box.id);
  return {
    box,
    hostKey: key.ok ? key.value : null,
    profile: profileOf(box.platform),
    memory,
    memoryFault: fault?.message ?? null,
    ...clocksOf(box, memory),
    catalog: catalogOf(await gotchas()),
    atMs,
  };
}

/** Of the window's clocks; what they cannot tell they say themselves. */
export function asClocks(
  clocks: readonly Clock[] | null,
): Pick<RecoveryKnowledge, 'clocks' | 'clocksLack'> {
  return clocks === null
    ? { clocks: [], clocksLack: 'The clocks of this box were not computed yet.' }
    : { clocks, clocksLack: null };
}
