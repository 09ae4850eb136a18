import type { FormatName } from '../../../shared/verify/loaded.ts';
import type { ByteSource } from '../byte-source.ts';
import { NotLoadable } from '../damage.ts';
import { plural } from '../plural.ts';
import type { Format } from '../reading.ts';
import { wait, Walker, walkedFormat, type Walk } from '../walk.ts';
import { walkTar } from './tar.ts';

/** Walks what is packed to its end, and hands on what it unpacks to. */
export type Unpack = (take: (piece: Uint8Array) => void) => Walk<void>;

/** What gzip packs is never more. */
const MOST_RATIO = 1100;
/** So much takes some seconds at most, whatever it is packed in. */
const FREE_BYTES = 256 * 1024 * 1024;

interface Both<T> {
  readonly alone: T;
  readonly tar: T;
}

/** One way of packing, as it is used for a file alone and for a tar, which is then looked at too. */
export function packedFormats(
  names: Both<FormatName>,
  ends: Both<RegExp>,
  unpack: Unpack,
): readonly [alone: Format, tar: Format] {
  return [
    walkedFormat(names.alone, ends.alone, (source) => walkAlone(bounded(unpack, source))),
    walkedFormat(names.tar, ends.tar, (source) => walkWithTar(bounded(unpack, source))),
  ];
}

/** In four bytes Zstandard tells 128 KiB: of a file of some megabytes it would take days to go through all of that. */
export function bounded(unpack: Unpack, { sizeBytes }: ByteSource): Unpack {
  const most = FREE_BYTES + MOST_RATIO * sizeBytes;
  return (take) => {
    let bytes = 0;
    return unpack((piece) => {
      bytes += piece.length;
      if (bytes > most) throw new NotLoadable('unpacking it takes longer than Leasehold gives it');
      take(piece);
    });
  };
}

function* walkAlone(unpack: Unpack): Walk {
  let bytes = 0;
  yield* unpack((piece) => {
    bytes += piece.length;
  });
  return `${plural(bytes, 'byte')} unpacked`;
}

function* walkWithTar(unpack: Unpack): Walk {
  const tar = new Walker(walkTar());
  yield* unpack((piece) => {
    // What unpacks waits for nobody, and neither does the walk of a tar.
    if (tar.take(piece) !== undefined) throw new Error('A tar was waited for.');
  });
  let holds = '';
  yield* wait(async () => {
    holds = await tar.end();
  });
  return holds;
}
