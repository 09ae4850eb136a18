import { maskedCrc32c } from '../../../shared/verify/crc32c.ts';

/** One point of a scalar series, as TensorBoard shows it. */
export interface ScalarEvent {
  readonly tag: string;
  readonly step: number;
  readonly value: number;
  readonly wallTimeS: number;
}

/** The record that every events file begins with. */
export function writeFileVersion(wallTimeS: number): Buffer {
  return frame(
    Buffer.concat([doubleField(1, wallTimeS), bytesField(3, Buffer.from('brain.Event:2'))]),
  );
}

export function writeScalars(events: readonly ScalarEvent[]): Buffer {
  return Buffer.concat(events.map((event) => frame(encodeScalar(event))));
}

/** TFRecord framing: length, its CRC, the data, its CRC. */
function frame(data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeBigUInt64LE(BigInt(data.length), 0);
  head.writeUInt32LE(maskedCrc32c(head.subarray(0, 8)), 8);
  const foot = Buffer.alloc(4);
  foot.writeUInt32LE(maskedCrc32c(data), 0);
  return Buffer.concat([head, data, foot]);
}

/** Event { wall_time = 1, step = 2, summary = 5 { value = 1 { tag = 1, simple_value = 2 } } } */
function encodeScalar({ tag, step, value, wallTimeS }: ScalarEvent): Buffer {
  const summaryValue = Buffer.concat([
    bytesField(1, Buffer.from(tag, 'utf8')),
    floatField(2, value),
  ]);
  return Buffer.concat([
    doubleField(1, wallTimeS),
    varintField(2, step),
    bytesField(5, bytesField(1, summaryValue)),
  ]);
}

function doubleField(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(9, (field << 3) | 1);
  bytes.writeDoubleLE(value, 1);
  return bytes;
}

function floatField(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(5, (field << 3) | 5);
  bytes.writeFloatLE(value, 1);
  return bytes;
}

function varintField(field: number, value: number): Buffer {
  return Buffer.concat([Buffer.from([field << 3]), varint(value)]);
}

function bytesField(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(field << 3) | 2]), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
  return Buffer.from(bytes);
}
