import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { PullWay } from '../../shared/transfer/pull-way.ts';
import { hasSshd, type SshdOptions } from '../ssh/sshd.fixture.ts';
import { useOwnTmp } from '../storage/own-tmp.fixture.ts';
import { PullingBox } from './pulling-box.fixture.ts';

useOwnTmp();

/** Of however little, from a box that is far, as over any link that is slower than the fastest. */
const SLOW = { worthBytes: 1, worthFarBytes: 1, farMs: 0, slowBytesPerS: Infinity };
const FILES = 40;
const line = (no: number): string => `{"step":${String(no)},"loss":0.25}\n`;
/** A gzip that tells that it was called. */
const TELLING = ': >"$HOME/packed"\nPATH=/usr/bin:/bin exec gzip "$@"';

let box: PullingBox;
afterEach(() => box.close());

/** Opens a box with more small files than its first stream holds. */
async function open(gzip: string, server: SshdOptions = {}, bounds = SLOW): Promise<void> {
  box = new PullingBox(bounds);
  await box.open({ gzip }, server);
  for (let no = 0; no < FILES; no += 1) {
    box.write(`d/${String(no)}.jsonl`, line(no).repeat(2700));
  }
}

async function pull(): Promise<readonly PullWay[]> {
  const ways: PullWay[] = [];
  const { files } = await box.pull({
    onProgress: ({ way }) => {
      if (way !== undefined && way !== ways.at(-1)) ways.push(way);
    },
  });
  expect(files).toHaveLength(FILES);
  for (const { path, mark, level } of files) {
    expect([path, mark, level]).toEqual([path, 'equal', 'loaded']);
    const there = readFileSync(join(box.home, 'out', path));
    expect(readFileSync(join(box.here, path)).equals(there)).toBe(true);
  }
  expect(box.left()).toEqual([]);
  return ways;
}

const isPacked = (): boolean => existsSync(join(box.home, 'packed'));

describe.skipIf(!hasSshd || process.platform === 'win32')('small files over a slow link', () => {
  it('come compressed over OpenSSH, and that is said', async () => {
    await open(TELLING);
    expect(await pull()).toContainEqual({ over: 'openssh', because: 'far', packs: true });
    expect(isPacked()).toBe(true);
  });

  it('come compressed over the link’s own connection', async () => {
    const ForceCommand = 'echo Welcome to this box; eval "$SSH_ORIGINAL_COMMAND"';
    await open(TELLING, { configLines: [`ForceCommand ${ForceCommand}`] });
    expect(await pull()).toContainEqual({ over: 'own', because: 'not-possible', packs: true });
    expect(isPacked()).toBe(true);
  });

  it.each([
    ['is nothing that anybody could unpack', 'exec echo not at all'],
    // As it comes it is less than either stream may be: whichever of them is compressed, it is unpacking that refuses it.
    ['would be more than was asked for', 'head -c 100000000 /dev/zero | /usr/bin/gzip -1'],
    ['ends too early', '/usr/bin/gzip -1 | head -c 2000'],
  ])('come by themselves where what the box has compressed %s', async (_what, gzip) => {
    await open(`: >"$HOME/packed"\nPATH=/usr/bin:/bin\n${gzip}`);
    const ways = await pull();
    expect(isPacked()).toBe(true);
    // Each further stream would come for nothing.
    expect(ways.at(-1)).toEqual({ over: 'openssh', because: 'far' });
  });

  it('come as they are where the link is as fast as compressing', async () => {
    await open(TELLING, {}, { ...SLOW, slowBytesPerS: 0 });
    expect(await pull()).toEqual([{ over: 'openssh', because: 'far' }]);
    expect(isPacked()).toBe(false);
  });
});
