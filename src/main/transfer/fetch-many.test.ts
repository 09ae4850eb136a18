import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useOwnTmp } from '../storage/own-tmp.fixture.ts';
import { fetchMany, type FetchMany } from './fetch-many.ts';
import { Packing } from './packing.ts';

useOwnTmp();

const FILES = [
  { path: 'a.jsonl', bytes: 9, modifiedAtMs: 0, keep: 'result', refused: null },
] as unknown as FetchMany['files'];

/** From a box that is far, whose stream is told to be whole. */
function fetch(no: number, packing: Packing, signal: AbortSignal): Promise<unknown> {
  const to = mkdtempSync(join(tmpdir(), 'to-'));
  const carrier = { isFar: true, receive: () => Promise.resolve(true) };
  const means = { carrier, packing, from: '/results', to, no, files: FILES, signal };
  return fetchMany({ ...means, onBytes: () => undefined } as unknown as FetchMany);
}

const newPacking = (): Packing =>
  new Packing({ slowBytesPerS: 1, limitBytesPerS: null, onPacks: () => undefined });

it('a stream whose size cannot be told does not keep the others waiting', async () => {
  const packing = newPacking();
  const { signal } = new AbortController();
  const ends = await Promise.allSettled([fetch(1, packing, signal), fetch(2, packing, signal)]);
  expect(ends).toMatchObject([
    { status: 'rejected', reason: { code: 'ENOENT' } },
    { status: 'rejected', reason: { code: 'ENOENT' } },
  ]);
});

it('one that waits for the first is over when it is stopped', async () => {
  const packing = newPacking();
  // It never comes to its end.
  await packing.first();
  const stopper = new AbortController();
  const waiting = fetch(1, packing, stopper.signal);
  stopper.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'ENOENT' });
});
