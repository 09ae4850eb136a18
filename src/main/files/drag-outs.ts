import { randomUUID } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { nameOf } from '../../shared/files/box-path.ts';
import type { TransferReport } from '../../shared/files/file-transfer.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { errnoOf, fileProblem } from '../storage/file-problem.ts';
import { OWNER_ONLY_FOLDER } from '../storage/folder.ts';
import type { FileTransfers, Found } from './file-transfers.ts';

/** Below the data folder. */
export const DRAG_OUTS = 'dragged';

/** More than that nobody wants to have brought by a movement of the hand; nor does more lie here of all that was dragged. */
const MAX_DRAGGED_BYTES = 1024 * 1024 * 1024;
/** What an entry takes on a disk, however short it is. */
const ENTRY_BYTES = 4096;
/** So long what was just brought is handed out as it came, and so long what was handed out may still be being copied. */
const FRESH_MS = 60_000;
/** A box tells to the second when a file was changed: within one it may change again and look the same. */
const SETTLED_MS = 2000;

export interface DragOutsOptions {
  /** Of the app's own: nothing else lies in it. */
  readonly folder: string;
  readonly transfers: Pick<FileTransfers, 'bring'>;
  /** Hands these files to the system while the mouse button is held. */
  readonly startDrag: (files: readonly string[]) => Result<null, Problem>;
}

/** What is brought here to be dragged on. */
interface DragSet {
  readonly key: string;
  /** With a name that nobody guesses. */
  readonly folder: string;
  /** Itself, and each entry of it, a folder before what it holds. */
  readonly names: readonly string[];
  readonly bytes: number;
  /** As the box told it. */
  readonly there: string;
  /** Whether a change on the box would show. */
  readonly isSettled: boolean;
  state: 'coming' | 'whole' | 'spoilt';
  /** As it came. */
  here: string | null;
  /** When it was what is on the box, last. */
  sameAtMs: number;
  handedAtMs: number | null;
}

/**
 * Files of a box that are dragged out of the window: what the system takes must lie on this computer, so they are brought into a folder of
 * their own first. It is never a proven copy that is handed out: a file manager may move what it is given.
 */
export class DragOuts {
  readonly #options: DragOutsOptions;
  /** The oldest first. */
  readonly #sets = new Set<DragSet>();
  #swept: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: DragOutsOptions) {
    this.#options = options;
  }

  /** What an earlier time left here goes, before anything comes. */
  async sweep(): Promise<Result<null, Problem>> {
    try {
      this.#swept = removed(this.#options.folder);
      await this.#swept;
      return ok(null);
    } catch (cause) {
      return err(this.#problemOf(cause, 'What was dragged out earlier was not deleted'));
    }
  }

  /** What is here already, and is on the box as it was, is not brought again. */
  async fetch(boxId: string, paths: readonly string[]): Promise<Result<TransferReport, Problem>> {
    try {
      await this.#swept;
      return await this.#fetch(boxId, paths);
    } catch (cause) {
      return err(this.#problemOf(cause, 'The files were not downloaded'));
    }
  }

  /** Of what `fetch` has brought as a whole. */
  async drag(boxId: string, paths: readonly string[]): Promise<Result<null, Problem>> {
    const set = await this.#wholeOf(keyOf(boxId, paths));
    if (set === null) {
      const said = 'These files are not on this computer, so they cannot be dragged.';
      return err(problem('file-failed', said));
    }
    set.handedAtMs = Date.now();
    return this.#options.startDrag(paths.map((path) => join(set.folder, nameOf(path))));
  }

  /** For quitting, once nothing is brought any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#sets.clear();
    await removed(this.#options.folder);
  }

  async #fetch(boxId: string, paths: readonly string[]): Promise<Result<TransferReport, Problem>> {
    const key = keyOf(boxId, paths);
    // Also where it changed meanwhile: a log that is written to would come anew for each movement of the hand.
    const fresh = await this.#wholeOf(key);
    if (fresh !== null && Date.now() - fresh.sameAtMs < FRESH_MS) {
      return ok({ way: 'download', to: fresh.folder, files: 0, bytes: 0, left: [] });
    }
    const folder = join(this.#options.folder, randomUUID());
    try {
      const brought = await this.#options.transfers.bring(boxId, paths, folder, async (found) => {
        const begun = setOf(key, folder, found);
        const known = await this.#wholeOf(key);
        if (known?.isSettled === true && known.there === begun.there) {
          known.sameAtMs = begun.sameAtMs;
          return ok([]);
        }
        return (await this.#begin(begun)) ?? ok(found);
      });
      const set = this.#setIn(folder);
      if (set !== undefined && brought.ok && brought.value.left.length === 0) {
        set.here = marksIn(set);
        set.state = 'whole';
      }
      return brought;
    } finally {
      const set = this.#setIn(folder);
      if (set?.state === 'coming') await this.#remove(set);
    }
  }

  /** Null: its folder is there, belongs to this user alone, and there is room for it. */
  async #begin(begun: DragSet): Promise<Result<never, Problem> | null> {
    if (begun.bytes > MAX_DRAGGED_BYTES) return err(tooMuch());
    const isTooMuch = (): boolean => this.#bytes() + begun.bytes > MAX_DRAGGED_BYTES;
    for (const set of this.#sets) {
      const isOver = set.state === 'spoilt' || set.key === begun.key;
      if (!isNeeded(set) && (isOver || isTooMuch())) await this.#remove(set);
    }
    if (isTooMuch()) return err(noRoomYet());
    // At once with making the folder, so that none is made after the last one was deleted.
    if (this.#isClosed) return err(problem('aborted', 'Leasehold is being quit.'));
    mkdirSync(begun.folder, { mode: OWNER_ONLY_FOLDER, recursive: true });
    this.#sets.add(begun);
    return null;
  }

  /** The last that was brought. What takes files may have moved or changed some: the rest goes too, once nothing copies it any more. */
  async #wholeOf(key: string): Promise<DragSet | null> {
    const set = [...this.#sets].filter((at) => at.key === key && at.state === 'whole').at(-1);
    if (set === undefined) return null;
    if (set.here !== null && set.here === marksIn(set)) return set;
    set.state = 'spoilt';
    if (!isNeeded(set)) await this.#remove(set);
    return null;
  }

  #setIn(folder: string): DragSet | undefined {
    return [...this.#sets].find((set) => set.folder === folder);
  }

  #bytes(): number {
    return [...this.#sets].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  async #remove(set: DragSet): Promise<void> {
    this.#sets.delete(set);
    await removed(set.folder);
  }

  #problemOf(cause: unknown, failed: string): Problem {
    return fileProblem(cause, { failed, file: this.#options.folder, otherwise: 'file-failed' });
  }
}

/** Something may still be written in it, or be copied out of it. */
const removed = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });

