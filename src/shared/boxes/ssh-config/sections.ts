import { readCondition, type Condition } from './conditions.ts';
import {
  noteOf,
  readConfigFile,
  type ConfigEntry,
  type ConfigFile,
  type ConfigNote,
  type ConfigPlace,
} from './config-file.ts';

/** The files of an SSH config as an adapter found them. Reading and deciding happen here, gathering does not. */
export interface ConfigTree {
  /** In OpenSSH's order: the person's own file, then the system's. */
  readonly roots: readonly string[];
  readonly files: ReadonlyMap<string, string>;
  /** Which files an Include's pattern stands for, by `includeKey`. */
  readonly includes: ReadonlyMap<string, readonly string[]>;
  /** What could not be read. */
  readonly notes: readonly ConfigNote[];
}

/** Relative patterns mean another folder in the person's file than in the system's, whichever file they stand in. */
export function includeKey(root: string, pattern: string): string {
  return `${root}\n${pattern}`;
}

/** Lines that count under the same conditions: all of them must hold. */
export interface Section {
  readonly conditions: readonly Condition[];
  readonly entries: readonly ConfigEntry[];
}

/** A Host line's pattern without wildcards: somebody's name for a machine. */
export interface NamedHost {
  readonly name: string;
  readonly place: ConfigPlace;
}

export interface Sections {
  readonly sections: readonly Section[];
  readonly hosts: readonly NamedHost[];
  readonly notes: readonly ConfigNote[];
}

/** OpenSSH's own bound. */
export const MAX_INCLUDE_DEPTH = 16;
/** A file may be included from many places; twenty times what a large config has is enough. */
const MAX_SECTIONS = 60_000;

/** Lays all files out as OpenSSH reads them: one after the other, an Include where it stands. */
export function layOut(tree: ConfigTree): Sections {
  const walk = new Walk(tree);
  for (const root of tree.roots) walk.read(root, root, [], []);
  return walk;
}

class Walk implements Sections {
  readonly sections: Section[] = [];
  readonly hosts: NamedHost[] = [];
  readonly notes: ConfigNote[];
  readonly #tree: ConfigTree;
  readonly #read = new Map<string, ConfigFile>();
  readonly #names = new Set<string>();

  constructor(tree: ConfigTree) {
    this.#tree = tree;
    this.notes = [...tree.notes];
  }

  /** `outer`: the conditions under which this file is included. They count for every line in it. */
  read(root: string, file: string, outer: readonly Condition[], above: readonly string[]): void {
    const { entries } = this.#file(file);
    let conditions = outer;
    let collected: ConfigEntry[] = [];
    const flush = (): void => {
      if (collected.length > 0) this.sections.push({ conditions, entries: collected });
      collected = [];
    };
    for (const entry of entries) {
      if (entry.keyword === 'host' || entry.keyword === 'match') {
        flush();
        const condition = readCondition(entry);
        conditions = [...outer, condition];
        this.#collectHosts(condition, entry);
      } else if (entry.keyword === 'include') {
        flush();
        this.#include(entry, root, conditions, [...above, file]);
      } else {
        collected.push(entry);
      }
    }
    flush();
  }

  #include(
    entry: ConfigEntry,
    root: string,
    conditions: readonly Condition[],
    above: readonly string[],
  ): void {
    const refuse = (because: string): void => void this.notes.push(noteOf(entry, because));
    if (above.length > MAX_INCLUDE_DEPTH) {
      refuse('not read: includes are nested too deeply');
      return;
    }
    for (const pattern of entry.args) {
      for (const file of this.#tree.includes.get(includeKey(root, pattern)) ?? []) {
        if (above.includes(file)) refuse(`not read again: ${file} includes itself`);
        else if (this.sections.length >= MAX_SECTIONS) refuse('not read: the config is too large');
        else if (this.#tree.files.has(file)) this.read(root, file, conditions, above);
      }
    }
  }

  #file(path: string): ConfigFile {
    const known = this.#read.get(path);
    if (known !== undefined) return known;
    const read = readConfigFile(path, this.#tree.files.get(path) ?? '');
    this.#read.set(path, read);
    this.notes.push(...read.notes);
    return read;
  }

  #collectHosts(condition: Condition, { place }: ConfigEntry): void {
    if (condition.kind !== 'host') return;
    for (const { isNegated, literal } of condition.patterns) {
      if (isNegated || literal === null || literal === '' || this.#names.has(literal)) continue;
      this.#names.add(literal);
      this.hosts.push({ name: literal, place });
    }
  }
}
