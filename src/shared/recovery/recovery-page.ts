import type { Problem } from '../problem.ts';
import type { Block } from './page.ts';

/** The handbook as it would be written now. */
export interface RecoveryPage {
  readonly blocks: readonly Block[];
  readonly markdown: string;
  readonly atMs: number;
  /** Where it is kept on this machine. */
  readonly file: string;
  /** Why that file may be older than this; null: it is not. */
  readonly fileProblem: Problem | null;
  readonly copy: BoxCopy;
}

/** The copy on the box itself, which is there only where the person agreed. */
export type BoxCopy =
  | { readonly kind: 'none' }
  /** `sentAtMs`: when it was last read back there; null: not yet. */
  | {
      readonly kind: 'wanted';
      readonly path: string;
      readonly sentAtMs: number | null;
      readonly problem: Problem | null;
    }
  /** Taken back, and not seen to be gone yet. */
  | { readonly kind: 'leaving'; readonly path: string; readonly problem: Problem | null };

/** Ours, and named so that a person who looks around on the box finds the right one. */
export function copyPath(box: { readonly id: string; readonly name: string }): string {
  const name = box.name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return `~/.config/leasehold/recovery-${name === '' ? 'box' : name.slice(0, 40)}-${box.id.slice(0, 8)}.md`;
}
