import type { FormatName, Loaded } from '../../shared/verify/loaded.ts';
import type { ByteSource } from './byte-source.ts';
import { NumberScan, type NumberSpan } from './number-scan.ts';

/**
 * What a file is read as while it passes by once, from its beginning to its end. It throws `Damaged` or `NotLoadable` where it is not
 * that. A piece is read into again once it was taken.
 */
export interface Reading {
  take(piece: Uint8Array, at: number): void | Promise<void>;
  end(): Loaded | Promise<Loaded>;
}

/** One kind of file, as its folder of readers tells it to `formats.ts`. */
export interface Format {
  readonly name: FormatName;
  /** By the end of the name: what a file is called is what it will be loaded as. */
  readonly ends: RegExp;
  /** Where an ending says little (`.bin`): whether the first bytes of a file are of this kind. */
  readonly begins?: (head: Uint8Array) => boolean;
  readonly open: (source: ByteSource) => Reading;
}

/** What the structure of a file says, before its numbers are looked at. */
export interface Structure {
  readonly holds: string;
  /** In the order in which they lie in the file. */
  readonly spans: readonly NumberSpan[];
}

/** A format whose structure is read at once, and whose numbers are looked at while it passes by. */
export function tensorFormat(
  name: FormatName,
  ends: RegExp,
  read: (source: ByteSource) => Structure,
): Format {
  const open = (source: ByteSource): Reading => {
    const { holds, spans } = read(source);
    const scan = new NumberScan(spans);
    return {
      take: (piece, at) => scan.take(piece, at),
      end: () => {
        const numbers = scan.found();
        return { kind: 'loaded', format: name, holds, ...(numbers === null ? {} : { numbers }) };
      },
    };
  };
  return { name, ends, open };
}
