import { expect, it } from 'vitest';
import { linesOf } from './text-of.ts';

it('lets others in between where much has come already', async () => {
  async function* pieces(): AsyncGenerator<Buffer, void> {
    await Promise.resolve();
    for (let no = 0; no < 4; no += 1) yield Buffer.from(`line ${String(no)}\n`);
  }
  const seen: string[] = [];
  const told = linesOf(pieces(), 1000, (line) => {
    seen.push(line);
    setImmediate(() => seen.push('another'));
    // Longer than main may be held.
    const endMs = performance.now() + 20;
    while (performance.now() < endMs);
  });
  expect(await told).toEqual({ ok: true, value: null });
  expect(seen.slice(0, 4)).toEqual(['line 0', 'another', 'line 1', 'another']);
});

it('tells a line that ends with the name of a file as it is', async () => {
  async function* pieces(): AsyncGenerator<Buffer, void> {
    await Promise.resolve();
    yield Buffer.from('f - ./a\r\nf - ./');
    yield Buffer.from('b\n');
  }
  const seen: string[] = [];
  await linesOf(pieces(), 1000, (line) => seen.push(line));
  expect(seen).toEqual(['f - ./a\r', 'f - ./b']);
});
