// The oldest form that every tar reads, with the two additions that GNU made and busybox knows: names and sizes of any length.

const BLOCK = 512;
/** The twelve bytes of a size hold eleven octal digits. */
const MAX_OCTAL = 8 ** 11;

export interface TarEntry {
  readonly path: string;
  readonly kind: 'file' | 'link';
  readonly bytes: number;
  readonly mode: number;
  readonly modifiedAtS: number;
  /** Of a link. */
  readonly target?: string;
}

/** What stands before an entry's bytes. */
export function tarHeader(entry: TarEntry): Buffer {
  const { path, target = '' } = entry;
  return Buffer.concat([
    ...longName('L', path),
    ...longName('K', target),
    header({ ...entry, type: entry.kind === 'file' ? '0' : '2' }),
  ]);
}

/** What fills an entry's last block. */
export function tarPadding(bytes: number): Buffer {
  return Buffer.alloc((BLOCK - (bytes % BLOCK)) % BLOCK);
}

export const TAR_END: Buffer = Buffer.alloc(2 * BLOCK);

/** Nothing where it fits into the header. */
function longName(type: 'L' | 'K', text: string): readonly Buffer[] {
  const name = Buffer.from(`${text}\0`, 'utf8');
  if (name.length <= 100) return [];
  const before = {
    path: '././@LongLink',
    bytes: name.length,
    mode: 0o644,
    modifiedAtS: 0,
    type,
  };
  return [header({ ...before, kind: 'file' }), name, tarPadding(name.length)];
}

function header({
  path,
  bytes,
  mode,
  modifiedAtS,
  target = '',
  type,
}: TarEntry & { readonly type: string }): Buffer {
  const block = Buffer.alloc(BLOCK);
  Buffer.from(path, 'utf8').copy(block, 0, 0, 100);
  block.write(octal(mode, 7), 100, 'latin1');
  block.write(octal(0, 7), 108, 'latin1');
  block.write(octal(0, 7), 116, 'latin1');
  writeSize(block, bytes);
  block.write(octal(Math.max(0, Math.floor(modifiedAtS)), 11), 136, 'latin1');
  block.write(' '.repeat(8), 148, 'latin1');
  block.write(type, 156, 'latin1');
  Buffer.from(target, 'utf8').copy(block, 157, 0, 100);
  block.write('ustar  \0', 257, 'latin1');
  let sum = 0;
  for (const byte of block) sum += byte;
  block.write(`${octal(sum, 6)}\0 `, 148, 'latin1');
  return block;
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');

/** Beyond eight GiB in binary, as GNU tar does. */
function writeSize(block: Buffer, bytes: number): void {
  if (bytes < MAX_OCTAL) block.write(octal(bytes, 11), 124, 'latin1');
  else {
    block[124] = 0x80;
    block.writeBigUInt64BE(BigInt(bytes), 128);
  }
}
