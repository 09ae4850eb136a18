import { LOCAL_TYPES } from '../../../mounts/select-mounts.ts';
import { plainLine } from '../../../questions/hostile-text.ts';
import type { KnownBox } from '../known-box.ts';
import type { FileCount, PlaceDisk, PlaceKind, Room, RunPreflight } from '../run-preflight.ts';
import type { RunRequest } from '../run-request.ts';
import {
  bar,
  block,
  GIB,
  listWords,
  MAX_SHOWN_CHARS,
  ownTrap,
  pass,
  unknown,
  warn,
  type Judged,
} from './judged.ts';

/** Suggested by gotcha U7. */
const WARN_AT_PCT = 90;
/** As far as they are counted; gotcha U25 speaks of millions, and each of these costs a question to the server. */
const MANY_FILES = 100_000;

const shown = (text: string): string => plainLine(text, MAX_SHOWN_CHARS);

export function judgeFolder(path: string, kind: PlaceKind | null): Judged {
  const told = shown(path);
  switch (kind) {
    case 'open':
      return pass(`${told} can be entered and written.`);
    case 'unwritable':
      return warn(`${told} is read-only for you: the run can't write its files there.`);
    case 'closed':
      return bar(`${told} can't be entered: you have no permission.`);
    case 'other':
      return bar(`${told} is not a folder.`);
    case 'missing':
      return bar(`${told} does not exist on the box.`);
    case 'late':
      return bar(
        `${told} did not answer within 2 s: it may lie on a server that went away. Look at its mount.`,
      );
    case null:
      return unknown(`The box did not answer for ${told}.`);
  }
}

export function judgeState({ home, state }: RunPreflight): Judged {
  if (!home.startsWith('/')) return bar('Your account on the box has no home folder.');
  switch (state) {
    case 'open':
      return pass('The run folder can be created in your home folder on the box.');
    case 'late':
    case null:
      return unknown('The box did not answer for your home folder.');
    default:
      return bar(
        "The run folder can't be created: ~/.local/state/leasehold/runs can't be written.",
      );
  }
}

export function judgeResults({ results }: RunRequest, look: RunPreflight): Judged | null {
  if (results === null) return null;
  const told = shown(results);
  if (look.results === null) return unknown(`The box did not answer for ${told}.`);
  const { isThere, kind } = look.results;
  if (kind === 'late') {
    return block(
      `${told} did not answer within 2 s: it may lie on a server that went away.`,
      null,
      'the run may hang when it writes results.',
    );
  }
  if (isThere && kind === 'other') {
    return block(
      `${told} is a file, not a folder.`,
      null,
      'the run may fail when it writes results.',
    );
  }
  if (kind === 'open') {
    return isThere
      ? pass(`${told} exists and can be written.`)
      : pass(`${told} does not exist; the run can create it.`);
  }
  return warn(`${told} can't be written or created by you.`);
}

/** Where the disk cannot be made larger, that is what there is to know. */
export const spaceEntry = (known: Pick<KnownBox, 'traps'>): string =>
  ownTrap(known, 'VAST10') ?? 'U7';

export function judgeSpace({ folder, room }: RunPreflight, known: Pick<KnownBox, 'traps'>): Judged {
  const entry = spaceEntry(known);
  if (room === null) {
    const why = folder === 'missing' ? ': it is not there yet' : '';
    return unknown(`Free space of the working folder is not known${why}.`);
  }
  const { bytes, freeBytes } = room;
  const free = freeWords(room);
  if (freeBytes === 0) {
    return block(`The disk is full: ${free}.`, entry, 'the run fails at the first file it writes.');
  }
  return usedPct(freeBytes, bytes) >= WARN_AT_PCT
    ? warn(`The disk is nearly full: ${free}.`, entry)
    : pass(`${free}.`);
}

const freeWords = ({ bytes, freeBytes }: Room): string =>
  `${(freeBytes / GIB).toFixed(1)} GiB free of ${(bytes / GIB).toFixed(1)} GiB`;

