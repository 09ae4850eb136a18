import type { BoxFile, LinkEnd } from '../../../shared/files/box-file.ts';
import { formatBytes, UNKNOWN } from '../../ui/format.ts';

const KIND_WORDS: Readonly<Record<BoxFile['kind'], string>> = {
  file: 'File',
  folder: 'Folder',
  link: 'Link',
  other: 'Special file',
};

/** `Link to a folder`, `Broken link`: what Enter would meet. */
export function kindWords({ kind }: BoxFile, end: LinkEnd | null): string {
  if (kind !== 'link' || end === null) return KIND_WORDS[kind];
  if (end.kind === null) return 'Unreadable link';
  return end.kind === 'nothing' ? 'Broken link' : `Link to a ${KIND_WORDS[end.kind].toLowerCase()}`;
}

/** Only of a file it says anything that a person asks for. */
export function sizeWords({ kind, sizeBytes }: BoxFile): string {
  if (kind !== 'file') return '–';
  return sizeBytes === null ? UNKNOWN : formatBytes(sizeBytes);
}

/** `rw-r--r--`, as everybody who works with such boxes reads it. */
export function modeWords(mode: number | null): string {
  if (mode === null) return UNKNOWN;
  return [6, 3, 0]
    .map((shift) => {
      const bits = (mode >> shift) & 7;
      return `${bits & 4 ? 'r' : '-'}${bits & 2 ? 'w' : '-'}${bits & 1 ? 'x' : '-'}`;
    })
    .join('');
}
