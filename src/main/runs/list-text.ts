import { isUtf8 } from 'node:buffer';
import type { Steps } from '../../shared/steps.ts';

/** No disk has a longer path; of one that a box makes up, no byte needs to be told from another. */
const MAX_PATH_BYTES = 4096;
/** Some milliseconds where nothing of it is UTF-8. */
const BYTES_A_STEP = 64 * 1024;

/** As UTF-8 it is U+FFFD, which stands for what is no letter. */
const NO_PATH = '\u{fffd}';
const STAND_IN = Buffer.from(NO_PATH, 'utf8');

/**
 * A list of paths as text, a NUL behind each, in parts that end behind one. A byte that is no letter of UTF-8 stands as U+FFFD and its two digits,
 * and so do those of U+FFFD itself: so it can be told which file that is, and two that differ in nothing else are two. What is longer than a
 * whole part is no path with what is told of it, and stands as U+FFFD.
 */
export function* textsOfList(bytes: Buffer): Generator<string, undefined> {
  for (let from = 0; from < bytes.length;) {
    const until = from + BYTES_A_STEP;
    if (until >= bytes.length) {
      yield textOfPaths(bytes.subarray(from));
      return;
    }
    const lastNul = bytes.subarray(from, until).lastIndexOf(0);
    if (lastNul >= 0) {
      yield textOfPaths(bytes.subarray(from, from + lastNul + 1));
      from += lastNul + 1;
      continue;
    }
    const nul = bytes.indexOf(0, until);
    yield nul < 0 ? NO_PATH : `${NO_PATH}\0`;
    if (nul < 0) return;
    from = nul + 1;
  }
}

/** The same as a whole. */
export function* textOfList(bytes: Buffer): Steps<string> {
  const texts: string[] = [];
  for (const text of textsOfList(bytes)) {
    texts.push(text);
    yield;
  }
  return texts.join('');
}

function textOfPaths(bytes: Buffer): string {
  if (isUtf8(bytes) && !bytes.includes(STAND_IN)) return bytes.toString('utf8');
  const paths: string[] = [];
  for (let from = 0; from <= bytes.length;) {
    const nul = bytes.indexOf(0, from);
    const end = nul === -1 ? bytes.length : nul;
    paths.push(textOfPath(bytes.subarray(from, end)));
    from = end + 1;
  }
  return paths.join('\0');
}

/** The same of one path. */
export function textOfPath(path: Buffer): string {
  const isWhole = isUtf8(path) && !path.includes(STAND_IN);
  return isWhole || path.length > MAX_PATH_BYTES ? path.toString('utf8') : withDigits(path);
}

function withDigits(bytes: Buffer): string {
  let text = '';
  /** Letters that are not told yet. */
  let from = 0;
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at] ?? 0;
    const end = first < 0x80 ? at + 1 : at + letterBytes(first);
    if (first < 0x80 || isLetter(bytes.subarray(at, end))) {
      at = end;
      continue;
    }
    text += `${bytes.toString('utf8', from, at)}\u{fffd}${bytes.toString('hex', at, at + 1)}`;
    at += 1;
    from = at;
  }
  return text + bytes.toString('utf8', from);
}

const isLetter = (bytes: Buffer): boolean => isUtf8(bytes) && !bytes.equals(STAND_IN);

/** As its first byte says. */
const letterBytes = (first: number): number =>
  first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
