import { createHash } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { OtherResult, ResultFile, ResultList } from '../../shared/runs/launch/launched-run.ts';
import { joinPath } from '../../shared/files/box-path.ts';
import type { Fate, FateAt } from '../../shared/transfer/fate.ts';
import { keptFor, type KeptFor } from '../../shared/transfer/keep-kind.ts';
import type { SaidRule } from '../../shared/transfer/keep-rules.ts';
import { sumOf, withoutLeft, type LeftFiles } from '../../shared/transfer/left-files.ts';
import { noRoomWords, type Room } from '../../shared/transfer/room.ts';
import { namedTwice, whyNotHere } from '../../shared/transfer/local-name.ts';
import type {
  PulledFile,
  PullFile,
  PullHere,
  PullPlan,
  RunProof,
} from '../../shared/transfer/pull.ts';
import type { ResultRoot } from '../../shared/transfer/result-root.ts';
import { partOf } from './fetch-file.ts';
import { namesOn } from './disk-names.ts';
import { inSlices } from '../streams/in-slices.ts';
import { lookHereNow, type FoldersAsked } from './look-here.ts';
import type { Naming } from './continuous/naming-notes.ts';
import type { KnownCopy } from './next-version.ts';

/** A pull as it was shown, and what it takes to carry it out. */
export interface KeptPull {
  readonly run: ResultRoot;
  readonly shown: Omit<PullPlan, 'plan'>;
  /** By this machine's uptime: whatever is written from then on shows in the list of the end, so that nothing is hashed before. */
  readonly hashFromMs: number;
  readonly tellsWrites: boolean;
  /** Absent: a person has planned it. */
  readonly round?: PullRound;
  /** A person's, whose account is kept; absent: nobody keeps one. */
  readonly byHand?: PullByHand;
}

/** What keeps account of what gets its name. */
interface Named {
  /** What earlier pulls brought under a path, or were about to name so. */
  readonly copiesOf: (path: string) => readonly KnownCopy[];
  /** Writes down what is about to be named, so that the next pull knows it whether or not this one comes to its end. */
  readonly note: (namings: readonly Naming[]) => Result<null, Problem>;
}

/** Beginnings alone are told of: where the file still begins so, it goes on; else it is in the way. */
export interface PullByHand extends Named {
  /** The evidence has it from now on. */
  readonly proven: (proof: RunProof) => void;
}

/** What a round of a continuous pull knows beside what it asks for. A newer version may take the place of what was brought. */
export interface PullRound extends Named {
  /** Paths that somebody writes to: only as many bytes as were listed are proven. */
  readonly growing: ReadonlySet<string>;
  /** What it does not ask for, since it is here or waits. */
  readonly others: readonly PulledFile[];
}

const NOT_FOLLOWED: Readonly<Record<OtherResult['kind'], string>> = {
  link: 'It is a link, which may lead anywhere and is not followed.',
  special: 'It is no plain file: a pipe, a socket or a device.',
  closed: 'You have no permission to read this folder on the box, so what is in it is not known.',
};

/** What a list of results says of this pull, beside what lies here already and the room there is. Changes nothing. */
export async function planPull(
  run: ResultRoot,
  { folder, files, others, isCut, grainMs, tellsWrites }: ResultList,
  to: string,
  fateAt: FateAt | null = null,
  rules: readonly SaidRule[] = [],
): Promise<Result<KeptPull, Problem>> {
  const listedMs = performance.now();
  if (isCut) return err(notListedWhole());
  if (files.length + others.length === 0) {
    return err(problem('results-not-pulled', EMPTY));
  }
  const keptAs = keptFor(run.keeps, rules);
  const fateOf = (path: string): Fate | undefined => fateAt?.(joinPath(folder, path));
  const names = await namesOn(to);
  const twice = namedTwice(
    files.map(({ path }) => path),
    names,
  );
  const shown: PullFile[] = [];
  const asked: FoldersAsked = new Map();
  await inSlices(files, (file) => {
    const refused = twice.has(file.path)
      ? 'This computer’s disk cannot tell its name from another’s.'
      : whyNotHere(file.path, names);
    const found = refused === null ? whatIsHere(to, file, asked) : NOT_HERE;
    shown.push(planned(file, keptAs(file.path), fateOf(file.path), refused, found));
  });
  for (const file of others) {
    const refused = NOT_FOLLOWED[file.kind];
    shown.push(planned(file, keptAs(file.path), fateOf(file.path), refused, NOT_HERE));
  }
  return ok({
    ...{ run, hashFromMs: listedMs + grainMs, tellsWrites },
    shown: {
      ...{ from: folder, to, files: shown },
      ...sumOf(shown.filter(({ refused }) => refused === null)),
      freeBytes: await freeBytesOf(to),
    },
  });
}

