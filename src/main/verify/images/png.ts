import { createInflate } from 'node:zlib';
import { crc32 } from '../crc32.ts';
import { Damaged } from '../damage.ts';
import { Unpacking } from '../unpacking.ts';
import { need, pass, wait, walkedFormat, type Walk } from '../walk.ts';
import { Scanlines, type PngHeader } from './scanlines.ts';

export const png = walkedFormat('png', /\.png$/i, walkPng);

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const HEADER_BYTES = 13;
/** By the kind of colour: how many numbers a pixel has, and of how many bits each may be. */
const COLOURS: Readonly<Record<number, { readonly samples: number; readonly bits: number[] }>> = {
  0: { samples: 1, bits: [1, 2, 4, 8, 16] },
  2: { samples: 3, bits: [8, 16] },
  3: { samples: 1, bits: [1, 2, 4, 8] },
  4: { samples: 2, bits: [8, 16] },
  6: { samples: 4, bits: [8, 16] },
};
const PALETTE = 3;

/** Each chunk by its checksum and in its place, and the pixels by how many there are. */
function* walkPng(): Walk {
  if (!(yield* need(8)).equals(SIGNATURE)) throw new Damaged('it does not begin as a PNG does');
  const first = yield* chunkLead();
  if (first.type !== 'IHDR' || first.bytes !== HEADER_BYTES) {
    throw new Damaged('its first chunk is no header');
  }
  let content = Buffer.alloc(0);
  yield* chunkBody(first, (piece) => {
    content = Buffer.concat([content, piece]);
  });
  const header = headerOf(content);
  const pixels = new Pixels(header);
  let hasPalette = header.colour !== PALETTE;
  for (let before = 'IHDR'; before !== 'IEND';) {
    const lead = yield* chunkLead();
    const { type } = lead;
    if (before === 'IDAT' && type !== 'IDAT') yield* wait(() => pixels.end());
    const isLate = pixels.isBegun && (type === 'PLTE' || (type === 'IDAT' && before !== 'IDAT'));
    if (isLate || type === 'IHDR') throw new Damaged(`its chunk ${type} is not where it may be`);
    if (isCritical(type) && !['PLTE', 'IDAT', 'IEND'].includes(type)) {
      throw new Damaged(`its chunk ${type} is of no known kind`);
    }
    if (type === 'PLTE') {
      hasPalette = true;
      if (lead.bytes === 0 || lead.bytes % 3 !== 0 || lead.bytes > 768) {
        throw new Damaged('its palette is of no possible size');
      }
    }
    if (type === 'IDAT' && !hasPalette) throw new Damaged('it has no palette before its pixels');
    if (type === 'IEND' && lead.bytes > 0) throw new Damaged('its last chunk is not empty');
    yield* chunkBody(lead, type === 'IDAT' ? (piece) => pixels.take(piece) : () => undefined);
    before = type;
  }
  if (!pixels.isBegun) throw new Damaged('it has no pixels');
  return `${String(header.width)} × ${String(header.height)} pixels`;
}

interface ChunkLead {
  readonly type: string;
  readonly bytes: number;
  readonly crc: number;
}

function* chunkLead(): Walk<ChunkLead> {
  const lead = yield* need(8);
  const type = lead.toString('latin1', 4, 8);
  const bytes = lead.readUInt32BE(0);
  if (!/^[A-Za-z]{4}$/.test(type) || bytes > 2 ** 31 - 1) {
    throw new Damaged('a chunk of it does not begin as one');
  }
  return { type, bytes, crc: crc32(lead.subarray(4)) };
}

function* chunkBody(
  { type, bytes, crc: before }: ChunkLead,
  to: (piece: Uint8Array) => void | Promise<void>,
): Walk<void> {
  let crc = before;
  yield* pass(bytes, (piece) => {
    crc = crc32(piece, crc);
    return to(piece);
  });
  if ((yield* need(4)).readUInt32BE(0) !== crc) {
    throw new Damaged(`its chunk ${type} has another checksum than it should have`);
  }
}

/** A reader must know it, or not read the file. */
const isCritical = (type: string): boolean => type.startsWith(type.charAt(0).toUpperCase());

function headerOf(content: Buffer): PngHeader & { readonly colour: number } {
  const width = content.readUInt32BE(0);
  const height = content.readUInt32BE(4);
  const [bits = 0, colour = 0, compression, filter, interlace = 0] = content.subarray(8);
  const kind = COLOURS[colour];
  const isKnown = kind?.bits.includes(bits) === true && compression === 0 && filter === 0;
  if (!isKnown || interlace > 1 || width === 0 || height === 0) {
    throw new Damaged('its header does not describe an image');
  }
  return {
    width,
    height,
    colour,
    bitsPerPixel: kind.samples * bits,
    isInterlaced: interlace === 1,
  };
}

/** What stands in all chunks of pixels is compressed as one. */
class Pixels {
  readonly #lines: Scanlines;
  #unpacking: Unpacking | null = null;

  constructor(header: PngHeader) {
    this.#lines = new Scanlines(header);
  }

  get isBegun(): boolean {
    return this.#unpacking !== null;
  }

  async take(piece: Uint8Array): Promise<void> {
    this.#unpacking ??= new Unpacking(createInflate(), (row) => this.#lines.take(row));
    if ((await this.#unpacking.take(piece)) !== null) {
      throw new Damaged('there are bytes behind the end of its pixels');
    }
  }

  async end(): Promise<void> {
    await this.#unpacking?.end();
    this.#lines.end();
  }
}
