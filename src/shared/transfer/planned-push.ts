/** What a launch sends of a folder of this computer, before it does it. */
export interface PlannedPush {
  /** On this computer. */
  readonly from: string;
  /** On the box, as a whole path. */
  readonly to: string;
  /** Null: the folder is no git working tree, or git does not say. */
  readonly commit: string | null;
  readonly isDirty: boolean;
  /** SHA-256 of all that will be there. */
  readonly tree: string;
  /** All of it. */
  readonly files: number;
  readonly bytes: number;
  /** What the box does not have yet. */
  readonly send: FileList & { readonly bytes: number };
  /** Of what is sent, what the box has otherwise. */
  readonly replaced: FileList;
  /** Put there by an earlier push, and no longer here. */
  readonly gone: FileList;
  readonly isDeleting: boolean;
  /** No longer here, and changed on the box since it was put there: never deleted. */
  readonly kept: FileList;
  /** Not sent, and why. */
  readonly leftOut: readonly LeftOut[];
  readonly large: FileList;
  /** Windows line ends are changed in these. */
  readonly fixed: FileList;
}

export interface FileList {
  readonly count: number;
  /** Some of them. */
  readonly first: readonly string[];
}

export interface LeftOut {
  readonly path: string;
  readonly because: string;
}

const MAX_TOLD = 12;

export function fileList(paths: readonly string[]): FileList {
  return { count: paths.length, first: paths.slice(0, MAX_TOLD) };
}
