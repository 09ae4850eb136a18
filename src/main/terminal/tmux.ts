import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { ChangePass } from '../../shared/teardown/change-pass.ts';
import type {
  TerminalSize,
  TmuxListing,
  TmuxSession,
  TmuxSessionKey,
} from '../../shared/terminal/terminal.ts';
import {
  createScript,
  findScript,
  KILLED,
  killScript,
  LIST_SCRIPT,
  parseTmuxList,
  parseTmuxSession,
} from '../../shared/terminal/tmux.ts';
import { changeBox } from '../ssh/change-box.ts';
import type { RunFailure, RunOutcome } from '../ssh/run-command.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';

/** Sessions have short rows; what is longer is no listing. */
const MAX_CHARS = 256 * 1024;

export async function listTmux(connection: SshConnection): Promise<Result<TmuxListing, Problem>> {
  const outcome = await runScript(connection, LIST_SCRIPT);
  return outcome.ok ? ok(parseTmuxList(outcome.value.stdout)) : outcome;
}

export async function createTmux(
  connection: SshConnection,
  name: string,
  { cols, rows }: TerminalSize,
): Promise<Result<TmuxSession, Problem>> {
  return changeBox(connection, {
    run: (on) => runScript(on, createScript(name, cols, rows)),
    judge: ({ stdout, stderr }) => judgeCreated(name, stdout, stderr),
    reread: async (fresh, because) => {
      const listed = await listTmux(fresh);
      if (!listed.ok) return listed;
      const sessions = listed.value.kind === 'installed' ? listed.value.sessions : [];
      const created = sessions.find((session) => session.name === name);
      return created === undefined ? err(because) : ok(created);
    },
  });
}

function judgeCreated(name: string, stdout: string, stderr: string): Result<TmuxSession, Problem> {
  const listing = parseTmuxList(stdout);
  if (listing.kind === 'not-installed') {
    return err(problem('no-tmux', 'There is no tmux on this box.'));
  }
  const [session] = listing.sessions;
  if (session !== undefined) return ok(session);
  const isTaken = stderr.includes('duplicate session');
  return err(
    problem(
      'tmux-failed',
      isTaken
        ? `This box already has a tmux session named ${name}.`
        : 'tmux did not create a session.',
      {
        ...(isTaken && { nextStep: 'Attach to that one, or choose another name.' }),
        detail: stderr,
      },
    ),
  );
}

/** The session that was meant, or a problem where the box has lost it (a reboot) or given its id to another. */
export async function findTmux(
  connection: SshConnection,
  key: TmuxSessionKey,
): Promise<Result<TmuxSession, Problem>> {
  const outcome = await runScript(connection, findScript(key.id));
  if (!outcome.ok) return outcome;
  const session = parseTmuxSession(outcome.value.stdout.trimEnd());
  return session?.id === key.id && session.createdAtS === key.createdAtS ? ok(session) : gone();
}

export async function killTmux(
  connection: SshConnection,
  key: TmuxSessionKey,
  pass: ChangePass,
): Promise<Result<null, Problem>> {
  if (!pass.take('end-work', key.id)) return err(pass.whyNot);
  return changeBox(connection, {
    run: (on) => runScript(on, killScript(key.id, key.createdAtS)),
    judge: ({ stdout }) => (stdout.includes(KILLED) ? ok(null) : gone()),
    reread: async (fresh, because) => {
      const found = await findTmux(fresh, key);
      if (found.ok) return err(because);
      return found.error.code === 'tmux-session-gone' ? ok(null) : found;
    },
  });
}

/** Scripts travel on stdin: they have more than one line. */
function runScript(
  connection: SshConnection,
  script: string,
): Promise<Result<RunOutcome, RunFailure>> {
  // shell-text: tmux's ids and names, by their schemas plain words
  return connection.run('exec sh -s', { input: script, maxChars: MAX_CHARS });
}

function gone(): Result<never, Problem> {
  return err(
    problem(
      'tmux-session-gone',
      'The tmux session is not there any more: it ended, or the box was restarted.',
    ),
  );
}
