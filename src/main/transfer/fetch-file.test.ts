import { readSync, openSync, closeSync, statSync, truncateSync, writeFileSync } from 'node:fs';
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
