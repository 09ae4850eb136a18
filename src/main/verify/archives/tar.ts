import { Damaged, NotLoadable } from '../damage.ts';
import { plural } from '../plural.ts';
import { need, pass, peek, walkedFormat, type Walk } from '../walk.ts';

export const tar = walkedFormat('tar', /\.tar$/i, walkTar);

const BLOCK = 512;
/** Of the names and settings that stand before a file which needs more room for them. */
const MAX_EXTRA_BYTES = 512 * 1024;
const [PAX, PAX_FOR_ALL, LONG_NAME, LONG_LINK, SPARSE] = ['x', 'g', 'L', 'K', 'S'];
/** How a file with holes is told of in such settings. */
const SPARSE_VERSIONS = ['0', '1'];
/** Links, devices, folders and pipes have no content, whatever size they tell. */
const WITHOUT_CONTENT = '123456';
const FILES = '07';

/** Each header by its checksum, each content by its length, to the blocks of zeros at the end. */
export function* walkTar(): Walk {
  let [files, others, escaping] = [0, 0, 0];
  let next: Extra = {};
  for (;;) {
    const header = yield* need(BLOCK);
    if (isZero(header)) break;
    checkSum(header);
    const type = header.toString('latin1', 156, 157).replace('\0', '0');
    const bytes = next.bytes ?? numberIn(header, 124, 12);
    if ([PAX, PAX_FOR_ALL, LONG_NAME, LONG_LINK].includes(type)) {
      const content = yield* extraContent(bytes);
      if (type === LONG_NAME) next = { ...next, name: untilZero(content) };
      if (type === PAX) next = { ...next, ...paxOf(content) };
      continue;
    }
    if (type === SPARSE) yield* sparseParts(header);
    const name = next.name ?? nameIn(header);
    if (leadsOut(name)) escaping += 1;
    if (FILES.includes(type) || type === SPARSE) files += 1;
    else others += 1;
    if (!WITHOUT_CONTENT.includes(type)) yield* padded(bytes);
    next = {};
  }
  if (next.name !== undefined || next.bytes !== undefined) {
    throw new Damaged('it ends where a file was announced');
  }
  if (!isZero(yield* need(BLOCK))) throw new Damaged('it goes on behind its end');
  // Filled up to the length that a tape takes at once.
  while ((yield* peek()) !== null) {
    if (!isZero(yield* need(BLOCK))) throw new Damaged('there are bytes behind its end');
  }
  if (escaping > 0) {
    throw new NotLoadable(
      `${plural(escaping, 'name')} in it would lead out of the folder that it is unpacked to`,
    );
  }
  return others === 0
    ? plural(files, 'file')
    : `${plural(files, 'file')}, ${String(others)} folders and links`;
}

/** What stands before a file, for it alone. */
interface Extra {
  readonly name?: string;
  readonly bytes?: number;
}

const isZero = (block: Uint8Array): boolean => block.every((byte) => byte === 0);
const untilZero = (bytes: Buffer): string => bytes.toString('utf8').split('\0', 1)[0] ?? '';

/** The sum of all its bytes, with blanks where the sum stands; of old, bytes counted from -128. */
function checkSum(header: Buffer): void {
  const blanked = Buffer.from(header).fill(0x20, 148, 156);
  const told = numberIn(header, 148, 8);
  const sum = blanked.reduce((all, byte) => all + byte, 0);
  const signed = blanked.reduce((all, byte) => all + (byte > 127 ? byte - 256 : byte), 0);
  if (told !== sum && told !== signed) {
    throw new Damaged('a header in it has another checksum than it should have');
  }
}

/** In octal digits, or as a number of 256s where the first bit says so. */
function numberIn(header: Buffer, at: number, length: number): number {
  const field = header.subarray(at, at + length);
  const [first = 0] = field;
  if (first === 0x80) {
    const value = field.subarray(1).reduce((all, byte) => all * 256 + byte, 0);
    if (Number.isSafeInteger(value)) return value;
  }
  // linear-regexp: a field has 12 bytes at most
  const [, digits] = /^ *([0-7]{0,12})[ \0]*$/.exec(field.toString('latin1')) ?? [];
  if (digits === undefined) throw new Damaged('a header in it tells no number where one must be');
  return digits === '' ? 0 : Number.parseInt(digits, 8);
}

function nameIn(header: Buffer): string {
  const name = untilZero(header.subarray(0, 100));
  const hasPrefix = header.toString('latin1', 257, 263) === 'ustar\0';
  const prefix = hasPrefix ? untilZero(header.subarray(345, 500)) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

const leadsOut = (name: string): boolean =>
  /^(?:[\\/]|[A-Za-z]:)/.test(name) || name.split(/[\\/]/).includes('..');

function* padded(bytes: number): Walk<void> {
  yield* pass(bytes);
  yield* pass((BLOCK - (bytes % BLOCK)) % BLOCK);
}

function* extraContent(bytes: number): Walk<Buffer> {
  if (bytes > MAX_EXTRA_BYTES) throw new NotLoadable('it has a name longer than Leasehold reads');
  const content = yield* need(bytes);
  yield* pass((BLOCK - (bytes % BLOCK)) % BLOCK);
  return content;
}

/** Lines with their length before them: `18 path=some/name`. */
function paxOf(content: Buffer): Extra {
  let extra: Extra = {};
  for (let at = 0; at < content.length;) {
    const [lead = '', digits] = /^(\d{1,7}) /.exec(content.toString('latin1', at, at + 8)) ?? [];
    const end = at + Number(digits ?? 0);
    const isLine = end > at + lead.length && end <= content.length && content[end - 1] === 0x0a;
    const [, key, value = ''] =
      /^([^=]+)=(.*)$/s.exec(content.toString('utf8', at + lead.length, end - 1)) ?? [];
    if (!isLine || key === undefined) throw new Damaged('what stands before a file is cut off');
    if (key === 'path') extra = { ...extra, name: value };
    if (key === 'GNU.sparse.major' && !SPARSE_VERSIONS.includes(value)) {
      throw new Damaged('a file with holes in it is of no known version');
    }
    if (key === 'size') extra = { ...extra, bytes: sizeOf(value) };
    at = end;
  }
  return extra;
}

function sizeOf(value: string): number {
  const bytes = /^\d{1,16}$/.test(value) ? Number(value) : NaN;
  if (!Number.isSafeInteger(bytes)) throw new Damaged('what stands before a file tells no size');
  return bytes;
}

/** Where its parts lie may take more blocks than the header. */
function* sparseParts(header: Buffer): Walk<void> {
  let hasMore = header[482] !== 0;
  while (hasMore) hasMore = (yield* need(BLOCK))[504] !== 0;
}
