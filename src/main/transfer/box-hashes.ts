import { problem, type Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { BoxTree, type LookProblems } from './box-tree.ts';
import { waited } from './waited.ts';

const PROBLEMS: LookProblems = {
  isLate: problem(
    'results-not-pulled',
    'The results folder did not answer within 2 s, as where it lies on a server that went away.',
  ),
  notWhole: problem('results-not-pulled', 'The box did not hash its files to the end.'),
};

export interface HashRequest {
  readonly scripts: OnboxScripts;
  readonly folder: string;
  readonly paths: readonly string[];
  readonly signal: AbortSignal;
  /** By this machine's uptime: not before. */
  readonly fromMs: number;
  /** Told once for each file, as soon as the box tells it. */
  readonly onHashed: (path: string) => void;
}

/** What is in these files now. Where the disk tells each writing, of what nobody has written to it is what the box has kept. */
export async function hashesOf(
  connection: SshConnection,
  asked: Pick<HashRequest, 'scripts' | 'folder' | 'paths'>,
): Promise<Result<ReadonlyMap<string, string | null>, Problem>> {
  const hashes = new BoxHashes();
  const signal = new AbortController().signal;
  const done = await hashes.ask(connection, {
    ...{ ...asked, signal, fromMs: 0 },
    onHashed: () => undefined,
  });
  return done.ok ? ok(hashes.told) : done;
}

/** What the box says that is in each file, while it reads them. */
export class BoxHashes {
  readonly #told = new Map<string, string | null>();
  readonly #waiting = new Map<string, () => void>();
  #isAsking = false;

  /** Null: the box could not read it. */
  get told(): ReadonlyMap<string, string | null> {
    return this.#told;
  }

  /** Null also where the asking came to nothing, which `ask` tells. */
  async of(path: string): Promise<string | null> {
    return (await this.ofAll([{ path }])).get(path) ?? null;
  }

  /** What is told once all of these are, each of which one asks for at a time; less where the asking came to nothing. */
  ofAll(files: readonly { readonly path: string }[]): Promise<ReadonlyMap<string, string | null>> {
    const open = this.#isAsking ? files.filter(({ path }) => !this.#told.has(path)) : [];
    if (open.length === 0) return Promise.resolve(this.#told);
    return new Promise((resolve) => {
      let left = open.length;
      // One for all of them: a promise for each of ten thousands of files stood high in the profile of main.
      const told = (): void => {
        left -= 1;
        if (left === 0) resolve(this.#told);
      };
      for (const { path } of open) this.#waiting.set(path, told);
    });
  }

  /** Has the box hash what it has not told yet. It takes as long as it takes: its link tells whether the box is alive. */
  async ask(
    connection: SshConnection,
    { scripts, folder, paths, signal, fromMs, onHashed }: HashRequest,
  ): Promise<Result<null, Problem>> {
    const open = new Set(paths.filter((path) => !this.#told.has(path)));
    if (open.size === 0) return ok(null);
    this.#isAsking = true;
    const tell = (path: string, sha256: string | null): void => {
      if (!open.delete(path)) return;
      this.#settle(path, sha256);
      onHashed(path);
    };
    await waited(fromMs - performance.now(), signal);
    const box = new BoxTree({
      ...{ scripts, folder, signal, isRehashing: false, problems: PROBLEMS },
      // A folder that code was pushed into has hashes of its own.
      recordName: `results ${folder}`,
    });
    const looked = await box.look(connection, [...open], {
      isKept: true,
      onHash: tell,
    });
    this.#isAsking = false;
    if (!looked.ok) {
      for (const release of this.#waiting.values()) release();
      this.#waiting.clear();
      return looked;
    }
    // It could not read these, or does not have them.
    for (const path of [...open]) tell(path, null);
    return ok(null);
  }

  #settle(path: string, sha256: string | null): void {
    this.#told.set(path, sha256);
    this.#waiting.get(path)?.();
    this.#waiting.delete(path);
  }
}
