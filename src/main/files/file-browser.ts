import type { FolderNames, FolderPart, LinkEnd } from '../../shared/files/box-file.ts';
import { joinPath, parentOf } from '../../shared/files/box-path.ts';
import { newNameFault } from '../../shared/files/new-name.ts';
import type { FilePreview } from '../../shared/files/preview.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Connections } from '../boxes/box-roster.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { FileSessions } from './file-sessions.ts';
import { FolderFinds } from './folder-finds.ts';
import { FolderListings } from './folder-listings.ts';
import { foldersIn } from './folders-in.ts';
import { previewFile } from './preview-file.ts';
import { whyNotRenamed, type RunsKnown } from './run-roots.ts';

/** What a person sees of the files of a box, and what they do with one that destroys nothing. */
export class FileBrowser {
  readonly #sessions: FileSessions;
  readonly #listings: FolderListings;

  readonly #finds: FolderFinds;

  readonly #runs: Pick<RunsKnown, 'look' | 'folders'>;

  constructor(
    sessions: FileSessions,
    roster: Connections,
    scripts: OnboxScripts,
    runs: Pick<RunsKnown, 'look' | 'folders'>,
  ) {
    this.#sessions = sessions;
    this.#runs = runs;
    this.#listings = new FolderListings(this.#sessions);
    this.#finds = new FolderFinds(roster, scripts);
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

  /** For a tree: beside what is being listed. */
  folders(boxId: string, folder: string): Promise<Result<FolderNames, Problem>> {
    return this.#sessions.use(boxId, (files) => foldersIn(files, folder));
  }

  /** In the folder and all that it holds, by name. */
  find(boxId: string, folder: string, wanted: string): Promise<Result<FolderPart, Problem>> {
    return this.#finds.begin(boxId, folder, wanted);
  }

  findMore(boxId: string, rest: string): Promise<Result<FolderPart, Problem>> {
    return this.#finds.more(boxId, rest);
  }

  stopFinding(boxId: string): void {
    this.#finds.stop(boxId);
  }

  /** Where these links lead. */
  follow(boxId: string, paths: readonly string[]): Promise<Result<readonly LinkEnd[], Problem>> {
    return this.#sessions.use(boxId, async (files) =>
      ok(await Promise.all(paths.map((path) => files.follow(path)))),
    );
  }

  preview(boxId: string, path: string): Promise<Result<FilePreview, Problem>> {
    return this.#sessions.use(boxId, (files) => previewFile(files, path));
  }

  /** Answers once it is there. */
  async makeFolder(boxId: string, folder: string, name: string): Promise<Result<null, Problem>> {
    const fault = newNameFault(name);
    if (fault !== null) return err(problem('file-name-unusable', fault));
    return this.#sessions.use(boxId, (files) => files.mkdir(joinPath(folder, name)));
  }

  /** Within its folder. Replaces nothing. */
  async rename(boxId: string, path: string, name: string): Promise<Result<null, Problem>> {
    const fault = newNameFault(name);
    const folder = parentOf(path);
    if (fault !== null || folder === null) {
      return err(problem('file-name-unusable', fault ?? 'The root has no other name.'));
    }
    return this.#sessions.use(boxId, async (files) => {
      const found = await files.stat(path);
      if (!found.ok) return found;
      if (found.value.kind === 'folder' || found.value.kind === 'link') {
        const held = await whyNotRenamed(boxId, files, this.#runs, path);
        if (!held.ok) return held;
        if (held.value !== null) return err(problem('file-not-renamed', held.value));
      }
      return files.rename(path, joinPath(folder, name));
    });
  }

  /** For quitting. */
  close(): void {
    this.#listings.close();
    this.#finds.close();
  }
}
