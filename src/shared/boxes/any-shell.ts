/**
 * A box's login shell reads every command first, and it may be fish, csh or a restricted shell, print whatever its start-up
 * files say, or not run the command at all. So commands are written for a POSIX shell, packed so that every login shell
 * hands them to `sh` unread, and answered between marks.
 */

/** One word that sh, bash, rbash, dash, ash, zsh, fish, csh and tcsh all read as this very text. */
export function quoteForAnyShell(text: string): string {
  // csh ends a quoted word at a line break, whatever stands before it. Scripts go over stdin.
  if (/[\n\r\0]/.test(text)) throw new Error('a command for a box is one line');
  // Inside single quotes csh looks at "!" and fish at a backslash; outside of them a backslash is the same to all.
  return `'${text.replace(/['\\!]/g, (char) => `'\\${char}'`)}'`;
}

/** No `exec` and no path before `sh`: a restricted shell refuses both. */
export function forAnyShell(command: string): string {
  return `sh -c ${quoteForAnyShell(command)}`;
}

/** For a command whose output is followed as it comes: says on both outputs that it is about to start. */
export function markStart(command: string, mark: string): string {
  return forAnyShell(`${sayStart(mark)}; ${command}`);
}

/** For a command that is run to its end: what follows the second mark is not its output, and the exit code is its own. */
export function markStartAndEnd(command: string, mark: string): string {
  const end = `code=$?; echo ${inHalves(mark)} $code; exit $code`;
  return forAnyShell(`${sayStart(mark)}; ( ${command} ); ${end}`);
}

/** Where the mark ends a line: the text before it, and all that follows. Null: not there yet. */
export function splitAtStart(
  text: string,
  mark: string,
): { readonly before: string; readonly rest: string } | null {
  // Not a regular expression: each mark is another one, and compiling it takes longer than the search.
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
    const end = at + mark.length + (text[at + mark.length] === '\r' ? 1 : 0);
    if (text[end] === '\n') return { before: text.slice(0, at), rest: text.slice(end + 1) };
  }
  return null;
}

function sayStart(mark: string): string {
  return `echo ${inHalves(mark)}; echo ${inHalves(mark)} >&2`;
}

/** Put together on the box, so that a wrapper that repeats the command line never passes for one that ran it. */
function inHalves(mark: string): string {
  const half = mark.length / 2;
  return `${mark.slice(0, half)}""${mark.slice(half)}`;
}
