import type { Box } from '../../shared/boxes/box.ts';
import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import { isProxyPassword, proxyPasswordName } from '../secrets/proxy-passwords.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { jumpHostsOf } from './jump-way.ts';
import type { Persons } from './persons.ts';
import { isJumpHostPassword, passwordName, passwordOwner } from './secret-names.ts';

export interface UnusedWaysOptions {
  /** Forgets the host keys of all other jump hosts. */
  readonly keepHopKeys: (machineIds: readonly string[]) => Result<null, Problem>;
  readonly persons: Pick<Persons, 'remembered' | 'forgetRemembered'>;
  readonly secrets: Pick<Secrets, 'names' | 'forget'>;
  readonly onProblem: (problem: Problem) => void;
}

/**
 * Forgets what belongs to machines that are on the way to none of these boxes: host keys and passwords of jump hosts,
 * passwords of proxies. Like a box's own key, that is asked anew of who comes back to one.
 */
export async function forgetUnusedWays(
  boxes: readonly Box[],
  { keepHopKeys, persons, secrets, onProblem }: UnusedWaysOptions,
): Promise<void> {
  const jumpHosts = boxes.flatMap(jumpHostsOf);
  const kept = keepHopKeys(jumpHosts.map(({ id }) => id));
  if (!kept.ok) onProblem(kept.error);
  const used = new Set([
    ...jumpHosts.map((jumpHost) => passwordName(passwordOwner(jumpHost))),
    ...boxes.flatMap(({ route }) =>
      route.kind === 'proxy' ? [proxyPasswordName(route.proxy)] : [],
    ),
  ]);
  const isOfWay = (name: string): boolean => isJumpHostPassword(name) || isProxyPassword(name);
  const unused = (name: string): boolean => isOfWay(name) && !used.has(name);
  for (const name of persons.remembered().filter(unused)) persons.forgetRemembered(name);
  for (const name of secrets.names().filter(unused)) {
    const gone = await secrets.forget(name);
    if (!gone.ok) onProblem(gone.error);
  }
}
