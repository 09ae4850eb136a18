/** A float32 tensor in row-major order. */
export interface Tensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

export function elementCount(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

/** The values as the files hold them: little-endian on every machine this runs on (x64 and arm64). */
export function toBytes(tensor: Tensor): Buffer {
  const { buffer, byteOffset, byteLength } = tensor.values;
  return Buffer.from(buffer, byteOffset, byteLength);
}
