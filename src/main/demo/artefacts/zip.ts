import { crc32 } from './crc.ts';

export interface ZipEntry {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const LOCAL_HEADER_BYTES = 30;
const CENTRAL_HEADER_BYTES = 46;
const END_BYTES = 22;
const DOS_DATE_1980 = 0x21; // no clock in here: the same entries give the same bytes

/**
 * A zip whose entries are stored, not compressed, as `torch.save` writes it. Each entry's data begins at a multiple of 64
 * bytes (torch pads with an extra field, so that tensors can be memory-mapped).
 */
export function writeStoredZip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of entries) {
    const nameBytes = Buffer.from(name, 'utf8');
    const crc = crc32(bytes);
    const extra = padding(offset + LOCAL_HEADER_BYTES + nameBytes.length);
    const local = Buffer.alloc(LOCAL_HEADER_BYTES);
    local.writeUInt32LE(0x04034b50, 0);
    writeCommonFields(local, 4, crc, bytes.length, nameBytes.length);
    local.writeUInt16LE(extra.length, 28);

    const header = Buffer.alloc(CENTRAL_HEADER_BYTES);
    header.writeUInt32LE(0x02014b50, 0);
    header.writeUInt16LE(0, 4);
    writeCommonFields(header, 6, crc, bytes.length, nameBytes.length);
    header.writeUInt32LE(offset, 42);
    central.push(header, nameBytes);

    parts.push(local, nameBytes, extra, Buffer.from(bytes));
    offset += LOCAL_HEADER_BYTES + nameBytes.length + extra.length + bytes.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, directory, end]);
}

/** The run of fields that local and central headers share, from "version needed" to the name's length. */
function writeCommonFields(
  header: Buffer,
  at: number,
  crc: number,
  size: number,
  nameLength: number,
): void {
  header.writeUInt16LE(0, at); // version needed
  header.writeUInt16LE(0x0800, at + 2); // names are UTF-8
  header.writeUInt16LE(0, at + 4); // stored
  header.writeUInt16LE(0, at + 6);
  header.writeUInt16LE(DOS_DATE_1980, at + 8);
  header.writeUInt32LE(crc, at + 10);
  header.writeUInt32LE(size, at + 14);
  header.writeUInt32LE(size, at + 18);
  header.writeUInt16LE(nameLength, at + 22);
}

/** An extra field (id "FB", filled with "Z", as torch writes it) that moves the data to the next 64-byte border. */
function padding(dataStart: number): Buffer {
  const fill = (64 - ((dataStart + 4) % 64)) % 64;
  const extra = Buffer.alloc(4 + fill, 'Z');
  extra.write('FB', 0, 'latin1');
  extra.writeUInt16LE(fill, 2);
  return extra;
}
