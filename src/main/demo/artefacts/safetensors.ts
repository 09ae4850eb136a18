import { toBytes, type Tensor } from './tensor.ts';

/** A `.safetensors` file: header length, JSON header padded with blanks to 8 bytes, then the values without gaps. */
export function writeSafetensors(
  tensors: readonly Tensor[],
  metadata: Readonly<Record<string, string>>,
): Buffer {
  const header: Record<string, unknown> = { __metadata__: metadata };
  let offset = 0;
  for (const tensor of tensors) {
    const end = offset + tensor.values.byteLength;
    header[tensor.name] = { dtype: 'F32', shape: tensor.shape, data_offsets: [offset, end] };
    offset = end;
  }
  const json = Buffer.from(JSON.stringify(header), 'utf8');
  const padding = Buffer.alloc((8 - (json.length % 8)) % 8, ' ');
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length + padding.length));
  return Buffer.concat([length, json, padding, ...tensors.map(toBytes)]);
}
