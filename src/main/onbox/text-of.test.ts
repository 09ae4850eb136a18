import { expect, it } from 'vitest';
import { textOf } from './text-of.ts';

it('lets others in between where much has come already', async () => {
  async function* pieces(): AsyncGenerator<Buffer, void> {
    await Promise.resolve();
    for (let no = 0; no < 4; no += 1) yield Buffer.from(`line ${String(no)}\n`);
  }
  const seen: string[] = [];
  const told = textOf(pieces(), 1000, (line) => {
    seen.push(line);
    setImmediate(() => seen.push('another'));
    // Longer than main may be held.
    const endMs = performance.now() + 20;
    while (performance.now() < endMs);
  });
  expect(await told).toEqual({ ok: true, value: 'line 0\nline 1\nline 2\nline 3\n' });
  expect(seen.slice(0, 4)).toEqual(['line 0', 'another', 'line 1', 'another']);
});
