import {
  closeSync,
  linkSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ok } from '../../shared/result.ts';
import { withFolder } from '../storage/disk.fixture.ts';
import { fetchFile } from './fetch-file.ts';

const nothing = (): void => undefined;

it('a file without a byte comes without asking for any', () =>
  withFolder(async (folder) => {
    const part = join(folder, 'part');
    const read = () => Promise.reject(new Error('asked'));
    const came = await fetchFile({ read, part, bytes: 0, onBytes: nothing });
    expect(came).toEqual(ok({ resumedBytes: 0, isAsItGrew: true }));
    expect(statSync(part).size).toBe(0);
  }));

it('a file goes on beyond 4 GiB, where its part is full of holes', () =>
  withFolder(async (folder) => {
    const part = join(folder, 'part');
    const from = 5 * 2 ** 30;
    writeFileSync(part, '');
    truncateSync(part, from);
    const asked: number[][] = [];
    const came = await fetchFile({
      ...{ part, bytes: from + 4, onBytes: nothing },
      read: async (at, most, take) => {
        asked.push([at, most]);
        await take(Buffer.from('last, and more than was asked for'));
        return ok(null);
      },
    });
    expect(came).toEqual(ok({ resumedBytes: from, isAsItGrew: true }));
    expect(asked).toEqual([[from, 4]]);
    expect(statSync(part).size).toBe(from + 4);
    const fd = openSync(part, 'r');
    try {
      const end = Buffer.alloc(8);
      readSync(fd, end, 0, 8, from - 4);
      expect(end.toString('latin1')).toBe('\0\0\0\0last');
    } finally {
      closeSync(fd);
    }
  }));

it('a part that has another name, too, is not written to: it is that file', () =>
  withFolder(async (folder) => {
    const [part, moved] = [join(folder, 'part'), join(folder, 'moved')];
    writeFileSync(moved, 'proven');
    for (const bytes of [3, 12]) {
      linkSync(moved, part);
      const came = await fetchFile({
        ...{ part, bytes, onBytes: nothing },
        read: async (_at, most, take) => {
          await take(Buffer.alloc(most, 'n'));
          return ok(null);
        },
      });
      expect(came).toEqual(ok({ resumedBytes: 0, isAsItGrew: true }));
      expect(readFileSync(part, 'utf8')).toBe('n'.repeat(bytes));
      expect(readFileSync(moved, 'utf8')).toBe('proven');
      rmSync(part);
    }
  }));