/** What is written somewhere else than into the working folder. */
interface Elsewhere {
  readonly what: string;
  readonly disk: PlaceDisk | null;
  readonly room: Room | null;
  /** What becomes of the run where that disk is full. */
  readonly fails: string;
}

/** Null: it lies on the disk of the working folder, or the box did not tell where. */
function judgeElsewhere(
  { what, disk, room, fails }: Elsewhere,
  { folderDisk }: Pick<RunPreflight, 'folderDisk'>,
): Judged | null {
  const mount = disk?.mount ?? null;
  if (room === null || mount === null || mount === (folderDisk?.mount ?? null)) return null;
  const { bytes, freeBytes, inodes, freeInodes } = room;
  const told = `${what} on another disk than the working folder (${shown(mount)})`;
  if (freeBytes === 0) return block(`${told}, which is full: ${freeWords(room)}.`, 'U7', fails);
  if (inodes > 0 && freeInodes === 0) {
    return block(`${told}, which has no inodes left: no file can be created there.`, 'U7', fails);
  }
  return usedPct(freeBytes, bytes) >= WARN_AT_PCT
    ? warn(`${told}, which is nearly full: ${freeWords(room)}.`, 'U7')
    : pass(`${told}: ${freeWords(room)}.`);
}

export const judgeLogSpace = (look: RunPreflight): Judged | null =>
  judgeElsewhere(
    {
      what: 'The run folder, in which its log grows, lies',
      ...{ disk: look.stateDisk, room: look.stateRoom },
      fails: 'the run fails, or what it prints is lost.',
    },
    look,
  );

export const judgeResultsSpace = (look: RunPreflight): Judged | null =>
  judgeElsewhere(
    {
      what: 'The results lie',
      ...{ disk: look.resultsDisk, room: look.resultsRoom },
      fails: 'the run fails when it writes results.',
    },
    look,
  );

export const judgeDataSpace = (look: RunPreflight): Judged | null =>
  judgeElsewhere(
    {
      what: 'The data is fetched to a folder',
      ...{ disk: look.dataDisk, room: look.dataRoom },
      fails: 'the download fails, unless all of it is there.',
    },
    look,
  );

export function judgeInodes({ room }: RunPreflight): Judged | null {
  if (room === null || room.inodes === 0) return null;
  const { inodes, freeInodes } = room;
  if (freeInodes === 0) {
    return block(
      'No inodes are left: no new file can be created.',
      'U7',
      'the run fails at the first file it creates.',
    );
  }
  const usedShare = usedPct(freeInodes, inodes);
  const free = `${String(Math.floor(100 - usedShare))} %`;
  return usedShare >= WARN_AT_PCT
    ? warn(`Inodes are nearly used up: ${free} are free.`, 'U7')
    : pass(`${free} of the inodes are free.`);
}

const usedPct = (free: number, all: number): number => (1 - free / all) * 100;

/** What is read again and again for each batch should not come over a network. */
export function judgeStorage(request: RunRequest, look: RunPreflight): Judged | null {
  const place = hotPlace(request, look);
  return place.disk === null && place.isData ? untoldDisk(shown(place.name)) : storageOf(place);
}

/** Of the working folder where it is not known on what the data lies, which may well be the same. */
export function judgeFolderStorage(request: RunRequest, look: RunPreflight): Judged | null {
  const { isData, disk } = hotPlace(request, look);
  return isData && disk === null ? storageOf(workingFolder(request, look)) : null;
}

const untoldDisk = (told: string): Judged =>
  unknown(`On which kind of file system ${told} lies is not known.`);

function storageOf({ name, disk }: HotPlace): Judged | null {
  if (disk === null) return null;
  const told = shown(name);
  const { type, mount } = disk;
  if (type === null) return untoldDisk(told);
  const kind = shown(type);
  return LOCAL_TYPES.has(type)
    ? pass(`${told} lies on a file system of this machine (${kind}).`)
    : warn(
        `${told} lies on ${kind}${mount === null ? '' : ` (${shown(mount)})`}, which may be slow to read. Copy the data to a local disk first if the GPU waits for it.`,
        'U8',
      );
}

