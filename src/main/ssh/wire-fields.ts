/** SSH's own "string": a length of four bytes, and so many bytes. Keys, agents and key files are made of it. */
export function field(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** The first field, and what follows it; null where there is no whole one. */
export function readField(bytes: Buffer): [Buffer | null, Buffer] {
  const end = bytes.length >= 4 ? 4 + bytes.readUInt32BE(0) : Infinity;
  return end > bytes.length ? [null, bytes] : [bytes.subarray(4, end), bytes.subarray(end)];
}
