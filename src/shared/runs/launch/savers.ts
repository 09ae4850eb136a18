import { isRunId } from './run-id.ts';

/** A run that saves into the same folder as another one, as its box tells it. Hostile. */
export interface Saver {
  readonly id: string;
  /** Null: its folder does not say. */
  readonly name: string | null;
  /** Another machine launched it, and only that one knows whether it lives. */
  readonly isElsewhere?: true;
}

/** Who saves into what a run will save into, and what lies there. */
export interface Savers {
  /** They live, or may: two that write into one folder write over each other's files. */
  readonly live: readonly Saver[];
  /** They live, or are gone on after, and do not say what they save into: an older version launched them. */
  readonly unplaced: readonly Saver[];
  /** The newest that is over. */
  readonly past: Saver | null;
  /** How many of the folders hold something; null: not known. */
  readonly held: number | null;
  /** They did not answer in time. */
  readonly isLate: boolean;
}

/** What resources/onbox/run-savers.sh printed behind its mark. Null: not whole. */
export function readSavers(stdout: string, mark: string): Savers | null {
  const lines = stdout
    .split('\n')
    .flatMap((line) => (line.startsWith(`${mark} `) ? [line.slice(mark.length + 1)] : []));
  if (lines.at(-1) !== 'whole') return null;
  const told = (word: string): readonly string[] =>
    lines.flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []));
  const [held = ''] = told('held');
  return {
    live: [
      ...told('live').flatMap(saverOf),
      ...told('elsewhere').flatMap((line) =>
        saverOf(line).map((saver) => ({ ...saver, isElsewhere: true as const })),
      ),
    ],
    unplaced: told('unplaced').flatMap(saverOf),
    past: told('over').flatMap(saverOf)[0] ?? null,
    held: /^\d{1,6}$/.test(held) ? Number(held) : null,
    isLate: lines.includes('late'),
  };
}

function saverOf(line: string): readonly Saver[] {
  const space = line.indexOf(' ');
  const id = line.slice(0, space);
  return isRunId(id) ? [{ id, name: nameIn(line.slice(space)) }] : [];
}

/** Of the beginning of its file "about", which may be cut anywhere behind the name. */
export function nameIn(about: string): string | null {
  const [, quoted] = /"name":("(?:[^"\\]|\\.){0,500}")/.exec(about) ?? [];
  if (quoted === undefined) return null;
  try {
    return String(JSON.parse(quoted));
  } catch {
    return null;
  }
}
