import { PLACE_KINDS, type PlaceKind } from '../runs/launch/run-preflight.ts';
import { roomOf } from '../runs/launch/read-run-preflight.ts';
import type { SeenEntry } from './tree.ts';
import type { TreeLook } from './tree-look.ts';

const MAX_LINE_CHARS = 20_000;

/** Told as soon as the box tells it. */
export type OnHash = (path: string, sha256: string) => void;

/** What resources/onbox/tree-look.sh prints, line by line. */
export class TreeLookReader {
  readonly #before: string;
  readonly #onHash: OnHash | undefined;
  readonly #told = new Map<string, string>();
  readonly #seen = new Map<string, SeenEntry>();

  constructor(mark: string, onHash?: OnHash) {
    this.#before = `${mark} `;
    this.#onHash = onHash;
  }

  take(line: string): void {
    if (line[1] === ' ') this.#takeEntry(line);
    else if (line.startsWith(this.#before)) this.#takeWord(line);
    else this.#takeHash(line);
  }

  /** Null: it is not whole. */
  end(): TreeLook | null {
    const told = this.#told;
    const [kind, near] = [placeOf(told.get('kind')), placeOf(told.get('near'))];
    const folder = told.get('folder');
    if (folder === undefined || kind === null || near === null || !told.has('whole')) return null;
    return {
      folder,
      kind,
      near,
      room: roomOf(told.get('room')),
      hasTar: told.get('tar') === 'yes',
      hasHasher: told.get('hasher') === 'yes',
      record: hashIn(told.get('record')),
      noted: hashIn(told.get('noted')),
      seen: this.#seen,
    };
  }

  #takeWord(line: string): void {
    const said = line.slice(this.#before.length, MAX_LINE_CHARS);
    const space = said.indexOf(' ');
    if (space < 0) this.#told.set(said, '');
    else this.#told.set(said.slice(0, space), said.slice(space + 1));
  }

  /** "<kind> <what> <name>" */
  #takeEntry(line: string): void {
    const space = line.indexOf(' ', 2);
    const path = pathOf(line, space + 1);
    if (space < 0 || path === null) return;
    const what = line.slice(2, space);
    const isExecutable = line[0] === 'x';
    switch (line[0]) {
      case 'f':
      case 'x': {
        const sha256 = HASH.test(what) ? what : null;
        this.#seen.set(path, { kind: 'file', isExecutable, sha256 });
        if (sha256 !== null) this.#onHash?.(path, sha256);
        break;
      }
      case 'l':
        // Where its target is no UTF-8, it is no link of ours.
        this.#seen.set(path, { kind: 'link', target: ofHex(what) ?? '' });
        break;
      case 'd':
        this.#seen.set(path, { kind: 'folder' });
        break;
      default:
        this.#seen.set(path, { kind: 'other' });
    }
  }

  /** As the hashing tool prints it: the hash, a blank, a blank or a star, the name. */
  #takeHash(line: string): void {
    const path = pathOf(line, 66);
    const entry = path === null ? undefined : this.#seen.get(path);
    if (path === null || entry?.kind !== 'file') return;
    const sha256 = line.slice(0, 64);
    if (!HASH.test(sha256)) return;
    this.#seen.set(path, { kind: 'file', isExecutable: entry.isExecutable, sha256 });
    this.#onHash?.(path, sha256);
  }
}

function placeOf(said: string | undefined): PlaceKind | null {
  return PLACE_KINDS.find((kind) => kind === said) ?? null;
}

const HASH = /^[0-9a-f]{64}$/;

const hashIn = (said = ''): string | null => HASH.exec(said)?.[0] ?? null;

/** That stands there in a line. */
function pathOf(line: string, at: number): string | null {
  if (line.startsWith('./', at)) return line.slice(at + 2);
  const name = line[at] === '=' ? ofHex(line.slice(at + 1)) : null;
  return name?.startsWith('./') === true ? name.slice(2) : null;
}

function ofHex(digits: string): string | null {
  if (!/^(?:[0-9a-f]{2})*$/.test(digits)) return null;
  try {
    return decodeURIComponent(digits.replace(/../g, '%$&'));
  } catch {
    return null; // no UTF-8
  }
}
