import { boxWord } from '../launch/job-script.ts';
import { readCellList } from '../queue/cell-list.ts';
import { MAX_CELL_COMMAND_CHARS, MAX_CELL_NAME_CHARS } from '../queue/queue-cell.ts';
import { shellWord } from '../../shell-word.ts';
import { doAtOnce, type Steps } from '../../steps.ts';
import {
  aboveError,
  findSameName,
  findSharedFolder,
  folderPart,
  partError,
} from './cell-folders.ts';
import type { RosterCell } from './sweep-roster.ts';

/** What the cells are made from, as a person writes it. */
export type CellSource =
  | {
      readonly kind: 'grid';
      /** With `{name}` for the value of a parameter, `{cell}` and `{results}`. */
      readonly command: string;
      /** `name: value, value` on each line. */
      readonly parameters: string;
    }
  /** `name: command` on each line, as a queue has them; `{cell}` and `{results}` are filled in. */
  | { readonly kind: 'list'; readonly text: string };

/** The field that a fault is in. */
export type SourceField = 'command' | 'parameters' | 'list' | 'results';

export interface MadeCells {
  /** Empty where there are faults. */
  readonly cells: readonly RosterCell[];
  /** What to mend; nothing is launched before it is none. */
  readonly faults: Readonly<Partial<Record<SourceField, string>>>;
}

export const MAX_SWEEP_CELLS = 10_000;
export const MAX_PARAMETERS_CHARS = 200_000;
export const RESULTS_PATTERN = 'results/{cell}';
/** Names that mean something else in a command. */
const RESERVED = new Set(['cell', 'results']);
const MAX_PARAMETERS = 20;

export interface Parameter {
  readonly name: string;
  readonly values: readonly string[];
}

/** Every cell of a sweep, with its name, its command and its folder; or what is wrong with what was written. */
export function makeCells(source: CellSource, pattern: string): MadeCells {
  return doAtOnce(makeCellsInSteps(source, pattern));
}

/** Some milliseconds, where ten thousand are a tenth of a second. */
const CELLS_IN_STEP = 1000;

/** The same in steps, for main. */
export function* makeCellsInSteps(source: CellSource, pattern: string): Steps<MadeCells> {
  const wrongPattern = patternError(pattern);
  if (wrongPattern !== null) return { cells: [], faults: { results: wrongPattern } };
  const drafts = source.kind === 'grid' ? draftGrid(source) : draftList(source.text);
  if ('faults' in drafts) return { cells: [], faults: drafts.faults };
  const folder = templateOf(pattern);
  // Every cell of a grid has one command, which is read once.
  const [first] = drafts;
  const shared = first === undefined || source.kind === 'list' ? null : templateOf(first.command);
  const cells: RosterCell[] = [];
  for (const draft of drafts) {
    if (cells.length % CELLS_IN_STEP === 0) yield;
    cells.push(filled(draft, shared ?? templateOf(draft.command), folder));
  }
  yield;
  const faults = yield* provenApart(cells, source.kind === 'grid' ? 'parameters' : 'list');
  const above = aboveError(pattern);
  if (above !== null && Object.keys(faults).length === 0) {
    return { cells: [], faults: { results: above } };
  }
  return Object.keys(faults).length > 0 ? { cells: [], faults } : { cells, faults };
}

interface Draft {
  readonly name: string;
  readonly command: string;
  readonly values: ReadonlyMap<string, string>;
}
type Drafts = readonly Draft[] | { readonly faults: MadeCells['faults'] };

const PLACEHOLDER = /(\$?)\{([A-Za-z_][A-Za-z0-9_.-]*)\}/g;

/** The names that stand in braces; `${NAME}` is the shell's. */
function placeholdersOf(text: string): ReadonlySet<string> {
  const found = [...text.matchAll(PLACEHOLDER)];
  return new Set(found.flatMap(([, dollar, name = '']) => (dollar === '' ? [name] : [])));
}

function filled({ name, values }: Draft, command: Template, folder: Template): RosterCell {
  const cell = folderPart(name);
  const results = fill(folder, (key) => {
    const value = values.get(key);
    return key === 'cell' ? cell : value === undefined ? undefined : folderPart(value);
  });
  const filledIn = fill(command, (key) => {
    if (key === 'cell') return cell;
    if (key === 'results') return boxWord(results);
    const value = values.get(key);
    return value === undefined ? undefined : quoted(value);
  });
  return { name, command: filledIn, results };
}

/** A text in pieces: each as it stands, and what of it is a name in braces. */
type Template = readonly { readonly whole: string; readonly name: string | null }[];

function templateOf(text: string): Template {
  const pieces: { whole: string; name: string | null }[] = [];
  let at = 0;
  for (const { 0: whole, 1: dollar, 2: name = null, index } of text.matchAll(PLACEHOLDER)) {
    pieces.push({ whole: text.slice(at, index), name: null });
    pieces.push({ whole, name: dollar === '' ? name : null });
    at = index + whole.length;
  }
  pieces.push({ whole: text.slice(at), name: null });
  return pieces;
}

/** What is in braces and no name of ours stays as it is: shells and awk have braces of their own. */
function fill(template: Template, valueOf: (name: string) => string | undefined): string {
  let text = '';
  for (const { whole, name } of template) {
    text += name === null ? whole : (valueOf(name) ?? whole);
  }
  return text;
}

