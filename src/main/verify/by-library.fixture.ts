import { readFileSync } from 'node:fs';

/** As in `by_library.py`, which wrote what is read here. */
const FLIPS = 150;

/**
 * What a library says of its own file with one bit flipped: it refuses it, it reads something else than data (another name, type, shape or
 * number of parts), or it reads the same structure with whatever data.
 */
export type LibrarySays = 'refuses' | 'reads otherwise' | 'reads';
const LETTERS: Readonly<Record<string, LibrarySays>> = {
  R: 'refuses',
  S: 'reads otherwise',
  '.': 'reads',
};

/** @returns The letters of each specimen, by its path. */
export const saidByLibraries = (): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(
      JSON.parse(readFileSync(new URL('by-library.json', import.meta.url), 'utf8')) as Record<
        string,
        string
      >,
    ),
  );

export interface Flip {
  readonly at: number;
  readonly bytes: Buffer;
  /** Null: no library was asked. */
  readonly library: LibrarySays | null;
}

/** A file with one bit flipped, at places all over it. */
export function* flipsOver(whole: Buffer, letters: string | undefined): Generator<Flip, void> {
  const count = Math.min(whole.length, FLIPS);
  for (let no = 0; no < count; no += 1) {
    const at = Math.floor((no * whole.length) / count);
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (no % 8));
    yield { at, bytes, library: LETTERS[letters?.[no] ?? ''] ?? null };
  }
}
