import { realpath, stat } from 'node:fs/promises';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { PushRequest } from '../../shared/runs/launch/run-request.ts';
import { fileList, type PlannedPush } from '../../shared/transfer/planned-push.ts';
import type { PushProgress } from '../../shared/transfer/push-progress.ts';
import { recordBytes } from '../../shared/transfer/tree-record.ts';
import type { TreeLook } from '../../shared/transfer/tree-look.ts';
import { isSame, treeText, type SeenEntry } from '../../shared/transfer/tree.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { errnoOf, fileProblem } from '../storage/file-problem.ts';
import { checkAsPlanned, type Touched } from './as-planned.ts';
import { BoxTree } from './box-tree.ts';
import { gitState, type GitState } from './git-state.ts';
import { listTree, type ListedFile } from './list-tree.ts';
import { LocalHashes } from './local-hashes.ts';
import { readLocalTree, type LocalEntry, type LocalTree } from './local-tree.ts';
import { ChangedMeanwhile, tarOfTree } from './tar-of-tree.ts';
import { sha256 } from '../storage/sha256.ts';

/** What is longer is told: data and weights are better fetched on the box. */
const LARGE_BYTES = 100 * 1024 * 1024;

/** A push as it was shown, and what it takes to carry it out. */
export interface KeptPush extends Touched {
  readonly shown: PlannedPush;
  /** As the request names it. */
  readonly folder: string;
  readonly entries: readonly LocalEntry[];
  readonly send: readonly LocalEntry[];
  /** What the box keeps of this folder is of this very tree: nothing has to be moved or written down. */
  readonly isRecorded: boolean;
  readonly isRehashing: boolean;
}

export interface FoundPush {
  readonly kept: KeptPush;
  readonly look: TreeLook;
  /** Scripts that no shell could run, unless their line ends are changed (U26). */
  readonly withReturns: readonly string[];
  /** Of what is replaced, what no push has put there as it is: something on the box has written it. */
  readonly written: ReadonlyMap<string, SeenEntry>;
  /** Where a file belongs, the box has a folder. */
  readonly inTheWay: readonly string[];
}

export interface CarryOptions {
  readonly signal?: AbortSignal;
  readonly onProgress: (progress: PushProgress) => void;
}

/** Brings the code of a folder of this machine onto boxes: what was shown, and nothing that the box has already. */
export class CodePusher {
  readonly #scripts: OnboxScripts;
  readonly #hashes: LocalHashes;

  constructor(scripts: OnboxScripts, hashes = new LocalHashes()) {
    this.#scripts = scripts;
    this.#hashes = hashes;
  }

