/** What a shell would make of one pasted command line. */
export interface ShellWords {
  readonly words: readonly string[];
  /** What comes after `;`, `|`, `&`, a redirection or a second line: another command, which nobody runs here. */
  readonly rest: string;
  readonly hasOpenQuote: boolean;
}

const COMMAND_ENDS = ';|&<>';

/**
 * Splits a command line into words by the rules of a POSIX shell: quotes, backslashes, comments, continued lines.
 * Nothing is expanded, because nothing is run. One deviation: a backslash stays in a word that starts like a Windows
 * path (`C:\Users\…`), which people paste unquoted and which no POSIX shell would give any sense.
 */
export function splitShellWords(text: string): ShellWords {
  const line = text.replace(/\\\r?\n/g, ' ');
  const words: string[] = [];
  let word: string | null = null;
  let quote: '"' | "'" | null = null;
  let at = 0;
  /** Up to here blanks were looked over for another command: each of their line ends would be followed by the same. */
  let judgedTo = 0;
  /** Its first two letters: a look into the word itself, which grows, would copy all of it. */
  let head = '';
  const add = (text: string): void => {
    word = (word ?? '') + text;
    if (head.length < 2) head += text;
  };
  const endWord = (): void => {
    if (word !== null) words.push(word);
    word = null;
    head = '';
  };

  for (; at < line.length; at += 1) {
    const char = line.charAt(at);
    const next = line.charAt(at + 1);
    if (quote !== null) {
      if (char === quote) {
        quote = null;
      } else if (quote === '"' && char === '\\' && '"\\$`'.includes(next) && next !== '') {
        add(next);
        at += 1;
      } else {
        add(char);
      }
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (char === '\\' && next !== '' && !startsLikeDrive(head)) {
      add(next);
      at += 1;
    } else if (/\s/.test(char)) {
      endWord();
      if (isLineEnd(char) && words.length > 0 && at >= judgedTo) {
        if (startsCommand(line, at)) break;
        judgedTo = endOfBlanks(line, at);
      }
    } else if (char === '#' && word === null) {
      at = endOfLine(line, at) - 1;
    } else if (COMMAND_ENDS.includes(char) && !isPlaceholder(line, at)) {
      break;
    } else {
      add(char);
    }
  }
  endWord();
  return { words, rest: line.slice(at).trim(), hasOpenQuote: quote !== null };
}

function startsLikeDrive(head: string): boolean {
  return /^[A-Za-z]:/.test(head);
}

function isLineEnd(char: string): boolean {
  return char === '\n' || char === '\r';
}

/** A line break in the middle of one command is a wrapped paste; a new `ssh …` line is a second command. */
function startsCommand(line: string, at: number): boolean {
  COMMAND.lastIndex = at;
  return COMMAND.test(line);
}
const COMMAND = /\s*(?:[$%>]\s+)?ssh(?:\.exe)?\s/y;

function endOfBlanks(line: string, at: number): number {
  NO_BLANK.lastIndex = at;
  return NO_BLANK.exec(line)?.index ?? line.length;
}
const NO_BLANK = /\S/g;

function endOfLine(line: string, from: number): number {
  const at = line.slice(from).search(/[\r\n]/);
  return at === -1 ? line.length : from + at;
}

/** `<ip>` as documentation prints it. Kept in the word, so that the reader can name what is still to be filled in. */
function isPlaceholder(line: string, at: number): boolean {
  if (line.charAt(at) === '>') {
    const open = line.lastIndexOf('<', at);
    return open >= 0 && /^[\w .-]+$/.test(line.slice(open + 1, at));
  }
  return line.charAt(at) === '<' && /^<[\w .-]+>/.test(line.slice(at));
}