interface HotPlace {
  readonly name: string;
  readonly disk: PlaceDisk | null;
  readonly files: FileCount | null;
  readonly isData: boolean;
}

/** Where the data lies: what the request fetches, or else the working folder. */
function hotPlace(request: RunRequest, look: RunPreflight): HotPlace {
  const [step] = request.fetch ?? [];
  return step === undefined
    ? workingFolder(request, look)
    : { name: step.into, disk: look.dataDisk, files: look.dataFiles, isData: true };
}

const workingFolder = ({ folder }: RunRequest, look: RunPreflight): HotPlace => ({
  ...{ name: folder, disk: look.folderDisk, files: look.files, isData: false },
});

/** Asked only where each file costs a question to a server. */
export const judgeFiles = (request: RunRequest, look: RunPreflight): Judged | null =>
  filesOf(hotPlace(request, look));

/** The same of the working folder where the data lies elsewhere. */
export const judgeFolderFiles = (request: RunRequest, look: RunPreflight): Judged | null =>
  hotPlace(request, look).isData ? filesOf(workingFolder(request, look)) : null;

function isFar({ disk }: Pick<HotPlace, 'disk'>): boolean {
  const type = disk?.type ?? null;
  return type !== null && !LOCAL_TYPES.has(type);
}

/** Of the data that the request names: the first that lies on a server, or that nobody answered for. */
export function judgeNamedStorage({ named: places }: Pick<RunPreflight, 'named'>): Judged | null {
  const [far, ...more] = places.filter(isFar);
  if (far !== undefined) {
    const judged = storageOf({ ...far, isData: true });
    const others = listWords(more.map(({ name }) => shown(name)));
    return judged === null || more.length === 0
      ? judged
      : warn(`${judged.says} The same goes for ${others}.`, 'U8');
  }
  const late = places.find(({ kind }) => kind === 'late');
  if (late !== undefined) {
    return unknown(
      `${shown(late.name)} did not answer within 2 s: it may lie on a server that went away.`,
      'U8',
    );
  }
  const isFolder = (kind: PlaceKind): boolean => kind === 'open' || kind === 'unwritable';
  const untold = places.find(({ kind, disk }) => isFolder(kind) && (disk?.type ?? null) === null);
  return untold === undefined ? null : untoldDisk(shown(untold.name));
}

/** The same of how many files they hold: the worst of them. */
export function judgeNamedFiles({ named }: Pick<RunPreflight, 'named'>): Judged | null {
  const judged = named.flatMap((place) => {
    const one = filesOf({ ...place, isData: true });
    return one === null ? [] : [one];
  });
  const of = (answer: Judged['answer']): Judged | undefined =>
    judged.find((one) => one.answer === answer);
  return of('warn') ?? of('unknown') ?? of('pass') ?? null;
}

function filesOf({ name, disk, files, isData }: HotPlace): Judged | null {
  const type = disk?.type ?? null;
  if (type === null || LOCAL_TYPES.has(type)) return null;
  const told = isData ? shown(name) : 'The working folder';
  if (files !== null) return FILE_WORDS[files.kind](told, files);
  // What is fetched now is not there yet.
  return isData ? null : unknown('How many files the working folder holds is not known.', 'U25');
}

const FILE_WORDS: Readonly<Record<FileCount['kind'], (told: string, files: FileCount) => Judged>> =
  {
    all: (told, { count }) =>
      count >= MANY_FILES ? many(told) : pass(`${told} holds ${String(count)} files.`),
    more: (told) => many(told),
    late: (told, { count }) =>
      unknown(
        `${told} holds more files than could be counted in 2 s: at least ${String(count)}.`,
        'U25',
      ),
  };
const many = (told: string): Judged =>
  warn(
    `${told} holds more than ${String(MANY_FILES)} files on a network file system. Pack a data set into a few large files.`,
    'U25',
  );
