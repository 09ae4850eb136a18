/** A file as a check reads it: any part of it, whole. What lies outside of it is never asked for. */
export interface ByteSource {
  readonly sizeBytes: number;
  read(at: number, length: number): Uint8Array;
}
