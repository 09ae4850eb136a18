import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeLines, writeWhole } from './history-export.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'leasehold-export-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('writeLines', () => {
  it('writes everything and says how much', async () => {
    const file = join(folder, 'a.csv');
    const lines = Array.from({ length: 50_000 }, (_, i) => `${String(i)},π\r\n`);
    const written = await writeLines(file, 'n,p\r\n', lines);
    const text = `n,p\r\n${lines.join('')}`;
    expect(written).toEqual({ ok: true, value: { rows: 50_000, bytes: Buffer.byteLength(text) } });
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(readdirSync(folder)).toEqual(['a.csv']);
  });

  it('leaves what was there, and no half file, when it fails', async () => {
    const file = join(folder, 'a.csv');
    await writeLines(file, 'old\r\n', []);
    function* failing(): Generator<string, void> {
      yield 'new\r\n';
      throw Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' });
    }
    expect(await writeLines(file, 'h\r\n', failing())).toMatchObject({
      ok: false,
      error: { code: 'disk-full' },
    });
    expect(readFileSync(file, 'utf8')).toBe('old\r\n');
    expect(readdirSync(folder)).toEqual(['a.csv']);
    const nowhere = join(folder, 'none', 'a.csv');
    expect(await writeLines(nowhere, '', [])).toMatchObject({ error: { code: 'export-failed' } });
  });

  it('names what is wrong where the folder is none, and leaves nothing', async () => {
    const taken = join(folder, 'taken');
    writeFileSync(taken, '');
    const written = await writeLines(join(taken, 'a.csv'), 'n\r\n', []);
    expect(written).toMatchObject({ ok: false, error: { code: 'export-failed' } });
    expect(readdirSync(folder)).toEqual(['taken']);
  });
});

describe('writeWhole', () => {
  it('writes every byte, and nothing stays beside it', async () => {
    const file = join(folder, 'charts.png');
    const png = Uint8Array.from({ length: 70_000 }, (_, i) => i % 251);
    expect(await writeWhole(file, png)).toEqual({ ok: true, value: { bytes: 70_000 } });
    expect(readFileSync(file).equals(Buffer.from(png))).toBe(true);
    expect(readdirSync(folder)).toEqual(['charts.png']);
  });
});
