import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cacheFileOf, useCodeCache } from './code-cache.ts';
import { writeCodeCache } from './write-code-cache.ts';

const CORE = `
const { half } = require('./part.cjs');
exports.where = __filename;
exports.answer = () => 2 * half();
`;

let root: string;
let chunks: string;
let cache: string;
let core: string;

const load = (file: string): { answer: () => number; where: string } =>
  createRequire(join(chunks, 'index.cjs'))(file) as { answer: () => number; where: string };

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'leasehold-code-cache-'));
  chunks = join(root, 'chunks');
  cache = join(root, 'code-cache');
  core = join(chunks, 'core.cjs');
  mkdirSync(chunks);
  writeFileSync(core, CORE);
  writeFileSync(join(chunks, 'part.cjs'), 'exports.half = () => 21;');
  writeCodeCache(chunks, cache);
});
afterEach(() => {
  delete createRequire(import.meta.url).extensions['.cjs'];
  rmSync(root, { recursive: true });
});

describe('the code cache', () => {
  it('gives every chunk as it was compiled ahead', () => {
    const use = useCodeCache(chunks, cache);
    const loaded = load(core);
    expect(loaded.answer()).toBe(42);
    expect(loaded.where).toBe(core);
    expect(use()).toEqual({ taken: 2, compiled: 0 });
  });

  it('does not give what was made of another text of the same length', () => {
    writeFileSync(core, CORE.replace('2 *', '4 *'));
    const use = useCodeCache(chunks, cache);
    expect(load(core).answer()).toBe(84);
    expect(use()).toEqual({ taken: 1, compiled: 1 });
  });

  const file = (): string => cacheFileOf(cache, core);
  it.each<[string, () => void]>([
    ['is missing', () => unlinkSync(file())],
    ['is empty', () => truncateSync(file())],
    ['is cut short', () => truncateSync(file(), readFileSync(file()).length - 1)],
    ['is cut to less than its digest', () => truncateSync(file(), 10)],
    ['has a wrong bit', () => flipBit(file(), 0.5)],
    ['has a wrong bit in its digest', () => flipBit(file(), 1)],
    ['is something else', () => writeFileSync(file(), 'x'.repeat(5000))],
  ])('is done without where it %s', (_, damage) => {
    damage();
    const use = useCodeCache(chunks, cache);
    expect(load(core).answer()).toBe(42);
    expect(use()).toEqual({ taken: 1, compiled: 1 });
  });

  it('leaves other folders to Node', () => {
    const elsewhere = join(root, 'core.cjs');
    writeFileSync(elsewhere, 'exports.answer = () => 7;');
    const use = useCodeCache(chunks, cache);
    expect(load(elsewhere).answer()).toBe(7);
    expect(use()).toEqual({ taken: 0, compiled: 0 });
  });
});

function flipBit(path: string, where: number): void {
  const bytes = readFileSync(path);
  const at = Math.floor((bytes.length - 1) * where);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}
