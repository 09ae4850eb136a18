import { expect, it } from 'vitest';
import type { ByteSource } from '../byte-source.ts';
import { readArchive } from './archive.ts';

const DATA_BYTES = 5 * 1024 ** 3;

/** An archive with one stored file beyond four gigabytes, of which only what stands around its content is there. */
function largeArchive(told: { readonly localBytes?: number; readonly endAt?: number } = {}) {
  const large = (value: number): Buffer => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(value));
    return bytes;
  };
  const name = Buffer.from('a');
  const sizes = (bytes: number): Buffer =>
    Buffer.concat([Buffer.from([1, 0, 16, 0]), large(bytes), large(bytes)]);
  const local = Buffer.alloc(30);
  local.write('PK\x03\x04', 'latin1');
  local.fill(0xff, 18, 26);
  local.writeUInt16LE(1, 26);
  local.writeUInt16LE(20, 28);
  const before = Buffer.concat([local, name, sizes(told.localBytes ?? DATA_BYTES)]);
  const entry = Buffer.alloc(46);
  entry.write('PK\x01\x02', 'latin1');
  entry.fill(0xff, 20, 28);
  entry.writeUInt16LE(1, 28);
  entry.writeUInt16LE(20, 30);
  const directory = Buffer.concat([entry, name, sizes(DATA_BYTES)]);
  const directoryAt = before.length + DATA_BYTES;
  const end = Buffer.alloc(56);
  end.write('PK\x06\x06', 'latin1');
  end.writeUInt8(44, 4);
  end.writeUInt8(1, 24);
  end.writeUInt8(1, 32);
  large(directory.length).copy(end, 40);
  large(told.endAt ?? directoryAt).copy(end, 48);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 'latin1');
  large(directoryAt + directory.length).copy(locator, 8);
  locator.writeUInt8(1, 16);
  const smallEnd = Buffer.alloc(22);
  smallEnd.write('PK\x05\x06', 'latin1');
  smallEnd.fill(0xff, 8, 20);
  return sparse(before, Buffer.concat([directory, end, locator, smallEnd]), directoryAt);
}

/** Zeros between both; it counts what it is asked for. */
function sparse(before: Uint8Array, behind: Uint8Array, behindAt: number) {
  const asked = { bytes: 0 };
  const source: ByteSource = {
    sizeBytes: behindAt + behind.length,
    read: (at, length) => {
      asked.bytes += length;
      expect(asked.bytes).toBeLessThan(1024 * 1024);
      const bytes = new Uint8Array(length);
      for (const [part, partAt] of [
        [before, 0],
        [behind, behindAt],
      ] as const) {
        for (const [index, byte] of part.entries()) {
          const place = partAt + index - at;
          if (place >= 0 && place < length) bytes[place] = byte;
        }
      }
      return bytes;
    },
  };
  return source;
}

it('a file beyond four gigabytes is found where it lies, with a look at what stands around it', () => {
  const { members, unreadable } = readArchive(largeArchive());
  expect(unreadable).toBeNull();
  expect(members).toMatchObject([{ name: 'a', dataAt: 51, bytes: DATA_BYTES }]);
});

it('is found out where one of its sizes or places is another', () => {
  expect(() => readArchive(largeArchive({ localBytes: DATA_BYTES - 1 }))).toThrow(
    /another size or checksum/,
  );
  expect(() => readArchive(largeArchive({ endAt: 51 }))).toThrow(/its directory does not reach/);
});
