import type { SetKind } from '../../../shared/verify/sets.ts';
import type { ByteSource } from '../byte-source.ts';

/** What lies in the folder of the file that holds a set together, and below it. */
export interface SetFolder {
  /** From that folder on, with `/`. SECURITY: nothing but these is ever opened, whatever a file of the set names. */
  readonly members: ReadonlySet<string>;
  /** Closed again when `use` is done. */
  open<T>(member: string, use: (source: ByteSource) => T | Promise<T>): Promise<T>;
}

/** One kind of things that several files make up. */
export interface FileSet {
  readonly kind: SetKind;
  /** The name of the file that holds one together. */
  readonly leads: RegExp;
  /** Of several that lie within each other, or in one folder, only the outermost is one. */
  readonly isOutermost?: true;
  /**
   * What it holds; null: it is no such set after all. Throws `Damaged` and `NotLoadable`. That each file by itself is what its name
   * says is another’s work, and done before.
   */
  read(
    leader: string,
    folder: SetFolder,
    tell: (doneBytes: number) => void,
  ): Promise<string | null>;
}
