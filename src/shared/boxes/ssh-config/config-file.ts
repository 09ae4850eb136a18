import { judgeKeyword } from './keywords.ts';

export interface ConfigPlace {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** Something in an SSH config that Leasehold does not take over, and why. */
export interface ConfigNote {
  readonly place: ConfigPlace;
  /** What stands there, shortened. */
  readonly text: string;
  readonly because: string;
}

/** One line that says something. */
export interface ConfigEntry {
  readonly place: ConfigPlace;
  /** In small letters. */
  readonly keyword: string;
  readonly args: readonly string[];
  /** What stands after the keyword, untouched: ProxyCommand and Match have words of their own. */
  readonly raw: string;
}

export interface ConfigFile {
  readonly entries: readonly ConfigEntry[];
  readonly notes: readonly ConfigNote[];
}

const MAX_LINE = 4096;
const MAX_SHOWN = 120;

/** Reads one file by OpenSSH's own rules. Total: a line that it cannot read becomes a note, and the rest goes on. */
export function readConfigFile(file: string, text: string): ConfigFile {
  const entries: ConfigEntry[] = [];
  const notes: ConfigNote[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const place = { file, line: index + 1 };
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const note = (because: string): void => {
      notes.push({ place, text: shorten(trimmed), because });
    };
    const read = trimmed.length > MAX_LINE ? null : splitLine(trimmed);
    if (read === null) {
      note('the line is too long');
      continue;
    }
    const { keyword, raw } = read;
    const args = splitArguments(raw);
    if (judgeKeyword(keyword) === 'unknown') note('OpenSSH has no such keyword');
    else if (args === null) note('a quote is not closed');
    else if (args.length === 0) note('the value is missing');
    else entries.push({ place, keyword, args, raw });
  }
  return { entries, notes };
}

export function noteOf({ place, keyword, raw }: ConfigEntry, because: string): ConfigNote {
  return { place, text: shorten(`${keyword} ${raw}`), because };
}

function shorten(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** `Keyword value`, `Keyword=value`, `Keyword = value`, `"Keyword" value`. */
function splitLine(line: string): { readonly keyword: string; readonly raw: string } {
  const [, quoted, plain = '', raw = ''] =
    // linear-regexp: the last part takes anything, so nothing is tried twice
    /^(?:"([^"]*)"|([^\s="]+))\s*=?\s*([^]*)$/.exec(line) ?? [];
  return { keyword: (quoted ?? plain).toLowerCase(), raw };
}

/**
 * OpenSSH's argv_split: quotes of both kinds, a backslash before a quote, a backslash or (outside quotes) a space, and a
 * comment where a word could start. Null: a quote is not closed.
 */
export function splitArguments(text: string): readonly string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    const next = text.charAt(at + 1);
    const isEscape = next !== '' && (`'"\\`.includes(next) || (quote === null && next === ' '));
    if (char === '\\' && isEscape) {
      word = (word ?? '') + next;
      at += 1;
    } else if (quote !== null) {
      if (char === quote) quote = null;
      else word = (word ?? '') + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else if (char === '#' && word === null) {
      break;
    } else {
      word = (word ?? '') + char;
    }
  }
  if (quote !== null) return null;
  if (word !== null) words.push(word);
  return words;
}
