import { isDeepStrictEqual } from 'node:util';
import { problem, type Problem } from '../../shared/problem.ts';
import { plainLine } from '../../shared/questions/hostile-text.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { isSame, type SeenEntry, type TreeEntry } from '../../shared/transfer/tree.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import type { BoxTree } from './box-tree.ts';

const MAX_PATH_CHARS = 200;

/** What a push overwrites and deletes. */
export interface Touched {
  readonly send: readonly TreeEntry[];
  readonly gone: readonly string[];
  /** As the plan has seen it on the box; what is not here was not there. */
  readonly before: ReadonlyMap<string, SeenEntry>;
}

/**
 * Whether all that goes is what the plan has seen, or what an earlier try of this push has put there: what something on the box has written
 * since was shown to nobody.
 */
export async function checkAsPlanned(
  box: BoxTree,
  connection: SshConnection,
  { send, gone, before }: Touched,
): Promise<Result<null, Problem>> {
  const own = new Map(send.map((entry) => [entry.path, entry]));
  const looked = await box.look(connection, [...own.keys(), ...gone]);
  if (!looked.ok) return looked;
  const changed = [...own.keys(), ...gone].filter((path) => {
    const now = looked.value.seen.get(path);
    const entry = own.get(path);
    const isOwn = now === undefined || (entry !== undefined && isSame(entry, now));
    return !isOwn && !isDeepStrictEqual(now, before.get(path));
  });
  const [first] = changed;
  if (first === undefined) return ok(null);
  const others = changed.length - 1;
  const told = `${plainLine(first, MAX_PATH_CHARS)}${others === 0 ? ' was' : ` and ${String(others)} more were`}`;
  return err(
    problem('code-not-sent', `${told} changed on the box after the plan. Nothing was started.`, {
      nextStep:
        'Plan again: what has arrived is not sent twice, and the plan shows what would be overwritten now.',
    }),
  );
}
