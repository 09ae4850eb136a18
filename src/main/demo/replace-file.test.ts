import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withFolder } from '../storage/disk.fixture.ts';
import { replaceFile } from './replace-file.ts';

it('never shows an empty or half a file, to however many readers and from however many writers', async () => {
  await withFolder(async (folder) => {
    const path = join(folder, 'cpu.stat');
    const texts = Array.from({ length: 100 }, (_, n) => `usage_usec ${n}\n`.repeat(20_000));
    await replaceFile(path, texts[0] ?? '');
    const seen = await Promise.all(
      texts.map(async (text) => {
        const [, read] = await Promise.all([replaceFile(path, text), readFile(path, 'utf8')]);
        return read;
      }),
    );
    expect(seen.every((text) => texts.includes(text))).toBe(true);
    expect(readdirSync(folder)).toEqual(['cpu.stat']);
  });
});