/** Stands for all that is shown. Put into words at once, ten thousands of files would hold up main. */
export async function digestOfShown({ files, ...rest }: KeptPull['shown']): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(rest));
  await inSlices(files, (file) => void hash.update(JSON.stringify(file)));
  return hash.digest('hex');
}

/** Put together one by one, as in `pulled-file.ts`: there are ten thousands of them. */
function planned(
  { path, bytes, modifiedAtMs, stamp }: ResultFile,
  { keep, rule }: KeptFor,
  fate: Fate | undefined,
  refused: string | null,
  { here, missingBytes }: Here,
): PullFile {
  const file: { -readonly [K in keyof PullFile]: PullFile[K] } = {
    path,
    bytes,
    modifiedAtMs,
    keep,
    refused,
    here,
    missingBytes,
  };
  if (stamp !== undefined) file.stamp = stamp;
  if (rule !== undefined) file.rule = rule;
  if (fate !== undefined) file.fate = fate;
  return file;
}

/** A place that a disk is mounted at is an empty folder without it. */
const EMPTY =
  'The results folder is empty. If files were in it before, the disk that it lies on may not be mounted.';

/** What stands behind the cut would be left out silently. */
export function notListedWhole(): Problem {
  const said = 'There are more files than one check lists, and none is left out silently.';
  return problem('results-not-pulled', said, {
    nextStep: 'Pack them into archives on the box, or bring them home with rsync.',
  });
}

type Here = Pick<PullFile, 'here' | 'missingBytes'>;

/** Of what cannot be brought home nothing is missing, and nobody has looked. */
const NOT_HERE: Here = { here: 'nothing', missingBytes: 0 };

/** By what a pull would find: what has the name stays, whatever it is, and a part goes on. */
function whatIsHere(to: string, { path, bytes }: ResultFile, asked: FoldersAsked): Here {
  const found = lookHereNow(to, path, asked);
  if (found.kind === 'file') {
    const here: PullHere = found.stat.size === BigInt(bytes) ? 'whole' : 'in-the-way';
    return { here, missingBytes: 0 };
  }
  if (found.kind === 'not-a-file' || found.kind === 'linked') {
    return { here: 'in-the-way', missingBytes: 0 };
  }
  // Also of what this computer lets nobody see: then the pull itself says so.
  const part = lookHereNow(to, partOf(path), asked);
  // Longer than the file is now: it begins anew.
  if (part.kind !== 'file' || part.stat.size > BigInt(bytes)) {
    return { here: 'nothing', missingBytes: bytes };
  }
  return { here: 'part', missingBytes: bytes - Number(part.stat.size) };
}

/** A full disk, and how much of a pull that was planned for it does not fit: by what lies here now. */
export async function noRoom(
  { to, files }: Pick<PullPlan, 'to' | 'files'>,
  detail?: string,
): Promise<Problem> {
  const asked: FoldersAsked = new Map();
  let missingBytes = 0;
  await inSlices(files, (file) => {
    if (file.refused === null) missingBytes += whatIsHere(to, file, asked).missingBytes;
  });
  return fullHere(to, { missingBytes, freeBytes: await freeBytesOf(to) }, detail);
}

export const fullHere = (to: string, room: Room, detail?: string): Problem =>
  problem('disk-full', noRoomWords(to, room), {
    nextStep: 'Make room there and go on: what has arrived is not sent again.',
    ...(detail !== undefined && { detail }),
  });

/** Null: it does not say. */
export async function freeBytesOf(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    // A network disk need not know; then the window says so.
    return null;
  }
}

/** SECURITY: the page can only take files out of what was shown. */
export function withoutThese(
  kept: KeptPull,
  left: readonly LeftFiles[],
): Result<KeptPull, Problem> {
  const shown = withoutLeft(kept.shown, left);
  if (typeof shown === 'string') return err(problem('results-not-pulled', shown));
  return ok({ ...kept, shown });
}