/** shellWord leaves a "~" bare, which is somebody's home folder to a shell. */
const quoted = (value: string): string =>
  value.startsWith('~') || value === '' ? `'${value.replaceAll("'", `'\\''`)}'` : shellWord(value);

/** Reads `name: value, value` lines; exported for who counts them. */
export function readParameters(text: string): {
  readonly parameters: readonly Parameter[];
  readonly fault: string | null;
} {
  const parameters: Parameter[] = [];
  for (const [at, row] of text.split(/\r?\n/).entries()) {
    if (row.trim() === '') continue;
    const [, name = '', listed = ''] =
      /^\s*([A-Za-z_][A-Za-z0-9_.-]{0,39})\s*:(.*)$/.exec(row) ?? [];
    const values = listed.split(',').map((value) => value.trim());
    const fault = parameterError(name, values, parameters);
    if (fault !== null) return { parameters: [], fault: `Line ${String(at + 1)}: ${fault}` };
    parameters.push({ name, values });
  }
  return { parameters, fault: parameters.length === 0 ? 'Enter at least one parameter.' : null };
}

function parameterError(
  name: string,
  values: readonly string[],
  before: readonly Parameter[],
): string | null {
  if (name === '') return 'write it as “name: value, value”.';
  if (RESERVED.has(name)) return `“${name}” is filled in by itself: use another name.`;
  if (before.some((each) => each.name === name)) return `“${name}” is already above.`;
  if (before.length === MAX_PARAMETERS) return `use at most ${String(MAX_PARAMETERS)} parameters.`;
  if (values.includes('')) return 'a value is empty.';
  const seen = new Set<string>();
  const twice = values.find((value) => {
    const before = seen.size;
    return seen.add(value).size === before;
  });
  if (twice !== undefined) return `“${twice}” is there twice.`;
  return values.some((value) => /\p{Cc}/u.test(value)) ? 'no control characters.' : null;
}

function draftGrid({ command, parameters: text }: CellSource & { kind: 'grid' }): Drafts {
  const { parameters, fault } = readParameters(text);
  if (fault !== null) return { faults: { parameters: fault } };
  const wrong = commandError(command.trim());
  if (wrong !== null) return { faults: { command: wrong } };
  const used = placeholdersOf(command);
  const unused = parameters.find(({ name }) => !used.has(name));
  if (unused !== undefined) {
    const { name } = unused;
    return {
      faults: {
        command: `The command does not use {${name}}: write it as in --${name} {${name}}.`,
      },
    };
  }
  const count = parameters.reduce((product, { values }) => product * values.length, 1);
  if (count > MAX_SWEEP_CELLS) return { faults: { parameters: tooMany(count) } };
  let rows: ReadonlyMap<string, string>[] = [new Map()];
  for (const { name, values } of parameters) {
    rows = rows.flatMap((row) => values.map((value) => new Map(row).set(name, value)));
  }
  return rows.map((values) => ({
    name: [...values].map(([name, value]) => `${name}=${value}`).join(' '),
    command: command.trim(),
    values,
  }));
}

function draftList(text: string): Drafts {
  const { cells, faults } = readCellList(text);
  const [first] = faults;
  if (first !== undefined) {
    return { faults: { list: `Line ${String(first.line)}: ${first.says}` } };
  }
  const active = cells.filter(({ isCommented }) => !isCommented);
  if (active.length === 0) return { faults: { list: 'Enter at least one cell.' } };
  if (active.length > MAX_SWEEP_CELLS) return { faults: { list: tooMany(active.length) } };
  for (const { name, command } of active) {
    const wrong = commandError(command);
    if (wrong !== null) return { faults: { list: `“${name}”: ${wrong}` } };
  }
  return active.map(({ name, command }) => ({ name, command, values: new Map() }));
}

const tooMany = (count: number): string =>
  `These are ${String(count)} cells; a sweep has at most ${String(MAX_SWEEP_CELLS)}.`;

/** Only a command that names its own folder can be told to keep out of the others'. */
function commandError(command: string): string | null {
  if (command === '') return 'Enter the command of a cell.';
  if (/[\0\r]/.test(command)) return 'Remove the carriage returns (Windows line ends).';
  const used = placeholdersOf(command);
  return used.has('results') || used.has('cell')
    ? null
    : 'Write {results} where the folder of a cell goes, as in --out {results}: each cell saves into its own.';
}

function patternError(pattern: string): string | null {
  if (pattern.trim() === '') return `Enter a folder, such as ${RESULTS_PATTERN}.`;
  if (pattern !== pattern.trim() || /\p{Cc}/u.test(pattern)) return 'Use a single line.';
  if (pattern.length > 500) return 'Use at most 500 characters.';
  if (pattern.split('/').includes('..')) return 'Leave out “..”.';
  return null;
}

/** What two cells share must be nothing: not a name, not a folder. */
function* provenApart(
  cells: readonly RosterCell[],
  field: 'parameters' | 'list',
): Steps<MadeCells['faults']> {
  for (const { name, command, results } of cells) {
    const long =
      results
        .split('/')
        .map(partError)
        .find((error) => error !== null) ?? null;
    if (long !== null) return { results: long };
    if (name.length > MAX_CELL_NAME_CHARS) {
      return { [field]: `“${name.slice(0, 40)}…” is too long: use shorter names or values.` };
    }
    if (command.length > MAX_CELL_COMMAND_CHARS) {
      return { [field]: `The command of “${name}” is too long: put it into a script.` };
    }
  }
  yield;
  const same = findSameName(cells);
  if (same !== null) {
    return { [field]: `“${same[0]}” and “${same[1]}” give the same folder name. Rename one.` };
  }
  yield;
  const shared = findSharedFolder(cells);
  if (shared === null) return {};
  const { one, other, isInside } = shared;
  return {
    results: isInside
      ? `“${other.name}” would save inside the folder of “${one.name}” (${one.results}). Use {cell}.`
      : `“${one.name}” and “${other.name}” would both save in ${one.results}. Use {cell}.`,
  };
}
