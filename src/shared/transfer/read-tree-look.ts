import { PLACE_KINDS, type PlaceKind } from '../runs/launch/run-preflight.ts';
import { roomOf } from '../runs/launch/read-run-preflight.ts';
import type { Steps } from '../steps.ts';
import type { SeenEntry } from './tree.ts';
import type { TreeLook } from './tree-look.ts';

const MAX_LINE_CHARS = 20_000;
const LINES_A_STEP = 1000;

/** What resources/onbox/tree-look.sh printed. Null: not whole. */
export function* readTreeLook(stdout: string, mark: string): Steps<TreeLook | null> {
  const told = new Map<string, string>();
  const seen = new Map<string, SeenEntry>();
  for (const [no, line] of stdout.split('\n').entries()) {
    if (no % LINES_A_STEP === LINES_A_STEP - 1) yield;
    if (line.startsWith(`${mark} `)) {
      const said = line.slice(mark.length + 1, MAX_LINE_CHARS);
      const space = said.indexOf(' ');
      if (space < 0) told.set(said, '');
      else told.set(said.slice(0, space), said.slice(space + 1));
    } else if (line[1] === ' ') takeEntry(seen, line);
    else takeHash(seen, line);
  }
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
    seen,
  };
}

function placeOf(said: string | undefined): PlaceKind | null {
  return PLACE_KINDS.find((kind) => kind === said) ?? null;
}

const HASH = /^[0-9a-f]{64}$/;

const hashIn = (said = ''): string | null => HASH.exec(said)?.[0] ?? null;

/** "<kind> <what> <name>" */
function takeEntry(seen: Map<string, SeenEntry>, line: string): void {
  const space = line.indexOf(' ', 2);
  const path = pathOf(line.slice(space + 1));
  if (space < 0 || path === null) return;
  const what = line.slice(2, space);
  const isExecutable = line[0] === 'x';
  switch (line[0]) {
    case 'f':
    case 'x':
      seen.set(path, { kind: 'file', isExecutable, sha256: HASH.test(what) ? what : null });
      break;
    case 'l':
      // Where its target is no UTF-8, it is no link of ours.
      seen.set(path, { kind: 'link', target: ofHex(what) ?? '' });
      break;
    case 'd':
      seen.set(path, { kind: 'folder' });
      break;
    default:
      seen.set(path, { kind: 'other' });
  }
}

/** As the hashing tool prints it: the hash, a blank, a blank or a star, the name. */
function takeHash(seen: Map<string, SeenEntry>, line: string): void {
  const sha256 = line.slice(0, 64);
  const path = pathOf(line.slice(66));
  if (path === null || !HASH.test(sha256)) return;
  const entry = seen.get(path);
  // Put together one by one: of ten thousands a spread costs more than what is read of the line.
  if (entry?.kind === 'file') {
    seen.set(path, { kind: 'file', isExecutable: entry.isExecutable, sha256 });
  }
}

function pathOf(name: string): string | null {
  const plain = name.startsWith('=') ? ofHex(name.slice(1)) : name;
  return plain?.startsWith('./') === true ? plain.slice(2) : null;
}

function ofHex(digits: string): string | null {
  if (!/^(?:[0-9a-f]{2})*$/.test(digits)) return null;
  try {
    return decodeURIComponent(digits.replace(/../g, '%$&'));
  } catch {
    return null; // no UTF-8
  }
}
