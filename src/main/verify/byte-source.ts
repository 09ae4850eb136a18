/** A file as a check reads it: any part of it, whole. What lies outside of it is never asked for. */
export interface ByteSource {
  readonly sizeBytes: number;
  read(at: number, length: number): Uint8Array;
}

/** A part of a file, as if it were one. */
export const partOf = (source: ByteSource, from: number, sizeBytes: number): ByteSource => ({
  sizeBytes,
  read: (at, length) => source.read(from + at, length),
});
