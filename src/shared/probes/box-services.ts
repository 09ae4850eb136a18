import { z } from 'zod';

/** A TensorBoard process as its command line tells. Null: it does not say. */
export interface TensorboardProcess {
  readonly pid: number;
  /** Absolute where the working directory is known. */
  readonly logdir: string | null;
  /** The ports it listens on; empty when the box does not show them. */
  readonly ports: readonly number[];
  readonly isOurs: boolean;
}

/** SECURITY: holds the token. Main opens the page with it; it goes no further. */
export interface JupyterServer {
  readonly pid: number | null;
  readonly port: number;
  readonly basePath: string;
  readonly folder: string | null;
  readonly token: string;
}

export interface BoxServices {
  readonly tensorboards: readonly TensorboardProcess[];
  readonly jupyters: readonly JupyterServer[];
  /** Folders that hold event files. */
  readonly eventFolders: readonly string[];
  /** False: the search was cut short, so what was not found may still be there. */
  readonly isSearchComplete: boolean;
  readonly unreadable: readonly string[];
}

interface Draft {
  readonly pid: number;
  cwd: string | null;
  readonly words: string[];
  readonly ports: number[];
}

/** Reads what resources/onbox/find-services.sh prints. */
export function parseBoxServices(stdout: string): BoxServices {
  const drafts: Draft[] = [];
  const ours = new Set<number>();
  const jupyters: JupyterServer[] = [];
  const eventFolders: string[] = [];
  const unreadable: string[] = [];
  let isSearchComplete = true;
  for (const line of stdout.split('\n')) {
    if (line === '') continue;
    const mark = line.slice(0, 2);
    const rest = line.slice(2);
    const draft = drafts.at(-1);
    const port = portOrNull(rest);
    if (line === 'T') isSearchComplete = false;
    else if (mark === 'P ' && pidOrNull(rest) !== null) {
      drafts.push({ pid: Number(rest), cwd: null, words: [], ports: [] });
    } else if (mark === 'C ' && draft !== undefined) draft.cwd = rest.startsWith('/') ? rest : null;
    else if (mark === 'A ' && draft !== undefined) draft.words.push(rest);
    else if (mark === 'N ' && draft !== undefined && port !== null) draft.ports.push(port);
    else if (mark === 'O ' && pidOrNull(rest) !== null) ours.add(Number(rest));
    else if (mark === 'E ' && rest.startsWith('/')) eventFolders.push(rest);
    else {
      const server = mark === 'J ' ? readRuntimeFile(rest) : null;
      // Without its text: a runtime file that cannot be read may still hold a token.
      if (server === null) unreadable.push(mark === 'J ' ? 'a Jupyter runtime file' : line);
      else jupyters.push(server);
    }
  }
  return {
    tensorboards: drafts.flatMap((draft) => readProcess(draft, ours)),
    jupyters,
    eventFolders,
    isSearchComplete,
    unreadable,
  };
}

const DEFAULT_PORT = 6006;

/** Editors and greps have the word on their command line too: only a program or module of that name counts. */
function readProcess(
  { pid, cwd, words, ports }: Draft,
  ours: ReadonlySet<number>,
): readonly TensorboardProcess[] {
  const isTensorboard = words
    .slice(0, 4)
    .some((word) => /(?:^|\/)tensorboard(?:\.exe)?$/.test(word) || word === 'tensorboard.main');
  if (!isTensorboard) return [];
  const logdir = optionOf(words, '--logdir') ?? optionOf(words, '--logdir_spec');
  const named = portOrNull(optionOf(words, '--port') ?? String(DEFAULT_PORT));
  const known = ports.length > 0 ? ports : named === null ? [] : [named];
  return [{ pid, logdir: absolute(logdir, cwd), ports: known, isOurs: ours.has(pid) }];
}

function optionOf(words: readonly string[], name: string): string | null {
  for (const [i, word] of words.entries()) {
    if (word === name) return words[i + 1] ?? null;
    if (word.startsWith(`${name}=`)) return word.slice(name.length + 1);
  }
  return null;
}

function absolute(path: string | null, cwd: string | null): string | null {
  if (path === null || path === '' || path.startsWith('/')) return path === '' ? null : path;
  return cwd === null ? null : `${cwd === '/' ? '' : cwd}/${path.replace(/^\.\//, '')}`;
}

const runtimeFile = z.object({
  port: z.int().min(1).max(65535),
  pid: z.int().min(1).optional(),
  base_url: z
    .string()
    .regex(/^\/(?:[\w.~-]+\/)*$/)
    .catch('/'),
  token: z
    .string()
    .max(500)
    .regex(/^[\x21-\x7e]*$/),
  root_dir: z.string().max(4096).optional(),
  notebook_dir: z.string().max(4096).optional(),
});

function readRuntimeFile(text: string): JupyterServer | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null; // cut off, or not JSON
  }
  const read = runtimeFile.safeParse(json);
  if (!read.success) return null;
  const { port, pid, base_url, token, root_dir, notebook_dir } = read.data;
  return {
    pid: pid ?? null,
    port,
    basePath: base_url,
    folder: root_dir ?? notebook_dir ?? null,
    token,
  };
}

function pidOrNull(text: string): number | null {
  return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null;
}

function portOrNull(text: string): number | null {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65535 ? Number(text) : null;
}
