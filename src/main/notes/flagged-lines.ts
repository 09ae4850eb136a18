import type { FlaggedLine } from '../../shared/notes/note.ts';
import { plainLine } from '../../shared/questions/hostile-text.ts';
import { REDACTED } from '../../shared/secrets/redact-text.ts';
import { hideWritten } from './written-secrets.ts';

const MAX_SHOWN_CHARS = 160;
const MAX_LINES = 20;

/** Where a credential lies may be said: "HF_TOKEN is in /root/.hf_token", "password: ~/.vault". */
const PATH = /(?<![\w/.~$-])(?:(?:~|\$HOME)(?:\/[\w.@+-]+)+|(?:\/[\w.@+-]+){2,})(?=[\s,;)]|\.?$)/gm;

/** The lines of a note that hold something with the shape of a secret; a name or a path is none. */
export function flaggedLines(
  text: string,
  redactShapes: (text: string) => string,
): readonly FlaggedLine[] {
  const redact = (part: string): string => hideWritten(redactShapes(part));
  // What is redacted already is left alone by the redactor, so a path in a secret's place passes as one.
  const hidden = text.replace(PATH, (path) => (redact(path) === path ? REDACTED : path));
  const clean = redact(hidden);
  if (clean === hidden) return [];
  const lines = text.split('\n');
  const found = hidden.split('\n').flatMap((line, at): readonly FlaggedLine[] => {
    const isFlagged = redact(line) !== line;
    return isFlagged ? [{ line: at + 1, shown: shownOf(redact(lines[at] ?? '')) }] : [];
  });
  if (found.length > 0) return found.slice(0, MAX_LINES);
  // Only several lines together are one, as a private key is.
  const at = hidden.slice(0, firstDifference(hidden, clean)).split('\n').length;
  return [{ line: at, shown: shownOf(REDACTED) }];
}

const shownOf = (line: string): string => plainLine(line, MAX_SHOWN_CHARS);

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}
