import type { Sentinel } from './sentinel.ts';

/** Between the fields of one; a tab stands between one and the next. Neither can be part of what the person typed. */
const UNIT = '\u001f';

/** What resources/onbox/sentinel.sh is asked, in one value. */
export function questionOf(sentinels: readonly Sentinel[]): string {
  return sentinels.map((each) => fieldsOf(each).join(UNIT)).join('\t');
}

function fieldsOf({ awaited, base }: Sentinel): readonly string[] {
  switch (awaited.kind) {
    case 'process':
      return ['process', String(awaited.pid), awaited.name === '' ? 'yes' : 'no'];
    case 'file':
      return ['path', awaited.path];
    case 'line': {
      const { path, text } = awaited;
      if (base?.kind !== 'line') return ['line', path, text, '', 'end', 'end', 'none'];
      // So that a text is found that stands on both sides of the offset, and none that stood before it as a whole.
      const from = Math.max(0, base.offset - (utf8Bytes(text) - 1));
      return [
        'line',
        path,
        text,
        base.inode ?? '',
        String(base.offset),
        String(from),
        String(base.print ?? 'none'),
      ];
    }
    case 'count':
    case 'newest':
      return [awaited.kind, awaited.folder, `*${asPattern(awaited.ending)}`];
  }
}

/** What means itself in a pattern of names. */
function asPattern(text: string): string {
  return text.replace(/[\\*?[\]]/g, '\\$&');
}

function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4;
  }
  return bytes;
}
