import { z } from 'zod';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { BoxChange, ByBox } from '../../shared/streams/meter-stream.ts';
import { namedFoldersStream } from '../../shared/streams/runs-stream.ts';
import {
  isTooWide,
  NAMED_FOLDER_ID,
  rootOf,
  type NamedFolder,
  type ResultRoot,
} from '../../shared/transfer/result-root.ts';
import type { BoxRoster } from '../boxes/box-roster.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import { listResults } from '../runs/list-results.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import type { EntriesTable } from '../storage/entries-table.ts';
import { sha256 } from '../storage/sha256.ts';
import { Source, type OfBox } from '../streams/source.ts';
import type { StreamHub, Topic } from '../streams/stream-hub.ts';

const KEPT_AS = 'result-folders';
const MOST = 50;

const kept = z.array(
  z.strictObject({
    id: z.string().regex(NAMED_FOLDER_ID),
    folder: z.string(),
    addedAtMs: z.number(),
  }),
) satisfies z.ZodType<readonly NamedFolder[]>;

/** As they are kept, for who runs without a window. */
export function namedRootsOf(
  entries: Pick<EntriesTable, 'read'>,
  boxId: string,
): Result<readonly ResultRoot[], Problem> {
  const read = entries.read(boxId, KEPT_AS, kept);
  return read.ok ? ok((read.value ?? []).map(rootOf)) : read;
}

export interface NamedFoldersOptions {
  readonly hub: StreamHub;
  readonly roster: Pick<BoxRoster, 'connectionOf' | 'follow'>;
  readonly scripts: OnboxScripts;
  readonly entries: Pick<EntriesTable, 'read' | 'write'>;
  readonly onProblem: (found: Problem) => void;
}

/** Folders of boxes that a person wants to have home, beside what launched runs leave (stream `named-folders`). */
export class NamedFolders {
  readonly #options: NamedFoldersOptions;
  readonly #known = new Map<string, readonly NamedFolder[]>();
  readonly #topic: Topic<ByBox<readonly NamedFolder[]>, BoxChange<readonly NamedFolder[]>>;
  readonly #stop: () => void;
  /** Those of a box, each time they are others. */
  readonly changed = new Source<OfBox<readonly ResultRoot[]>>();

  constructor(options: NamedFoldersOptions) {
    this.#options = options;
    this.#topic = options.hub.addTopic('named-folders', '', {
      kind: namedFoldersStream,
      initial: { boxes: {} },
    });
    this.#stop = options.roster.follow({
      added: ({ box }) => {
        const read = options.entries.read(box.id, KEPT_AS, kept);
        if (!read.ok) options.onProblem(read.error);
        else if (read.value !== null) this.#tell(box.id, read.value);
      },
      removed: (boxId) => this.#tell(boxId, []),
    });
  }

  rootsOf(boxId: string): readonly ResultRoot[] {
    return (this.#known.get(boxId) ?? []).map(rootOf);
  }

  root(boxId: string, id: string): ResultRoot | null {
    return this.rootsOf(boxId).find((root) => root.id === id) ?? null;
  }

  /** Asks the box what that folder is: only one that is there and can be listed is taken. */
  async add(boxId: string, written: string): Promise<Result<NamedFolder, Problem>> {
    const connection = this.#options.roster.connectionOf(boxId);
    if (connection === null) return err(problem('not-connected', 'The box is not connected.'));
    const found = await findFolder(connection, this.#options.scripts, written);
    if (!found.ok) return found;
    const named = { ...found.value, addedAtMs: Date.now() };
    const others = (this.#known.get(boxId) ?? []).filter(({ id }) => id !== named.id);
    if (others.length >= MOST) {
      return err(
        problem('bad-input', `No more than ${String(MOST)} folders of a box can be named.`),
      );
    }
    const put = this.#put(boxId, [...others, named]);
    return put.ok ? ok(named) : put;
  }

  /** What was proven of it stays in the evidence; nothing is deleted anywhere. */
  remove(boxId: string, id: string): Result<null, Problem> {
    return this.#put(
      boxId,
      (this.#known.get(boxId) ?? []).filter((each) => each.id !== id),
    );
  }

  close(): void {
    this.#stop();
    this.#options.hub.removeTopic('named-folders', '');
  }

  #put(boxId: string, folders: readonly NamedFolder[]): Result<null, Problem> {
    const written = this.#options.entries.write(boxId, KEPT_AS, folders, Date.now());
    if (written.ok) this.#tell(boxId, folders);
    return written;
  }

  #tell(boxId: string, folders: readonly NamedFolder[]): void {
    this.#known.set(boxId, folders);
    this.#topic.publish({ boxId, value: folders.length === 0 ? null : folders });
    this.changed.tell({ boxId, value: this.rootsOf(boxId) });
  }
}

/** The folder as the box names it, and the id of results in it. */
export async function findFolder(
  connection: SshConnection,
  scripts: OnboxScripts,
  written: string,
): Promise<Result<Pick<NamedFolder, 'id' | 'folder'>, Problem>> {
  if (!/^[/~]/.test(written)) {
    return err(problem('bad-input', 'Give the folder by its whole path, from “/” or “~” on.'));
  }
  const listed = await listResults(connection, scripts, { folder: written, results: written });
  if (!listed.ok) return listed;
  const folder = listed.value.folder.replace(/(?<=.)\/+$/, '');
  if (isTooWide(folder)) {
    const says = 'That is the whole box. Name the folders in it that hold results.';
    return err(problem('bad-input', says));
  }
  return ok({ id: `f-${sha256(folder).slice(0, 16)}`, folder });
}
