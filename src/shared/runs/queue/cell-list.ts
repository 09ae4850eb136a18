import {
  MAX_CELL_COMMAND_CHARS,
  MAX_CELL_NAME_CHARS,
  MAX_CELLS,
  MAX_LIST_CHARS,
  type QueueCell,
} from './queue-cell.ts';

/** What is wrong with a list of cells, line by line. */
export interface CellFault {
  /** From 1 on. */
  readonly line: number;
  readonly says: string;
}

export interface CellList {
  readonly cells: readonly QueueCell[];
  readonly faults: readonly CellFault[];
}

interface Draft {
  readonly line: number;
  readonly name: string;
  readonly isCommented: boolean;
  readonly commands: string[];
  /** Empty lines, which belong to the command where an indented line follows. */
  blanks: number;
}

/**
 * The list as a person types or pastes it: `name: command` on a line; lines that are indented go on with the command above; a line with
 * "#" in front is a cell that is left out and keeps its index. Empty lines between cells are nothing. `taken`: names that the queue has
 * already.
 */
export function readCellList(text: string, taken: ReadonlySet<string> = new Set()): CellList {
  if (text.length > MAX_LIST_CHARS) {
    const says = `The list is longer than ${String(MAX_LIST_CHARS / 1024 / 1024)} MiB.`;
    return { cells: [], faults: [{ line: 1, says }] };
  }
  const faults: CellFault[] = [];
  const drafts: Draft[] = [];
  for (const [at, row] of text.split(/\r?\n/).entries()) {
    const line = at + 1;
    const last = drafts.at(-1);
    if (row.trim() === '') {
      if (last !== undefined) last.blanks += 1;
      continue;
    }
    if (/^[ \t]/.test(row) && last !== undefined) {
      if (last.blanks > 0 && last.commands.length > 0) {
        last.commands.push('\n'.repeat(last.blanks - 1));
      }
      last.commands.push(row.trimEnd());
      last.blanks = 0;
      continue;
    }
    const draft = draftOf(row.trim(), line);
    if (draft === null) {
      faults.push({ line, says: 'Write it as “name: command”.' });
    } else drafts.push(draft);
  }
  faults.push(...drafts.flatMap(faultsOf), ...duplicates(drafts, taken));
  if (drafts.length > MAX_CELLS) {
    faults.push({
      line: drafts[MAX_CELLS]?.line ?? 1,
      says: `A list has at most ${String(MAX_CELLS)} cells.`,
    });
  }
  faults.sort((one, other) => one.line - other.line);
  const cells = drafts.map(({ name, commands, isCommented }) => ({
    name,
    command: commandOf(commands),
    isCommented,
  }));
  return { cells, faults };
}

/** The other way round: it reads as the very same cells. */
export function cellListText(cells: readonly QueueCell[]): string {
  return cells
    .map(({ name, command, isCommented }) => {
      // Several lines stand below the name: what they share is then exactly what is put in front of each.
      const text = command.includes('\n')
        ? `\n${command}`.replace(/\n(?=[^\n])/g, '\n  ')
        : ` ${command}`;
      return `${isCommented ? '# ' : ''}${command === '' ? name : `${name}:${text}`}`;
    })
    .join('\n');
}

export interface CellError {
  readonly field: 'name' | 'command';
  readonly says: string;
}

/** What is wrong with a cell by itself; one that is left out may be any note that a list can hold. */
export function cellError({ name, command, isCommented }: QueueCell): CellError | null {
  const ofName = nameError(name, isCommented);
  if (ofName !== null) return { field: 'name', says: ofName };
  const ofCommand = commandError(command, isCommented);
  return ofCommand === null ? null : { field: 'command', says: ofCommand };
}

function nameError(name: string, isCommented: boolean): string | null {
  if (name === '') return isCommented ? null : 'The cell has no name.';
  const max = isCommented ? MAX_CELL_COMMAND_CHARS : MAX_CELL_NAME_CHARS;
  if (name.length > max) return `A name has at most ${String(max)} characters.`;
  if ((isCommented ? /[\0\r\n]/ : /\p{Cc}/u).test(name)) return 'A name has no control characters.';
  const isNoName = /:(?=\s|$)/.test(name) || (name.startsWith('#') && !isCommented);
  return isNoName ? 'A name has no “: ” in it, and no “#” in front.' : null;
}

function commandError(command: string, isCommented: boolean): string | null {
  if (command === '') return isCommented ? null : 'The cell has no command.';
  if (/[\0\r]/.test(command)) return 'Remove the carriage returns from the command.';
  return command.length > MAX_CELL_COMMAND_CHARS
    ? `A command has at most ${String(MAX_CELL_COMMAND_CHARS)} characters.`
    : null;
}

/** Each cell whose name one before it has already; both places are from 0 on. */
export function repeatedNames(
  cells: readonly Pick<QueueCell, 'name' | 'isCommented'>[],
): readonly { readonly at: number; readonly first: number }[] {
  const firstOf = new Map<string, number>();
  return cells.flatMap(({ name, isCommented }, at) => {
    if (isCommented) return [];
    const first = firstOf.get(name);
    if (first !== undefined) return [{ at, first }];
    firstOf.set(name, at);
    return [];
  });
}

/** What the indented lines share is no part of them; what is deeper is, as a script of Python needs it. */
function commandOf(lines: readonly string[]): string {
  const depths = lines.flatMap((line) => {
    const depth = line.search(/[^ \t]/);
    return depth > 0 ? [depth] : [];
  });
  const shared = depths.reduce((least, depth) => Math.min(least, depth), Infinity);
  const inner = lines.map((line) => (/^[ \t]/.test(line) ? line.slice(shared) : line));
  return inner.join('\n').trim();
}

function draftOf(row: string, line: number): Draft | null {
  const isCommented = row.startsWith('#');
  const text = isCommented ? row.slice(1).trim() : row;
  const colon = /:(?=\s|$)/.exec(text)?.index ?? -1;
  if (colon < 0)
    return isCommented ? { line, name: text, isCommented, commands: [], blanks: 0 } : null;
  const command = text.slice(colon + 1).trim();
  return {
    line,
    name: text.slice(0, colon).trim(),
    isCommented,
    commands: command === '' ? [] : [command],
    blanks: 0,
  };
}

function faultsOf({ line, name, commands, isCommented }: Draft): readonly CellFault[] {
  const error = cellError({ name, command: commandOf(commands), isCommented });
  return error === null ? [] : [{ line, says: error.says }];
}

function duplicates(drafts: readonly Draft[], taken: ReadonlySet<string>): readonly CellFault[] {
  const ofQueue = drafts.flatMap(({ line, name, isCommented }) =>
    !isCommented && taken.has(name) ? [{ line, says: `“${name}” is in the queue already.` }] : [],
  );
  const ofList = repeatedNames(drafts).flatMap(({ at, first }) => {
    const [draft, before] = [drafts[at], drafts[first]];
    if (draft === undefined || before === undefined || taken.has(draft.name)) return [];
    const { line, name } = draft;
    return [{ line, says: `“${name}” is on line ${String(before.line)} already.` }];
  });
  return [...ofQueue, ...ofList];
}
