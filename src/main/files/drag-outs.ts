import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nameOf } from '../../shared/files/box-path.ts';
import type { TransferReport } from '../../shared/files/file-transfer.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { fileProblem } from '../storage/file-problem.ts';
import type { FileTransfers, Found } from './file-transfers.ts';

/** More than that nobody wants to have brought by a movement of the hand. */
const MAX_DRAGGED_BYTES = 1024 * 1024 * 1024;
/** A file manager may still be copying one of them when the next is dragged. */
const KEPT_SETS = 8;

export interface DragOutsOptions {
  readonly transfers: Pick<FileTransfers, 'bring'>;
  /** Hands these files to the system while the mouse button is held. */
  readonly startDrag: (files: readonly string[]) => Result<null, Problem>;
}

/** What was brought here to be dragged on, and which files of the box it is. */
interface DragSet {
  readonly folder: string;
  /** Null: not all of it is here. */
  readonly whole: {
    readonly there: string;
    readonly here: string;
    readonly names: readonly string[];
  } | null;
}

/**
 * Files of a box that are dragged out of the window: what the system takes must lie on this computer, so they are brought into a folder of
 * their own first. It is never a proven copy that is handed out: a file manager may move what it is given.
 */
export class DragOuts {
  readonly #options: DragOutsOptions;
  readonly #sets = new Map<string, DragSet>();
  #root: string | null = null;
  #count = 0;

  constructor(options: DragOutsOptions) {
    this.#options = options;
  }

  /** What is here already, and is on the box as it was, is not brought again. */
  async fetch(boxId: string, paths: readonly string[]): Promise<Result<TransferReport, Problem>> {
    const key = keyOf(boxId, paths);
    this.#root ??= join(tmpdir(), `leasehold-drag-${randomUUID()}`);
    this.#count += 1;
    const folder = join(this.#root, String(this.#count));
    let there = '';
    let names: readonly string[] = [];
    const brought = await this.#options.transfers.bring(boxId, paths, folder, async (found) => {
      there = marksOf(found);
      if (this.#wholeOf(key)?.there === there) return ok([]);
      names = found.map(({ name }) => name);
      const bytes = found.reduce((sum, { from }) => sum + (from.file.sizeBytes ?? 0), 0);
      if (bytes > MAX_DRAGGED_BYTES) return err(tooMuch());
      return (await this.#begin(key, folder)) ?? ok(found);
    });
    if (!brought.ok) return brought;
    if (this.#sets.get(key)?.folder === folder && brought.value.left.length === 0) {
      this.#sets.set(key, { folder, whole: { there, here: marksIn(folder, names), names } });
    }
    return brought;
  }

  /** Of what `fetch` has brought as a whole. */
  drag(boxId: string, paths: readonly string[]): Result<null, Problem> {
    const key = keyOf(boxId, paths);
    const set = this.#sets.get(key);
    const files = paths.map((path) => join(set?.folder ?? '', nameOf(path)));
    if (this.#wholeOf(key) === null || !files.every((file) => existsSync(file))) {
      const said = 'These files are not on this computer, so they cannot be dragged.';
      return err(problem('file-failed', said));
    }
    return this.#options.startDrag(files);
  }

  async close(): Promise<void> {
    this.#sets.clear();
    if (this.#root !== null) await rm(this.#root, { recursive: true, force: true });
  }

  /** Null: its folder is there, and belongs to this user alone. */
  async #begin(key: string, folder: string): Promise<Result<never, Problem> | null> {
    try {
      await this.#drop(key);
      await mkdir(folder, { mode: 0o700, recursive: true });
      this.#sets.set(key, { folder, whole: null });
      const [oldest] = this.#sets.keys();
      if (this.#sets.size > KEPT_SETS && oldest !== undefined) await this.#drop(oldest);
      return null;
    } catch (cause) {
      const failed = 'The files were not downloaded';
      return err(fileProblem(cause, { failed, file: folder, otherwise: 'file-failed' }));
    }
  }

  /** What takes files may have moved or changed them. */
  #wholeOf(key: string): DragSet['whole'] {
    const set = this.#sets.get(key);
    const whole = set?.whole ?? null;
    return set !== undefined && whole?.here === marksIn(set.folder, whole?.names ?? [])
      ? whole
      : null;
  }

  async #drop(key: string): Promise<void> {
    const set = this.#sets.get(key);
    this.#sets.delete(key);
    if (set !== undefined) await rm(set.folder, { recursive: true, force: true });
  }
}

const keyOf = (boxId: string, paths: readonly string[]): string =>
  JSON.stringify([boxId, ...paths]);

const marksOf = (found: readonly Found[]): string =>
  JSON.stringify(
    found.map(({ name, from: { file } }) => [name, file.kind, file.sizeBytes, file.modifiedAtMs]),
  );

const marksIn = (folder: string, names: readonly string[]): string =>
  JSON.stringify(
    names.map((name) => {
      const found = lstatSync(join(folder, ...name.split('/')), { throwIfNoEntry: false });
      return found?.isFile() === true ? [found.size, found.mtimeMs] : null;
    }),
  );

const tooMuch = (): Problem =>
  problem('file-failed', 'More than 1 GiB is not dragged out of the window.', {
    nextStep: 'Use Download…, or bring results home, which goes on after a cut.',
  });
