/** One job of a queue. Its index is the place of its line, from 1 on, and never changes. */
export interface QueueCell {
  readonly name: string;
  readonly command: string;
  /** It keeps its index and is not run. */
  readonly isCommented: boolean;
  /** Its own results folder, from that of the queue on or as a whole path; absent: it has none that is known. */
  readonly results?: string;
}

/** What a person wants of a queue, beside the request that all of its cells share. */
export interface QueueRequest {
  readonly cells: readonly QueueCell[];
  /** A cell that fails is the last one of that run. */
  readonly stopsAtFailure: boolean;
  /** It starts again by itself after a restart of the box, where cron runs there. */
  readonly startsAgain: boolean;
  /** The index of the first cell that runs: those before it are left out and keep theirs; absent: the first. */
  readonly startIndex?: number;
}

/** Bounds of one list; a queue takes several of them. */
export const MAX_CELLS = 20_000;
export const MAX_CELL_NAME_CHARS = 100;
export const MAX_CELL_COMMAND_CHARS = 20_000;
export const MAX_LIST_CHARS = 4 * 1024 * 1024;

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\t': '\\t' };
const UNESCAPES: Readonly<Record<string, string>> = {
  '\\\\': '\\',
  '\\n': '\n',
  '\\t': '\t',
  '\\0043': '#',
  '\\0053': '+',
};

/**
 * One cell as one line for resources/onbox/parts/run-queue.sh, which decodes it with the `%b` of its printf. Two cells never give the
 * same line: every backslash is doubled, and "#" and "+" in front of a line mean something else.
 */
export function cellLine({ name, command, isCommented, results }: QueueCell): string {
  const first = name.startsWith('#') ? '\\0043' : name.startsWith('+') ? '\\0053' : '';
  const rest = first === '' ? name : name.slice(1);
  const own = results === undefined ? '' : `\t${escaped(results)}`;
  return `${isCommented ? '#' : ''}${first}${escaped(rest)}\t${escaped(command)}${own}`;
}

/** The other way round, for a line that a person may have edited on the box. */
export function readCellLine(line: string): QueueCell {
  const isCommented = line.startsWith('#');
  const text = isCommented ? line.slice(1) : line;
  const [name = '', command = name, results] = text.split('\t', 3);
  return {
    ...{ name: unescaped(name), command: unescaped(command), isCommented },
    ...(results === undefined ? {} : { results: unescaped(results) }),
  };
}

const escaped = (text: string): string => text.replace(/[\\\n\t]/g, (each) => ESCAPES[each] ?? '');
const unescaped = (text: string): string =>
  text.replace(/\\(?:0043|0053|[\\nt])/g, (each) => UNESCAPES[each] ?? each);

/** The same with every cell left out that comes before the one that it begins at. */
export function fromStart({ startIndex = 1, ...queue }: QueueRequest): QueueRequest {
  const cells = queue.cells.map((cell, at) =>
    at + 1 < startIndex ? { ...cell, isCommented: true } : cell,
  );
  return { ...queue, cells };
}

/** Why it cannot begin at that cell; null: one from there on runs. */
export function startError(queue: QueueRequest): string | null {
  return activeCells(fromStart(queue).cells).length > 0
    ? null
    : `No cell would run: the last that is not left out is cell ${String(activeCells(queue.cells).at(-1)?.index ?? 0)}.`;
}

/** The cells that run, with the index of each. */
export function activeCells(
  cells: readonly QueueCell[],
): readonly { readonly index: number; readonly cell: QueueCell }[] {
  return cells.flatMap((cell, at) => (cell.isCommented ? [] : [{ index: at + 1, cell }]));
}
