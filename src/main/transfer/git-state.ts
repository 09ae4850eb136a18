import { isInGit } from './list-tree.ts';
import { runGit, withoutFilters } from './run-git.ts';

export interface GitState {
  readonly commit: string;
  /** Files of the tree differ from that commit, or are in none. */
  readonly isDirty: boolean;
}

/** Which commit a folder of this machine stands at; null: none, or git does not say. */
export async function gitState(folder: string): Promise<GitState | null> {
  if (!isInGit(folder)) return null;
  const [head, status] = await Promise.all([
    runGit(folder, ['rev-parse', '--verify', 'HEAD']),
    runGit(folder, [...(await withoutFilters(folder)), 'status', '--porcelain', '-z', '--', '.']),
  ]);
  if (head.kind !== 'said' || status.kind !== 'said') return null;
  const commit = head.bytes.toString('latin1').trim();
  if (!/^[0-9a-f]{40,64}$/.test(commit)) return null;
  return { commit, isDirty: status.bytes.length > 0 };
}
