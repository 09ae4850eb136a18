import { crc32 } from 'node:zlib';

/** One file of an archive that is built by hand, so that each of its fields can lie. */
export interface Told {
  readonly name: string;
  /** As it stands in the archive. */
  readonly packed: Uint8Array;
  readonly method?: number;
  readonly flags?: number;
  /** Of what is unpacked; absent: as it is. */
  readonly bytes?: number;
  readonly crc?: number;
  /** The header before the content says another thing than the directory. */
  readonly local?: { readonly name?: string; readonly bytes?: number; readonly method?: number };
  /** Where the directory says that it begins; absent: where it does. */
  readonly headerAt?: number;
}

export function buildZip(files: readonly Told[], between: Uint8Array = new Uint8Array(0)): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const told of files) {
    const { name, packed, method = 0, flags = 0, local = {} } = told;
    const { bytes = packed.length, crc = crc32(packed), headerAt = at } = told;
    const localName = Buffer.from(local.name ?? name);
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50);
    header.writeUInt16LE(20, 4);
    header.writeUInt16LE(flags, 6);
    header.writeUInt16LE(local.method ?? method, 8);
    header.writeUInt32LE(crc, 14);
    header.writeUInt32LE(packed.length, 18);
    header.writeUInt32LE(local.bytes ?? bytes, 22);
    header.writeUInt16LE(localName.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50);
    entry.writeUInt16LE(20, 6);
    entry.writeUInt16LE(flags, 8);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(crc, 16);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(bytes, 24);
    entry.writeUInt16LE(Buffer.byteLength(name), 28);
    entry.writeUInt32LE(headerAt, 42);
    parts.push(header, localName, Buffer.from(packed), Buffer.from(between));
    at += header.length + localName.length + packed.length + between.length;
    directory.push(entry, Buffer.from(name));
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, entries, end]);
}
