import { plainLine } from '../../questions/hostile-text.ts';
import { redactText } from '../../secrets/redact-text.ts';

/** A remark, a word, quoted or not, a redirection, or what stands between two commands. */
const WORDS =
  /(?<![^\s;&|(])#[^\n]*|'[^']*'|"(?:[^"\\]|\\[^])*"|\\[^]|[<>]&|&>|(&&|\|\||[;|&\n]|\$\(|`)|[^]/g;

export interface Command {
  readonly said: string;
  /** What stands behind it, which says who hears of its failure: "&&", a pipe …; empty: nothing. */
  readonly then: string;
}

/** The commands of a line of a shell, also those that another shell is handed as a text. */
export function commandsIn(line: string): readonly Command[] {
  const commands: { said: string; then: string }[] = [];
  let said = '';
  for (const [word, between] of line.matchAll(WORDS)) {
    if (between === undefined) said += word;
    else {
      commands.push({ said: said.trim(), then: between });
      said = '';
    }
  }
  commands.push({ said: said.trim(), then: '' });
  return commands.flatMap((command) => {
    const [, single, double] = HANDED.exec(command.said) ?? [];
    const handed = single ?? double;
    return handed === undefined
      ? [command]
      : commandsIn(handed).map((each, at, all) =>
          at === all.length - 1 ? { ...each, then: command.then } : each,
        );
  });
}

/** `bash -c '…'` */
const HANDED = /^(?:\S*\/)?(?:ba|da|z)?sh\s+-[a-z]*c\s+(?:'([^']*)'|"((?:[^"\\]|\\[^])*)")/;

/** What may stand before a program. `command -v wget` asks where it is, and runs nothing. */
const BEFORE =
  /^(?:(?:[A-Za-z_]\w*=\S*|sudo|env|time|nohup|nice|exec|xargs|timeout|if|while|until|then|do|else|[!({]|-\S+|\d\w*)\s+)*(?:[\w.~-]*\/)*/;
export const program = (command: string): string => command.replace(BEFORE, '');

const MAX_SHOWN_CHARS = 100;

/** As a check tells of it. */
export const shown = (command: string): string =>
  `“${plainLine(redactText(command), MAX_SHOWN_CHARS)}”`;
