/** How much lies in a folder of a box, as far as a look that ends in time has found. */
export interface WeighedFolder {
  readonly folder: string;
  readonly size:
    | { readonly kind: 'weighed'; readonly bytes: number }
    /** There are so many files, or so slow a disk, that nobody knows. */
    | { readonly kind: 'late' }
    | { readonly kind: 'gone' };
}

const LINE = /^(\d{1,3}) (?:(late|gone)|(\d{1,15}))$/;

/** What resources/onbox/weigh-folders.sh has told of these, by their places; one that it has told nothing of was not weighed in time. */
export function readWeighed(text: string, folders: readonly string[]): readonly WeighedFolder[] {
  const told = new Map<number, WeighedFolder['size']>();
  for (const line of text.split('\n')) {
    const [, no, word, kib] = LINE.exec(line) ?? [];
    if (no === undefined) continue;
    told.set(
      Number(no),
      word === 'gone'
        ? { kind: 'gone' }
        : kib === undefined
          ? { kind: 'late' }
          : { kind: 'weighed', bytes: Number(kib) * 1024 },
    );
  }
  return folders.map((folder, at) => ({ folder, size: told.get(at) ?? { kind: 'late' } }));
}