  /** Compares the folder with what the box has. Changes nothing on either side. */
  async plan(
    connection: SshConnection,
    push: PushRequest,
    folder: string,
  ): Promise<Result<FoundPush, Problem>> {
    const isRehashing = push.rehash;
    const box = new BoxTree({ scripts: this.#scripts, folder, isRehashing });
    const finding = findFolder(push);
    const [found, local, looked] = await Promise.all([
      finding,
      finding.then((each) => (each.ok ? readFolder(push, each.value, this.#hashes) : each)),
      box.lookAhead(
        connection,
        finding.then((each) => (each.ok ? pathsOf(each.value.files) : null)),
      ),
    ]);
    if (!found.ok) return found;
    if (!local.ok) return local;
    if (!looked.ok) return looked;
    const { from } = found.value;
    const { tree: read, commit, isDirty } = local.value;
    const { entries } = read;
    const tree = hashOf(entries);
    const look = looked.value;
    const send = notAsIn(look, entries);
    const left = await this.#leftOver(connection, box, look, tree, entries);
    if (!left.ok) return left;
    const shown: PlannedPush = {
      from,
      to: look.folder,
      commit,
      isDirty,
      tree,
      files: entries.length,
      bytes: bytesOf(entries),
      send: { ...fileList(send.map(({ path }) => path)), bytes: bytesOf(send) },
      replaced: fileList(pathsOf(send.filter(({ path }) => look.seen.has(path)))),
      gone: fileList(left.value.gone),
      isDeleting: push.delete,
      kept: fileList(left.value.kept),
      leftOut: read.leftOut.slice(0, 50),
      large: fileList(pathsOf(send.filter((each) => bytesOf([each]) > LARGE_BYTES))),
      fixed: fileList(push.fixLineEnds ? read.withReturns : []),
    };
    const gone = push.delete ? left.value.gone : [];
    const before = new Map(
      [...pathsOf(send), ...gone].flatMap((path) => {
        const seen = look.seen.get(path) ?? left.value.seen.get(path);
        return seen === undefined ? [] : [[path, seen] as const];
      }),
    );
    return ok({
      kept: {
        shown,
        folder,
        entries,
        send,
        gone,
        before,
        isRecorded: look.record === tree && look.noted === tree,
        isRehashing,
      },
      look,
      written: writtenIn(send, look, left.value),
      withReturns: push.fixLineEnds ? [] : read.withReturns,
      inTheWay: pathsOf(send.filter(({ path }) => look.seen.get(path)?.kind === 'folder')),
    });
  }

  /** Sends what was planned and reads all of it back. Cut off anywhere and done again, it goes on. */
  async push(
    connection: SshConnection,
    { shown, folder, entries, send, gone, before, isRecorded, isRehashing }: KeptPush,
    { signal, onProgress }: CarryOptions,
    isResumed = false,
  ): Promise<Result<null, Problem>> {
    const { tree } = shown;
    const box = new BoxTree({
      scripts: this.#scripts,
      folder,
      isRehashing,
      ...(signal === undefined ? {} : { signal }),
    });
    const tell = (stage: PushProgress['stage'], doneFiles: number, doneBytes: number): void =>
      onProgress({
        stage,
        doneFiles,
        doneBytes,
        files: send.length,
        bytes: shown.send.bytes,
        isResumed,
      });
    if (send.length === 0 && gone.length === 0 && isRecorded) {
      tell('checking', 0, 0);
      return readBack(box, connection, entries);
    }
    tell('looking', 0, 0);
    const missing = await stillMissing(box, connection, send, tree);
    if (!missing.ok) return missing;
    const there = bytesOf(send) - bytesOf(missing.value);
    const sent = send.length - missing.value.length;
    const files = entries.filter((entry) => entry.kind === 'file');
    const stream = tarOfTree({
      folder: shown.from,
      entries: missing.value,
      beside: {
        record: Buffer.from(recordBytes({ tree, files }), 'utf8'),
        gone: Buffer.from(gone.map((path) => `./${path}\0`).join(''), 'utf8'),
      },
      onSent: (doneFiles, doneBytes) => tell('sending', sent + doneFiles, there + doneBytes),
    });
    tell('sending', sent, there);
    const received = await box
      .receive(connection, tree, stream)
      .catch((cause: unknown) => err(changed(cause, shown.from)));
    if (!received.ok) return received;
    const asPlanned = await checkAsPlanned(box, connection, { send, gone, before });
    if (!asPlanned.ok) return asPlanned;
    tell('placing', send.length, shown.send.bytes);
    const placed = await box.place(connection, tree);
    if (!placed.ok) return placed;
    tell('checking', send.length, shown.send.bytes);
    return readBack(box, connection, entries);
  }

  /** What an earlier push has put there and this tree does not have: as it was put there, or changed since. */
  async #leftOver(
    connection: SshConnection,
    box: BoxTree,
    { record }: TreeLook,
    tree: string,
    entries: readonly LocalEntry[],
  ): Promise<Result<LeftOver, Problem>> {
    if (record === null || record === tree)
      return ok({ gone: [], kept: [], seen: new Map(), recorded: new Map() });
    const recorded = await box.record(connection);
    if (!recorded.ok) return recorded;
    const here = new Set(pathsOf(entries));
    const files = recorded.value?.files ?? [];
    const left = files.filter(({ path }) => !here.has(path));
    const looked = await box.look(connection, pathsOf(left));
    if (!looked.ok) return looked;
    const there = left.flatMap(({ path, sha256 }) => {
      const seen = looked.value.seen.get(path);
      return seen?.kind === 'file' ? [{ path, isAsPut: seen.sha256 === sha256 }] : [];
    });
    return ok({
      seen: looked.value.seen,
      recorded: new Map(files.map(({ path, sha256 }) => [path, sha256])),
      gone: pathsOf(there.filter(({ isAsPut }) => isAsPut)),
      kept: pathsOf(there.filter(({ isAsPut }) => !isAsPut)),
    });
  }
}

interface LeftOver extends Pick<TreeLook, 'seen'> {
  readonly gone: readonly string[];
  readonly kept: readonly string[];
  /** The SHA-256 of what was put there last, where that is another tree. */
  readonly recorded: ReadonlyMap<string, string>;
}

interface FoundFolder {
  readonly from: string;
  readonly files: readonly ListedFile[];
  readonly git: Promise<GitState | null>;
}

async function findFolder({ from, ignore }: PushRequest): Promise<Result<FoundFolder, Problem>> {
  try {
    const folder = await realpath(from);
    if (!(await stat(folder)).isDirectory()) {
      return err(problem('code-not-read', `${from} is not a folder.`));
    }
    // At the same time as the list, since git takes as long for the one as for the other.
    const git = gitState(folder);
    const listed = await listTree(folder, ignore);
    return listed.ok ? ok({ from: folder, files: listed.value, git }) : listed;
  } catch (cause) {
    return err(notRead(cause, from));
  }
}

interface LocalFolder {
  readonly tree: LocalTree;
  readonly commit: string | null;
  readonly isDirty: boolean;
}

const hashOf = (entries: readonly LocalEntry[]): string => sha256(treeText(entries));

/** The hash of what a push would bring: the same as in its plan. */
export async function hashOfFolder(
  push: PushRequest,
  hashes: LocalHashes,
): Promise<Result<string, Problem>> {
  const found = await findFolder(push);
  if (!found.ok) return found;
  const read = await readFolder(push, found.value, hashes);
  return read.ok ? ok(hashOf(read.value.tree.entries)) : read;
}

async function readFolder(
  { fixLineEnds, rehash }: PushRequest,
  { from, files, git: telling }: FoundFolder,
  hashes: LocalHashes,
): Promise<Result<LocalFolder, Problem>> {
  try {
    const [tree, git] = await Promise.all([
      readLocalTree(from, files, {
        isFixing: fixLineEnds,
        isRehashing: rehash,
        hashes,
      }),
      telling,
    ]);
    if (tree.entries.length === 0) {
      return err(problem('code-not-read', `${from} has no files to push.`));
    }
    return ok({
      tree,
      commit: git?.commit ?? null,
      isDirty: git?.isDirty ?? false,
    });
  } catch (cause) {
    return err(notRead(cause, from));
  }
}

function notRead(cause: unknown, from: string): Problem {
  const errno = errnoOf(cause);
  if (errno !== 'EACCES' && errno !== 'EPERM') {
    const failed = 'The code was not read';
    return fileProblem(cause, {
      failed,
      file: from,
      otherwise: 'code-not-read',
    });
  }
  const { path = from } = cause as NodeJS.ErrnoException;
  return problem('code-not-read', `${path} can't be read: you lack the permission.`, {
    nextStep: 'Make it readable, or leave it out with push.ignore, then plan again.',
  });
}

/** Of what is to be sent, what is neither in its place nor waiting to be moved there. */
async function stillMissing(
  box: BoxTree,
  connection: SshConnection,
  send: readonly LocalEntry[],
  tree: string,
): Promise<Result<readonly LocalEntry[], Problem>> {
  if (send.length === 0) return ok([]);
  let missing = send;
  for (const staged of [tree, '']) {
    const looked = await box.look(connection, pathsOf(send), { staged });
    if (!looked.ok) return looked;
    missing = notAsIn(looked.value, missing);
    if (missing.length === 0) break;
  }
  return ok(missing);
}

/** Every file and link of the tree, as the box has it now (U42). */
async function readBack(
  box: BoxTree,
  connection: SshConnection,
  entries: readonly LocalEntry[],
): Promise<Result<null, Problem>> {
  const looked = await box.look(connection, pathsOf(entries), { isKept: true });
  if (!looked.ok) return looked;
  const other = notAsIn(looked.value, entries);
  if (other.length === 0) return ok(null);
  const [first] = other;
  const more = other.length === 1 ? '' : ` and ${String(other.length - 1)} more`;
  return err(
    problem(
      'code-not-sent',
      `The code on the box is not what was pushed: ${first?.path ?? ''}${more}. Nothing was started.`,
      { nextStep: 'Something else writes there. Plan again when it is done.' },
    ),
  );
}

function changed(cause: unknown, from: string): Problem {
  if (cause instanceof ChangedMeanwhile) {
    return problem('code-not-sent', `${cause.path} changed after the plan. Nothing was started.`, {
      nextStep: 'Plan again: what has arrived is not sent twice.',
    });
  }
  const failed = 'The code was not sent';
  return fileProblem(cause, { failed, file: from, otherwise: 'code-not-sent' });
}

/** Bytes that would be gone with what is sent, and that no push has brought. */
function writtenIn(
  send: readonly LocalEntry[],
  { seen }: TreeLook,
  { recorded }: LeftOver,
): ReadonlyMap<string, SeenEntry> {
  return new Map(
    send.flatMap((entry) => {
      const now = seen.get(entry.path);
      if (now?.kind !== 'file') return [];
      const put = [recorded.get(entry.path), entry.kind === 'file' ? entry.sha256 : undefined];
      return now.sha256 !== null && put.includes(now.sha256) ? [] : [[entry.path, now] as const];
    }),
  );
}

/** Of these entries, what the box has otherwise or not at all. */
function notAsIn({ seen }: TreeLook, entries: readonly LocalEntry[]): readonly LocalEntry[] {
  return entries.filter((entry) => !isSame(entry, seen.get(entry.path) ?? { kind: 'missing' }));
}

const pathsOf = (entries: readonly { readonly path: string }[]): readonly string[] =>
  entries.map(({ path }) => path);

function bytesOf(entries: readonly LocalEntry[]): number {
  return entries.reduce((sum, entry) => sum + (entry.kind === 'file' ? entry.bytes : 0), 0);
}
