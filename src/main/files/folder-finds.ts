import { randomUUID } from 'node:crypto';
import type { BoxFile, FolderPart } from '../../shared/files/box-file.ts';
import { findFault, findPattern, MAX_FOUND } from '../../shared/files/find-pattern.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Connections } from '../boxes/box-roster.ts';
import { newMark, type OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { readFound } from './read-found.ts';

interface Find {
  readonly id: string;
  readonly folder: string;
  readonly stopper: AbortController;
  /** Not told yet. */
  waiting: BoxFile[];
  count: number;
  /** Null: the box still looks. */
  end: Result<{ readonly isWhole: boolean }, Problem> | null;
  /** That something of this has changed. */
  wake: () => void;
}

/** Entries that are searched by name, one search for each box: they are told part by part, as they are found. */
export class FolderFinds {
  readonly #roster: Connections;
  readonly #scripts: OnboxScripts;
  readonly #finds = new Map<string, Find>();

  constructor(roster: Connections, scripts: OnboxScripts) {
    this.#roster = roster;
    this.#scripts = scripts;
  }

  /** In this folder, a whole path, and all that is in it. What was being searched on the box is left. */
  async begin(boxId: string, folder: string, wanted: string): Promise<Result<FolderPart, Problem>> {
    this.stop(boxId);
    const fault = /[\r\n]/.test(folder)
      ? 'A folder with a line break in its name cannot be searched.'
      : findFault(wanted);
    if (fault !== null) return err(problem('file-name-unusable', fault));
    const connection = this.#roster.connectionOf(boxId);
    if (connection === null) return err(problem('not-connected', 'The box is not connected.'));
    const find: Find = {
      ...{ id: randomUUID(), folder, stopper: new AbortController() },
      ...{ waiting: [], count: 0, end: null, wake: () => undefined },
    };
    this.#finds.set(boxId, find);
    void this.#search(connection, find, wanted).then((end) => {
      find.end = end;
      find.wake();
    });
    return this.#part(boxId, find);
  }

  async more(boxId: string, rest: string): Promise<Result<FolderPart, Problem>> {
    const find = this.#finds.get(boxId);
    if (find?.id === rest) return this.#part(boxId, find);
    return err(problem('folder-not-listed', 'This is not being searched any more.'));
  }

  /** Nobody waits for it any more: the box stops, too. */
  stop(boxId: string): void {
    this.#finds.get(boxId)?.stopper.abort();
    this.#finds.delete(boxId);
  }

  close(): void {
    for (const boxId of [...this.#finds.keys()]) this.stop(boxId);
  }

  async #search(
    connection: SshConnection,
    find: Find,
    wanted: string,
  ): Promise<Result<{ readonly isWhole: boolean }, Problem>> {
    const mark = newMark();
    const values = {
      LEASEHOLD_MARK: mark,
      LEASEHOLD_FOLDER: find.folder,
      LEASEHOLD_PATTERN: findPattern(wanted),
    };
    const take = (file: BoxFile): boolean => {
      find.count += 1;
      if (find.count > MAX_FOUND) return false;
      find.waiting.push(file);
      find.wake();
      return true;
    };
    const ran = await this.#scripts.follow(connection, 'files-find.sh', values, {
      read: (stdout) => readFound(stdout, mark, take),
      signal: find.stopper.signal,
    });
    if (find.stopper.signal.aborted) return err(problem('aborted', 'The search was stopped.'));
    // Its end tells the box that nobody reads any more.
    find.stopper.abort();
    return ran.ok ? ok(ran.value.value) : ran;
  }

  /** As soon as there is something to tell. */
  async #part(boxId: string, find: Find): Promise<Result<FolderPart, Problem>> {
    while (find.waiting.length === 0 && find.end === null) {
      await new Promise<void>((resolve) => (find.wake = resolve));
    }
    const { waiting: files, folder, end, count } = find;
    find.waiting = [];
    // What was found before it failed is told first.
    const isOver = end?.ok === true || (end !== null && files.length === 0);
    if (isOver && this.#finds.get(boxId) === find) this.#finds.delete(boxId);
    if (end?.ok === false && isOver) return end;
    const isPartly = end?.ok === true && !end.value.isWhole;
    return ok({ folder, files, rest: isOver ? null : find.id, isCut: count > MAX_FOUND, isPartly });
  }
}
