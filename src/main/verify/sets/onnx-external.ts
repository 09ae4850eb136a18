import { Damaged } from '../damage.ts';
import type { ExternalTensor } from '../onnx/tensor.ts';
import { readExternalTensors } from '../onnx/onnx.ts';
import { plural } from '../plural.ts';
import { quoted } from '../quoted.ts';
import type { FileSet } from './file-set.ts';

/** A model of ONNX whose tensors lie in files beside it. */
export const onnxExternal: FileSet = {
  kind: 'onnx-external',
  leads: /\.onnx$/i,
  async read(leader, folder) {
    const tensors = await folder.open(leader, readExternalTensors);
    if (tensors.length === 0) return null;
    const files = new Map<string, ExternalTensor[]>();
    for (const tensor of tensors) {
      const name = tensor.location.replace(/^(?:\.\/)+/, '');
      const lying = files.get(name);
      if (lying === undefined) files.set(name, [tensor]);
      else lying.push(tensor);
    }
    for (const [name, lying] of files) {
      if (!folder.members.has(name) || name === leader) {
        throw new Damaged(`its tensors lie in ${quoted(name)}, which is not here`);
      }
      const sizeBytes = await folder.open(name, (source) => source.sizeBytes);
      for (const tensor of lying) checkPlace(tensor, name, sizeBytes);
    }
    return `${plural(tensors.length, 'tensor')} in ${plural(files.size, 'file')} beside it`;
  },
};

function checkPlace(
  { name, offset, length, bytes }: ExternalTensor,
  file: string,
  sizeBytes: number,
): void {
  const there = length ?? sizeBytes - offset;
  if (there !== bytes) {
    throw new Damaged(
      `the tensor ${quoted(name)} has ${String(there)} bytes in ${quoted(file)}, which its shape does not fill`,
    );
  }
  if (offset + bytes > sizeBytes) {
    throw new Damaged(`the tensor ${quoted(name)} ends behind the end of ${quoted(file)}`);
  }
}