const isNeeded = ({ state, handedAtMs }: DragSet): boolean =>
  state === 'coming' || (handedAtMs !== null && Date.now() - handedAtMs < FRESH_MS);

const keyOf = (boxId: string, paths: readonly string[]): string =>
  JSON.stringify([boxId, ...paths]);

function setOf(key: string, folder: string, found: readonly Found[]): DragSet {
  const nowMs = Date.now();
  const files = found.map(({ from }) => from.file).filter(({ kind }) => kind === 'file');
  const bytes = files.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0);
  const marks = found.map(({ name, from: { file } }) => [
    ...[name, file.kind, file.sizeBytes, file.modifiedAtMs],
  ]);
  return {
    ...{ key, folder, names: ['', ...found.map(({ name }) => name)] },
    bytes: bytes + found.length * ENTRY_BYTES,
    there: JSON.stringify(marks),
    isSettled: files.every(
      ({ modifiedAtMs }) => modifiedAtMs !== null && nowMs - modifiedAtMs >= SETTLED_MS,
    ),
    ...{ state: 'coming', here: null, sameAtMs: nowMs, handedAtMs: null },
  };
}

/** Null: something of it is not here, or is neither a file nor a folder. */
function marksIn({ folder, names }: DragSet): string | null {
  const marks: unknown[] = [];
  for (const name of names) {
    const found = lookAt(join(folder, name));
    if (found?.isFile() === true) marks.push([found.size, found.mtimeMs]);
    else if (found?.isDirectory() === true) marks.push('folder');
    else return null;
  }
  return JSON.stringify(marks);
}

function lookAt(file: string): ReturnType<typeof lstatSync> | null {
  try {
    return lstatSync(file);
  } catch (cause) {
    // Gone, in what is no folder any more, or hidden: in no case may it be handed out.
    if (errnoOf(cause) === null) throw cause;
    return null;
  }
}

const tooMuch = (): Problem =>
  problem('file-failed', 'More than 1 GiB is not dragged out of the window.', {
    nextStep: 'Use Download…, or bring results home, which goes on after a cut.',
  });

const noRoomYet = (): Problem =>
  problem('file-failed', 'What was dragged in the last minute leaves no room for these files.', {
    detail: 'At most 1 GiB lies here to be dragged, and some of it may still be being copied.',
    nextStep: 'Drag them again in a minute, or use Download….',
  });
