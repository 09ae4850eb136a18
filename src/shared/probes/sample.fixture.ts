import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('./samples/', import.meta.url));

/** `text` is recorded output, byte for byte; `expected` is what a person read in it. */
export interface Sample<Expected> {
  readonly text: string;
  readonly expected: Expected;
}

export function sample<Expected>(name: string): Sample<Expected> {
  return {
    text: readFileSync(`${FOLDER}${name}.txt`, 'utf8'),
    expected: JSON.parse(readFileSync(`${FOLDER}${name}.json`, 'utf8')) as Expected,
  };
}

/** The path of a recorded text, for whoever reads files. */
export function samplePath(name: string): string {
  return `${FOLDER}${name}.txt`;
}

/** Every recorded sample of a probe, so that a new one cannot be forgotten. */
export function sampleNames(probe: string): readonly string[] {
  const names = readdirSync(FOLDER)
    .filter((file) => file.startsWith(`${probe}--`) && file.endsWith('.txt'))
    .map((file) => file.slice(0, -'.txt'.length));
  if (names.length === 0) throw new Error(`no samples of ${probe}`);
  return names;
}

/** Repeatable noise: the same seed gives the same bytes on every machine (mulberry32). */
export function noise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A recorded text after a bad line: some characters replaced, doubled or dropped, control characters among them. */
export function damaged(text: string, random: () => number): string {
  let result = '';
  for (const char of text) {
    const dice = random();
    if (dice < 0.01) continue;
    if (dice < 0.02) result += char + char;
    else if (dice < 0.04) result += String.fromCharCode(Math.floor(random() * 0x100));
    else result += char;
  }
  return result;
}

export function randomText(length: number, random: () => number): string {
  return Array.from({ length }, () => String.fromCharCode(Math.floor(random() * 0x180))).join('');
}

export function cut(text: string, size: number): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size));
  return pieces;
}
