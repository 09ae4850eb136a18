import { nonBlankLines } from '../probes/probe-output.ts';
import type { TmuxListing, TmuxSession } from './terminal.ts';

/** More than anybody looks through; a box may print as many as it likes. */
const MAX_SESSIONS = 200;
const MAX_NAME_CHARS = 200;

const NOT_INSTALLED = 'leasehold: no tmux';

/** The name stands last, so that no character in it can pass for a separator. */
const FORMAT =
  '#{session_id} #{session_created} #{session_windows} #{session_attached} #{session_name}';
const ROW = /^(\$\d{1,9}) (\d{1,12}) (\d{1,9}) (\d{1,9}) (.+)$/;

/** Sent to `sh` on stdin. No server running means no sessions, not a failure. */
export const LIST_SCRIPT = `command -v tmux >/dev/null 2>&1 || { echo '${NOT_INSTALLED}'; exit 0; }
LC_ALL=C.UTF-8 tmux list-sessions -F '${FORMAT}' 2>/dev/null
exit 0
`;

export function parseTmuxList(stdout: string): TmuxListing {
  const lines = nonBlankLines(stdout);
  if (lines.includes(NOT_INSTALLED)) return { kind: 'not-installed' };
  const sessions = lines.flatMap((line) => parseTmuxSession(line) ?? []).slice(0, MAX_SESSIONS);
  return { kind: 'installed', sessions, leftOut: lines.length - sessions.length };
}

export function parseTmuxSession(line: string): TmuxSession | null {
  const [, id, created, windows, attached, name] = ROW.exec(line) ?? [];
  if (id === undefined || name === undefined) return null;
  return {
    id,
    createdAtS: Number(created),
    windows: Number(windows),
    attached: Number(attached),
    name: name.slice(0, MAX_NAME_CHARS),
  };
}

/**
 * Has tmux begin a session, and does `then` once it has. A server ends with its last session, and who asks it for a new one at that
 * moment gets none (tmux 3.3a: "server exited unexpectedly", 63 of 300 times where one run began as another ended). Asked again, there
 * is a new server.
 */
export const beginSession = (asked: string, then: 'break' | 'created'): string =>
  `for again in 1 2 3; do tmux ${asked} && ${then}; done`;

/**
 * Creates a session without showing it and prints its row. \`name\` is a plain word by its schema. Its mouse is on, so that a wheel
 * scrolls; a tmux that does not know the option (before 2.1) has a session all the same.
 */
export function createScript(name: string, cols: number, rows: number): string {
  const asked = `-u new-session -d -P -F '${FORMAT}' -s '${name}' -x ${cols} -y ${rows}`;
  return `command -v tmux >/dev/null 2>&1 || { echo '${NOT_INSTALLED}'; exit 0; }
created() { tmux set-option -t '${name}' mouse on >/dev/null 2>&1; exit 0; }
${beginSession(asked, 'created')}
exit 1
`;
}

/** What the session of a launched run is called, where tmux starts it. */
export const sessionOfRun = (runId: string): string => `leasehold-${runId}`;
const OF_A_RUN = /^leasehold-/;
/** A key that is pressed there would go to what keeps the run, and Ctrl+C would end that. */
export const isOfARun = (name: string): boolean => OF_A_RUN.test(name);
/** As a person's own are called that were made here. */
const OWN = /^work(?:-\d+)?$/;

/**
 * Which session a person means who asks for a terminal and says no more: their own that nobody shows, or else shows least, the newest
 * of these; or the only one that there is. Null: none of them.
 */
export function usualSession(sessions: readonly TmuxSession[]): TmuxSession | null {
  const free = sessions.filter(({ name }) => !isOfARun(name));
  const [own] = free
    .filter(({ name }) => OWN.test(name))
    .sort((a, b) => a.attached - b.attached || b.createdAtS - a.createdAtS);
  return own ?? (free.length === 1 ? (free[0] ?? null) : null);
}

/** Prints the row of the session with that id, if there is one. */
export function findScript(id: string): string {
  return `tmux display-message -p -t '${id}:' '${FORMAT}' 2>/dev/null\nexit 0\n`;
}

export const KILLED = 'leasehold: killed';
/** Looks and kills in one go: between two commands another session could have got the id. */
export function killScript(id: string, createdAtS: number): string {
  return `[ "$(tmux display-message -p -t '${id}:' '#{session_id} #{session_created}' 2>/dev/null)" = '${id} ${createdAtS}' ] || exit 0
tmux kill-session -t '${id}' && echo '${KILLED}'
`;
}

/**
 * What the terminal runs in place of a shell. -u: UTF-8 whatever the box's locale says. Where tmux knows -T (3.2) it is told
 * that this terminal shows true colour; older ones must be told in ~/.tmux.conf. The session of a run is only shown: of all keys those
 * alone are heard that detach. No value but a checked id is in the text.
 */
export function attachCommand({ id, name }: Pick<TmuxSession, 'id' | 'name'>): string {
  // From 3.2 on, -r leaves the session at another size than this terminal's.
  const [only, onlyOlder] = isOfARun(name) ? [' -f read-only', ' -r'] : ['', ''];
  return `if tmux -T RGB -V >/dev/null 2>&1; then exec tmux -u -T RGB attach-session${only} -t '${id}'; else exec tmux -u attach-session${onlyOlder} -t '${id}'; fi`;
}
