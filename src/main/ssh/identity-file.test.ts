import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withFolder } from '../storage/disk.fixture.ts';
import { readIdentityFile } from './identity-file.ts';

it('is not read where it is larger than any key', () =>
  withFolder(async (folder) => {
    const file = join(folder, 'large');
    writeFileSync(file, 'x'.repeat(64 * 1024 + 1));
    expect(await readIdentityFile(file)).toEqual({
      kind: 'unusable',
      because: 'cannot be read (too large for a key)',
    });
    writeFileSync(file, 'x'.repeat(64 * 1024));
    expect(await readIdentityFile(file)).toEqual({
      kind: 'unusable',
      because: 'is not a private key',
    });
  }));

it('is not read where it is no plain file: what has no end would be read without end', async () => {
  expect(await readIdentityFile('/dev/null')).toEqual({
    kind: 'unusable',
    because: 'cannot be read (not a file)',
  });
});
