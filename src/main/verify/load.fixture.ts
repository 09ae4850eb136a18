import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Loaded } from '../../shared/verify/loaded.ts';
import type { ByteSource } from './byte-source.ts';
import { Damaged, NotLoadable } from './damage.ts';
import { readingOf } from './formats.ts';

/** What the libraries themselves wrote, a folder for each family with the script that wrote it. */
export const SPECIMENS = new URL('./specimens/', import.meta.url);

/** @param path `arrays/numpy-2.4.6--matrix.npy` */
export const specimen = (path: string): Buffer => readFileSync(new URL(path, SPECIMENS));

/** The names of one family’s specimens. */
export const specimensOf = (family: string): readonly string[] =>
  readdirSync(new URL(`${family}/`, SPECIMENS)).filter((name) => name.includes('--'));

/** Bytes in memory, as a file that is read. */
export function sourceOf(bytes: Uint8Array): ByteSource {
  return {
    sizeBytes: bytes.length,
    read: (at, length) => {
      // A reader that asks for what is not there would wait for a file that never comes.
      expect(at + length).toBeLessThanOrEqual(bytes.length);
      return Uint8Array.prototype.slice.call(bytes, at, at + length);
    },
  };
}

/** As a worker reads it, in pieces of this size: what was loaded, or in words why it was not. */
export async function load(
  name: string,
  bytes: Uint8Array,
  pieceBytes = 1 << 20,
): Promise<Loaded | string> {
  try {
    const reading = readingOf(name, sourceOf(bytes))?.open();
    if (reading === undefined) return 'no reader';
    const piece = new Uint8Array(Math.min(pieceBytes, bytes.length));
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      const part = bytes.subarray(at, at + pieceBytes);
      piece.set(part);
      await reading.take(piece.subarray(0, part.length), at);
    }
    return await reading.end();
  } catch (cause) {
    if (cause instanceof Damaged) return `damaged: ${cause.message}`;
    if (cause instanceof NotLoadable) return `not loadable: ${cause.message}`;
    throw cause;
  }
}

/** What each specimen of a family holds, or why it is not loaded. */
export async function loadAll(family: string, ends = /$/): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const name of specimensOf(family).filter((each) => ends.test(each))) {
    const loaded = await load(name, specimen(`${family}/${name}`));
    found[name] = typeof loaded === 'string' || loaded.kind !== 'loaded' ? loaded : loaded.holds;
  }
  return found;
}

/** Of these broken files, the places of those that are not found to be damaged. */
export async function passedOf(name: string, broken: Iterable<Uint8Array>): Promise<number[]> {
  const passed: number[] = [];
  let place = 0;
  for (const bytes of broken) {
    const found = await load(name, bytes);
    if (typeof found !== 'string' || !found.startsWith('damaged')) passed.push(place);
    place += 1;
  }
  return passed;
}

/** A file cut off at each of its bytes, and with one byte too many. */
export function* cutsOf(whole: Uint8Array): Generator<Uint8Array, void> {
  for (let bytes = 0; bytes < whole.length; bytes += 1) yield whole.subarray(0, bytes);
  yield Buffer.concat([whole, Buffer.alloc(1)]);
}

/** A file with one bit of these bytes flipped, each in turn. */
export function* flipsOf(whole: Uint8Array, from: number, to: number): Generator<Uint8Array, void> {
  for (let bit = from * 8; bit < to * 8; bit += 1) yield flipped(whole, bit >> 3, bit & 7);
}

/**
 * A file with one bit flipped, in each of these bytes in turn and in another place from byte to byte: enough where a checksum holds
 * them, of which a test of its own says that every bit of it counts.
 */
export function* flipsOfBytes(
  whole: Uint8Array,
  from: number,
  to: number,
): Generator<Uint8Array, void> {
  for (let at = from; at < to; at += 1) yield flipped(whole, at, at & 7);
}

function flipped(whole: Uint8Array, at: number, bit: number): Uint8Array {
  const bytes = Buffer.from(whole);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
  return bytes;
}
