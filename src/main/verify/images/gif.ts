import { Damaged } from '../damage.ts';
import { plural } from '../plural.ts';
import { need, pass, walkedFormat, type Walk } from '../walk.ts';
import { GifPixels } from './gif-pixels.ts';

export const gif = walkedFormat('gif', /\.gif$/i, walkGif);

const [IMAGE, EXTENSION, END] = [0x2c, 0x21, 0x3b];

/** From block to block to the end. Its pixels have no checksum, and are unpacked as far as to be counted. */
function* walkGif(): Walk {
  const mark = (yield* need(6)).toString('latin1');
  if (mark !== 'GIF87a' && mark !== 'GIF89a') throw new Damaged('it does not begin as a GIF does');
  const screen = yield* need(7);
  yield* colours(screen[4] ?? 0);
  let images = 0;
  for (;;) {
    const [block] = yield* need(1);
    // Some writers fill up with zeros, which every reader passes over.
    if (block === 0) continue;
    if (block === END) break;
    if (block === IMAGE) {
      const place = yield* need(9);
      const pixelCount = place.readUInt16LE(4) * place.readUInt16LE(6);
      if (pixelCount === 0) throw new Damaged('an image of it has no size');
      yield* colours(place[8] ?? 0);
      const [codeBits = 0] = yield* need(1);
      if (codeBits < 1 || codeBits > 11) throw new Damaged('its pixels have no possible codes');
      const pixels = new GifPixels(codeBits, pixelCount);
      yield* parts((piece) => pixels.take(piece));
      pixels.end();
      images += 1;
    } else if (block === EXTENSION) {
      yield* need(1);
      yield* parts();
    } else throw new Damaged('it has a block of no known kind');
  }
  if (images === 0) throw new Damaged('it has no image');
  const size = `${String(screen.readUInt16LE(0))} × ${String(screen.readUInt16LE(2))} pixels`;
  return images === 1 ? size : `${plural(images, 'image')} of ${size}`;
}

function* colours(flags: number): Walk<void> {
  if ((flags & 0x80) !== 0) yield* pass(3 * 2 ** ((flags & 7) + 1));
}

/** Each with its length before it, up to one of none. */
function* parts(to?: (piece: Uint8Array) => void): Walk<void> {
  for (;;) {
    const [bytes = 0] = yield* need(1);
    if (bytes === 0) return;
    yield* pass(bytes, to);
  }
}
