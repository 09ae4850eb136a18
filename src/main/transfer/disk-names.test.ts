import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import * as disk from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { namedTwice, usualNames, whyNotHere } from '../../shared/transfer/local-name.ts';
import { namesOn } from './disk-names.ts';

vi.mock('node:fs/promises', { spy: true });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-names-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

it.skipIf(process.platform !== 'linux')(
  'a disk is asked itself how it takes names, also for a folder that is still to be made',
  async () => {
    expect(await namesOn(join(folder, 'not', 'there'))).toEqual({
      isCaseBlind: false,
      isWindows: false,
    });
    expect(readdirSync(folder)).toEqual([]);
  },
);

it.skipIf(process.platform !== 'linux')(
  'a stick is not taken for a disk of this system',
  async () => {
    // As exFAT on Linux does: each name in any case, and none with such signs.
    const { lstat, open } = await vi.importActual<typeof disk>('node:fs/promises');
    vi.mocked(disk.lstat).mockImplementation(((place: string) =>
      lstat(place.replace('-CASE', '-case'))) as never);
    vi.mocked(disk.open).mockImplementation(((place: string, flags: string) =>
      place.includes('?')
        ? Promise.reject(Object.assign(new Error('EINVAL'), { code: 'EINVAL', syscall: 'open' }))
        : open(place, flags)) as never);
    const names = await namesOn(folder);
    expect(names).toEqual({ isCaseBlind: true, isWindows: true });
    expect([...namedTwice(['a/Model.pt', 'a/model.pt', 'b'], names)]).toEqual(['a/model.pt']);
    expect(whyNotHere('step=1:2.pt', names)).toMatch(/no such file name/);
    expect(whyNotHere('step=1:2.pt', usualNames('linux'))).toBeNull();
    for (const name of ['nul', 'Com1.log', 'lpt¹', 'con .txt', 'conin$', 'a/aux.tar.gz', 'b.']) {
      expect([name, whyNotHere(name, names)]).toEqual([
        name,
        'The disk here has no such file name.',
      ]);
    }
    for (const name of ['com', 'console.log', 'nulls.npy', 'a/com10x']) {
      expect([name, whyNotHere(name, names)]).toEqual([name, null]);
    }
    expect(readdirSync(folder)).toEqual([]);
  },
);
