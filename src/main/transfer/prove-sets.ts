import type { PulledFile } from '../../shared/transfer/pull.ts';
import type { SetFound } from '../../shared/verify/sets.ts';
import { setsAmong } from '../verify/sets/sets.ts';
import type { Workers } from '../workers/workers.ts';

/** What of the files that came home is only whole together. One that nobody could look at is told as unknown, and ends no pull. */
export async function proveSets(
  workers: Pick<Workers, 'run'>,
  { root, files }: { readonly root: string; readonly files: readonly PulledFile[] },
  signal: AbortSignal,
): Promise<readonly SetFound[]> {
  const came = files.filter(({ mark }) => mark === 'equal').map(({ path }) => path);
  const found: SetFound[] = [];
  for (const set of setsAmong(came)) {
    if (signal.aborted) return found;
    const proven = await workers.run('prove-set', { root, set }, { signal });
    if (!proven.ok) {
      const { kind, path } = set;
      found.push({ kind, path, state: 'unknown', says: proven.error.message });
    } else if (proven.value !== null) found.push(proven.value);
  }
  return found;
}
