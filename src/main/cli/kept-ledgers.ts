import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import { allLedgers, type MeteredLedger } from '../meter/all-ledgers.ts';
import { dataFolder } from '../storage/data-folder.ts';
import { openReadOnly } from '../storage/read-only.ts';
import type { CommandContext } from './command.ts';

/** Every ledger as it was last written, of forgotten boxes too, read beside a Leasehold that may be running. */
export function keptLedgers({
  env,
  platform,
}: Pick<CommandContext, 'env' | 'platform'>): Result<readonly MeteredLedger[], Problem> {
  const opened = openReadOnly(dataFolder(env, platform));
  if (!opened.ok) return opened;
  const { boxes, ledger, entries, close } = opened.value;
  try {
    const listed = boxes.list();
    if (!listed.ok) return listed;
    const all = allLedgers(ledger, entries, []);
    if (!all.ok) return all;
    const known = new Map(listed.value.rows.map((box) => [box.id, box]));
    return ok(
      all.value.map((each) => {
        const box = known.get(each.boxId);
        return { ...each, owner: box ?? each.owner, isListed: box !== undefined };
      }),
    );
  } finally {
    close();
  }
}

/** Those of the box with this name or id; null: there is none. */
export function chooseLedgers(
  all: readonly MeteredLedger[],
  wanted: string | undefined,
): readonly MeteredLedger[] | null {
  if (wanted === undefined) return all;
  const found = all.filter(({ boxId, owner }) => boxId === wanted || owner?.name === wanted);
  return found.length === 0 ? null : found;
}

export function nameOf({ owner, isListed, boxId }: MeteredLedger): string {
  if (isListed && owner !== null) return owner.name;
  return owner === null ? `forgotten box ${boxId}` : `${owner.name} (forgotten)`;
}
