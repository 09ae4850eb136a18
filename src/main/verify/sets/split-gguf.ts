import { readGgufHeader } from '../gguf/gguf.ts';
import { Damaged } from '../damage.ts';
import { plural } from '../plural.ts';
import { quoted } from '../quoted.ts';
import type { FileSet } from './file-set.ts';

const PART = /^(.*)-(\d{5})-of-(\d{5})(\.gguf)$/i;

/** A model in parts, as llama.cpp reads it from its first one: `model-00001-of-00003.gguf`. */
export const splitGguf: FileSet = {
  kind: 'split-gguf',
  leads: /-00001-of-\d{5}\.gguf$/i,
  async read(leader, folder) {
    const [, name = '', , digits = '', end = ''] = PART.exec(leader) ?? [];
    const count = Number(digits);
    let [tensors, wanted] = [0, 0];
    for (let no = 1; no <= count; no += 1) {
      const part = `${name}-${String(no).padStart(5, '0')}-of-${digits}${end}`;
      if (!folder.members.has(part)) {
        throw new Damaged(`of its ${plural(count, 'part')}, ${quoted(part)} is not here`);
      }
      const header = await folder.open(part, readGgufHeader);
      const said = header.numbers.get('split.no');
      if (said !== no - 1 || header.numbers.get('split.count') !== count) {
        throw new Damaged(`${quoted(part)} says of itself that it is another part`);
      }
      tensors += header.tensors.length;
      if (no === 1) wanted = header.numbers.get('split.tensors.count') ?? -1;
    }
    if (tensors !== wanted) {
      throw new Damaged(
        `its first part says ${plural(wanted, 'tensor')}, and its parts have ${String(tensors)}`,
      );
    }
    return `${plural(count, 'part')}, ${plural(tensors, 'tensor')}`;
  },
};
