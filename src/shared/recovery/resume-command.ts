import type { RunInLook } from '../patrol/patrol-look.ts';
import { shellWord } from '../shell-word.ts';

/** The command that a run was started with, which is what it is resumed with: a good run loads its own last checkpoint. */
export type ResumeCommand =
  | { readonly kind: 'exact'; readonly command: string }
  /** `seen`: what is known of it, not to be pasted as it is. */
  | { readonly kind: 'not-known'; readonly because: string; readonly seen: string | null };

/** What resources/onbox/parts/process-table.sh tells of a command line at most. */
const MAX_TOLD = 2000;

/** `redact` takes out what has the shape of a secret. */
export function resumeCommand(
  { command, argumentCount, folder }: Pick<RunInLook, 'command' | 'argumentCount' | 'folder'>,
  redact: (text: string) => string,
): ResumeCommand {
  if (command === null || command === '') {
    return notKnown('the box did not show its command line', null);
  }
  const seen = redact(command);
  if (seen !== command) return notKnown('a secret stood in it and was taken out', seen);
  // By characters, of which each is at least a byte.
  if (command.length >= MAX_TOLD - 1) return notKnown('it is longer than the box tells', seen);
  if (!isWholeText(command)) {
    return notKnown('it holds a line break or another character that the box does not tell', seen);
  }
  const words = command.split(' ');
  if (argumentCount === null) {
    return notKnown('the box did not tell where one argument ends and the next begins', seen);
  }
  if (words.length !== argumentCount) {
    return notKnown('one of its arguments holds a blank or is empty: put the quotes in', seen);
  }
  if (folder !== null && !(isWholeText(folder) && redact(folder) === folder)) {
    return notKnown('the name of its folder is not fit to be pasted', seen);
  }
  return { kind: 'exact', command: words.map(shellWord).join(' ') };
}

/** The box tells "?" for what could break a line, and what cannot be seen must not be pasted. */
export function isWholeText(text: string): boolean {
  return !/[\p{C}\p{Zl}\p{Zp}?\uFFFD]/u.test(text);
}

const notKnown = (because: string, seen: string | null): ResumeCommand => ({
  kind: 'not-known',
  because,
  seen,
});
