import type { FolderPart, LinkEnd } from '../../shared/files/box-file.ts';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { Connections } from '../boxes/box-roster.ts';
import { FileSessions } from './file-sessions.ts';
import { FolderListings } from './folder-listings.ts';

export interface FileDeskOptions {
  readonly roster: Connections;
}

/** What a person sees of the files of a box. Reads only. */
export class FileDesk {
  readonly #sessions: FileSessions;
  readonly #listings: FolderListings;

  constructor({ roster }: FileDeskOptions) {
    this.#sessions = new FileSessions(roster);
    this.#listings = new FolderListings(this.#sessions);
  }

  list(boxId: string, folder: string | null): Promise<Result<FolderPart, Problem>> {
    return this.#listings.begin(boxId, folder);
  }

  more(boxId: string, rest: string): Promise<Result<FolderPart, Problem>> {
    return this.#listings.more(boxId, rest);
  }

  stopListing(boxId: string): void {
    this.#listings.stop(boxId);
  }

  /** Where these links lead. */
  follow(boxId: string, paths: readonly string[]): Promise<Result<readonly LinkEnd[], Problem>> {
    return this.#sessions.use(boxId, async (files) =>
      ok(await Promise.all(paths.map((path) => files.follow(path)))),
    );
  }

  /** For quitting. */
  close(): void {
    this.#listings.close();
    this.#sessions.close();
  }
}
