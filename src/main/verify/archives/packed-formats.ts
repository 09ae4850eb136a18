import type { FormatName } from '../../../shared/verify/loaded.ts';
import { plural } from '../plural.ts';
import type { Format } from '../reading.ts';
import { wait, Walker, walkedFormat, type Walk } from '../walk.ts';
import { walkTar } from './tar.ts';

/** Walks what is packed to its end, and hands on what it unpacks to. */
export type Unpack = (take: (piece: Uint8Array) => void) => Walk<void>;

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
    walkedFormat(names.alone, ends.alone, () => walkAlone(unpack)),
    walkedFormat(names.tar, ends.tar, () => walkWithTar(unpack)),
  ];
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
