import { Damaged } from '../damage.ts';
import { quoted } from '../quoted.ts';
import type { Format } from '../reading.ts';
import { readArchive } from '../zip/archive.ts';
import { zip } from '../zip/zip.ts';

/** What a model is made of; its weights lie in one file of HDF5, or in several with a list of them. */
const NEEDED: readonly (readonly [string, RegExp])[] = [
  ['config.json', /^config\.json$/],
  ['metadata.json', /^metadata\.json$/],
  ['model.weights.h5', /^model\.weights\.(?:h5|json)$/],
];

/** A model as Keras 3 saves it: an archive, of which each file is unpacked and has its checksum. */
export const keras: Format = {
  name: 'keras',
  ends: /\.keras$/i,
  open: (source) => {
    const { members } = readArchive(source);
    for (const [name, needed] of NEEDED) {
      if (!members.some((member) => needed.test(member.name))) {
        throw new Damaged(`${quoted(name)} is missing in it`);
      }
    }
    const archive = zip.open(source);
    return {
      take: (piece, at) => archive.take(piece, at),
      end: async () => {
        const found = await archive.end();
        return found.kind === 'loaded' ? { ...found, format: 'keras' } : found;
      },
    };
  },
};
