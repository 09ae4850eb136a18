import { NotLoadable } from '../damage.ts';
import type { Format } from '../reading.ts';
import { plural } from '../plural.ts';
import { readArchive } from './archive.ts';
import { MemberPass } from './member-pass.ts';

export const zip: Format = {
  name: 'zip',
  ends: /\.(?:zip|pt2)$/i,
  open: (source) => {
    const archive = readArchive(source, true);
    const pass = new MemberPass(archive, () => null);
    return {
      take: (piece, at) => (archive.unreadable === null ? pass.take(piece, at) : undefined),
      end: () => {
        if (archive.unreadable !== null) throw new NotLoadable(archive.unreadable);
        const files = archive.members.filter(({ name }) => !name.endsWith('/'));
        const bytes = files.reduce((sum, member) => sum + member.bytes, 0);
        const { bytesBefore } = archive;
        const before =
          bytesBefore === 0 ? '' : `; ${plural(bytesBefore, 'byte')} before it are no part of it`;
        const holds = `${plural(files.length, 'file')}, ${plural(bytes, 'byte')} unpacked${before}`;
        return { kind: 'loaded', format: 'zip', holds };
      },
    };
  },
};
