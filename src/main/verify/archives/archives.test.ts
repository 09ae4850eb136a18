import { once } from 'node:events';
import { constants, createGzip, gunzipSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import {
  cutsOf,
  flipsOf,
  load,
  loadAll,
  passedOf,
  specimen,
  specimensOf,
} from '../load.fixture.ts';

it('what the programs wrote is loaded', async () => {
  expect(await loadAll('archives')).toEqual({
    'gzip-1--named.gz': '360 bytes unpacked',
    'python-3.11--crc32.xz': '360 bytes unpacked',
    'python-3.11--crc64.xz': '360 bytes unpacked',
    'python-3.11--delta.xz': 'not loadable: it is packed in a way that Leasehold does not know',
    'python-3.11--escaping.tgz':
      'not loadable: 2 names in it would lead out of the folder that it is unpacked to',
    'python-3.11--gnu.tar': '3 files, 2 folders and links',
    'python-3.11--log.csv.gz': '360 bytes unpacked',
    'python-3.11--none.xz': '360 bytes unpacked',
    'python-3.11--pax.tar': '3 files, 2 folders and links',
    'python-3.11--settings.xz': '120620 bytes unpacked',
    'python-3.11--several.tar.gz': '3 files, 2 folders and links',
    'python-3.11--several.tar.xz': '3 files, 2 folders and links',
    'python-3.11--sha256.xz': '360 bytes unpacked',
    'python-3.11--two-members.gz': '360 bytes unpacked',
    'python-3.11--ustar.tar': '3 files, 2 folders and links',
    'tar-1--sparse-pax.tar': '2 files',
    'tar-1--sparse.tar': '2 files',
    'webdataset-1.0.2--shard-000000.tar': '12 files',
    'webdataset-1.0.2--shard-000000.tar.gz': '12 files',
    'xz-5.4.1--blocks.xz': '120260 bytes unpacked',
    'zstandard-0.25.0--mixed.zst': '120620 bytes unpacked',
    'zstandard-0.25.0--several.tar.zst': '3 files, 2 folders and links',
  });
});

it.each(specimensOf('archives'))('%s is read in pieces of any size', async (name) => {
  const whole = specimen(`archives/${name}`);
  const loaded = await load(name, whole);
  for (const bytes of [7, 100, 512]) expect(await load(name, whole, bytes)).toEqual(loaded);
});

it.each([
  'gzip-1--named.gz',
  'python-3.11--several.tar.gz',
  'webdataset-1.0.2--shard-000000.tar.gz',
])('%s is found out wherever it is cut off', async (name) => {
  const cuts = [...cutsOf(specimen(`archives/${name}`))];
  // Behind its end, zeros may stand.
  expect(await passedOf(name, cuts)).toEqual([cuts.length - 1]);
});

it('members that were cut off are found out, but for those of which nothing is left', async () => {
  const whole = specimen('archives/python-3.11--two-members.gz');
  const passed = await passedOf('x.gz', cutsOf(whole));
  const ends = whole.length - 10;
  expect(passed.filter((at) => at < ends)).toEqual([whole.indexOf(Buffer.from([0x1f, 0x8b]), 1)]);
});

it('gz is found out with any bit flipped that means something', async () => {
  const whole = specimen('archives/gzip-1--named.gz');
  // Time, level and system, and the name, which have no checksum.
  const head = 10 + 'log.csv\0'.length;
  expect(await passedOf('x.gz', flipsOf(whole, 0, 3))).toEqual([]);
  const flips = [...flipsOf(whole, head, whole.length)];
  const passed = await passedOf('x.gz', flips);
  // Bits behind the end of what is compressed, and a copy that is taken from another place where the same stands.
  expect(passed.length).toBeLessThan(10);
  for (const at of passed) {
    expect(gunzipSync(flips[at] ?? '').equals(gunzipSync(whole))).toBe(true);
  }
});

/** As a program writes a log: each line is on the disk before the next. */
async function flushedByLine(
  lines: readonly string[],
  flush: number,
): Promise<[open: Buffer, whole: Buffer]> {
  const packing = createGzip();
  const pieces: Buffer[] = [];
  packing.on('data', (piece: Buffer) => pieces.push(piece));
  for (const line of lines) {
    packing.write(line);
    await new Promise<void>((resolve) => packing.flush(flush, resolve));
  }
  const open = Buffer.concat(pieces);
  packing.end();
  await once(packing, 'end');
  return [open, Buffer.concat(pieces)];
}

it.each(['Z_SYNC_FLUSH', 'Z_FULL_FLUSH', 'Z_PARTIAL_FLUSH', 'Z_BLOCK'] as const)(
  'gz that was flushed line by line (%s) is loaded, and of one that nobody ended it is said how much is there',
  async (flush) => {
    const lines = Array.from({ length: 5 }, (_, no) => `{"step":${String(no)}}\n`);
    const [open, whole] = await flushedByLine(lines, constants[flush]);
    expect(await load('x.gz', whole)).toMatchObject({ holds: '55 bytes unpacked' });
    expect(await load('x.gz', Buffer.concat([whole, whole]))).toMatchObject({
      holds: '110 bytes unpacked',
    });
    expect(await load('x.gz', open)).toMatch(
      /^damaged: it is cut off: its end was never written; what is there unpacks to \d+ bytes$/,
    );
    expect(typeof (await load('x.gz', Buffer.concat([open, whole])))).toBe('string');
  },
);

it('behind the end of a gz nothing but zeros may stand', async () => {
  const [whole, more] = [gzipSync('a'), Buffer.from('more')];
  expect(await load('x.gz', Buffer.concat([whole, more]))).toBe(
    'damaged: there are bytes behind its end',
  );
});

const tarBytes = specimen('archives/python-3.11--ustar.tar');
/** Of the last file’s content and the two blocks of zeros behind it. */
const END = 10 * 512;

it('a tar is found out wherever it is cut off', async () => {
  const passed = await passedOf('x.tar', cutsOf(tarBytes));
  // It is filled up with blocks of zeros, of which nobody misses one.
  expect(passed.filter((at) => at % 512 !== 0)).toEqual([]);
  expect(Math.min(...passed)).toBe(END);
});

it('a tar is found out with any bit of a header flipped', async () => {
  const passed = await passedOf('x.tar', flipsOf(tarBytes, 0, 512));
  // The sum itself may be written in several ways.
  expect(passed.filter((bit) => bit < 148 * 8 || bit >= 156 * 8)).toEqual([]);
  expect(passed.length).toBeLessThan(4);
});

it('a file with holes is of a version that there is', async () => {
  const whole = specimen('archives/tar-1--sparse-pax.tar');
  const at = whole.indexOf('GNU.sparse.major=') + 'GNU.sparse.major='.length;
  const passed = await passedOf('x.tar', flipsOf(whole, at, at + 1));
  // One of the two that there are becomes the other.
  expect(passed).toEqual([0]);
});

it('a tar.gz is told by what is in it', async () => {
  const inner = Buffer.from(tarBytes);
  inner[0] = (inner[0] ?? 0) ^ 1;
  expect(await load('x.tgz', gzipSync(inner))).toBe(
    'damaged: a header in it has another checksum than it should have',
  );
  expect(await load('x.tar.gz', gzipSync(tarBytes.subarray(0, 1024)))).toBe(
    'damaged: it is cut off',
  );
});

it('unpacks in pieces, however much it becomes', async () => {
  const before = process.memoryUsage().arrayBuffers;
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  expect(await load('x.gz', bomb)).toMatchObject({ holds: '67108864 bytes unpacked' });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
});

function headerOf(name: string, type: string, size: string): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write(size, 124, 'latin1');
  header.write(type, 156);
  header.fill(0x20, 148, 156);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}

it.each([
  ['a size beyond the file', headerOf('a', '0', '77777777777'), 'it is cut off'],
  [
    'a size that is none',
    headerOf('a', '0', '12x'),
    'a header in it tells no number where one must be',
  ],
  [
    'a size beyond all numbers',
    headerOf('a', '0', '\x80'.padEnd(12, '\xff')),
    'a header in it tells no number where one must be',
  ],
  [
    'settings that are cut off',
    Buffer.concat([
      headerOf('a', 'x', '5'),
      Buffer.from('99 a=').subarray(0, 5),
      Buffer.alloc(507),
    ]),
    'what stands before a file is cut off',
  ],
])('a tar with %s is damaged', async (_what, bytes, because) => {
  expect(await load('x.tar', bytes)).toBe(`damaged: ${because}`);
});

it('a name of more than any length is not held', async () => {
  expect(await load('x.tar', headerOf('a', 'L', '77777777777'))).toBe(
    'not loadable: it has a name longer than Leasehold reads',
  );
});
