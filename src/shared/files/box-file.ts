/** An entry of a folder on a box. A link is told as such, and not what it points at. */
export interface BoxFile {
  /** Hostile: it may hold line breaks, controls and whatever else a name can. */
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** Null: the server did not say. */
  readonly sizeBytes: number | null;
  readonly modifiedAtMs: number | null;
  /** As chmod takes it. */
  readonly mode: number | null;
  /** False: the name is no UTF-8. The library knows such a name only in part, so nothing can be asked of this entry. */
  readonly hasUsableName: boolean;
}

/** More of one folder are neither shown nor kept; what is left out is said. */
export const MAX_LISTED = 200_000;

/** A part of a folder, in the order in which the box tells it. */
export interface FolderPart {
  /** The folder as the box names it, whole. */
  readonly folder: string;
  readonly files: readonly BoxFile[];
  /** The name under which more of it can be asked for; null: that was all. */
  readonly rest: string | null;
  /** There are more than are ever listed. */
  readonly isCut: boolean;
  /** Of a search: something in the folder could not be looked into. */
  readonly isPartly: boolean;
}

/** The folders in a folder, in no order and without links to one: a tree of these has an end. */
export interface FolderNames {
  readonly names: readonly string[];
  /** There are more than are ever told. */
  readonly isCut: boolean;
}

/** Where a link leads. */
export interface LinkEnd {
  readonly path: string;
  /** As it is written in the link; null: the box did not say. */
  readonly target: string | null;
  /** What is there in the end. `nothing`: also where links lead around in a circle; null: the box did not say. */
  readonly kind: BoxFile['kind'] | 'nothing' | null;
}
