import { chmodSync, lstatSync, mkdirSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withFolder } from '../storage/disk.fixture.ts';
import { chromiumFolder } from './chromium-folder.ts';

/** A data folder in which a file stands where the session's folder would. */
function unusable(parent: string, name = 'data'): string {
  const data = join(parent, name);
  mkdirSync(data);
  writeFileSync(join(data, 'session'), '');
  return data;
}

it('is in the data folder', () =>
  withFolder((parent) => {
    expect(chromiumFolder(parent, parent)).toEqual({
      path: join(parent, 'session'),
      isTemporary: false,
    });
  }));

describe('where that cannot be', () => {
  it('is the same at each start over the same data, so that one of them finds the other', () =>
    withFolder((parent) => {
      const data = unusable(parent);
      const first = chromiumFolder(data, parent);
      expect(first.isTemporary).toBe(true);
      expect(lstatSync(first.path).mode & 0o777).toBe(0o700);
      expect(chromiumFolder(data, parent)).toEqual(first);
      const link = join(parent, 'link');
      symlinkSync(data, link);
      expect(chromiumFolder(link, parent)).toEqual(first);
      expect(chromiumFolder(unusable(parent, 'other'), parent).path).not.toBe(first.path);
    }));

  it.each<[string, (path: string, parent: string) => void]>([
    ['may be read by others', (path) => chmodSync(path, 0o755)],
    [
      'is a link',
      (path, parent) => {
        rmdirSync(path);
        mkdirSync(join(parent, 'elsewhere'), { mode: 0o700 });
        symlinkSync(join(parent, 'elsewhere'), path);
      },
    ],
  ])('is none that %s, which somebody else may have laid there', (_what, spoil) =>
    withFolder((parent) => {
      const data = unusable(parent);
      const { path } = chromiumFolder(data, parent);
      spoil(path, parent);
      expect(chromiumFolder(data, parent).path).not.toBe(path);
    }),
  );
});
