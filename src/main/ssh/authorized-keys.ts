import { problem, type Problem } from '../../shared/problem.ts';
import { plainLine } from '../../shared/questions/hostile-text.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { changeBox, type Ended } from './change-box.ts';
import type { SshConnection } from './ssh-connection.ts';

/**
 * Reads from stdin: the line to add, then its type and key without the comment. Adds the line unless a line that is no
 * comment has that key, sets the modes that sshd insists on, and reads back. Each step that fails has its own exit code.
 */
export const INSTALL_COMMAND = [
  'umask 077',
  'cd || exit 20',
  'IFS= read -r line || exit 21',
  'IFS= read -r key || exit 21',
  'f=.ssh/authorized_keys',
  'has() { [ -f "$f" ] && grep -v "^[[:space:]]*#" "$f" | grep -qF -- "$key"; }',
  'if has; then echo leasehold:present; exit 0; fi',
  '[ -d .ssh ] || mkdir .ssh || exit 22',
  'chmod 700 .ssh || exit 23',
  'if [ -s "$f" ] && [ -n "$(tail -c 1 "$f")" ]; then echo >> "$f" || exit 24; fi',
  'printf "%s\\n" "$line" >> "$f" || exit 24',
  'chmod 600 "$f" || exit 25',
  'has || exit 26',
  'echo leasehold:added',
].join('; ');

/** Reads the type and key from stdin and only looks. */
export const LOOK_COMMAND = [
  'cd || exit 20',
  'IFS= read -r key || exit 21',
  'grep -v "^[[:space:]]*#" .ssh/authorized_keys | grep -qF -- "$key" || exit 27',
  'echo leasehold:present',
].join('; ');

const NOTHING_CHANGED = 'Nothing was changed on the box.';

/** What each exit code leaves behind. */
const FAILURES: Readonly<Record<number, string>> = {
  20: `The box has no home folder for this user. ${NOTHING_CHANGED}`,
  21: `The key did not arrive on the box. ${NOTHING_CHANGED}`,
  22: `The box did not let ~/.ssh be made. ${NOTHING_CHANGED}`,
  23: 'The rights of ~/.ssh on the box could not be set, so its server would not trust the key. The key was not added.',
  24: 'The box did not let ~/.ssh/authorized_keys be written; its disk may be full or read-only. The key was not added, a part of its line may stand at the end of the file.',
  25: 'The key stands in ~/.ssh/authorized_keys, but the rights of the file could not be set, so the box’s server may not trust it.',
  26: 'The key was written to ~/.ssh/authorized_keys but is not there when read back.',
};

/** Adds one public key for the user that is logged in. The key travels on stdin; twice is the same as once. */
export async function addAuthorizedKey(
  connection: SshConnection,
  key: { readonly line: string; readonly typeAndKey: string },
): Promise<Result<'added' | 'present', Problem>> {
  return changeBox(connection, {
    run: (on) => on.run(INSTALL_COMMAND, { input: `${key.line}\n${key.typeAndKey}\n` }),
    judge: judgeInstall,
    reread: async (fresh, because) => {
      const looked = await fresh.run(LOOK_COMMAND, { input: `${key.typeAndKey}\n` });
      if (looked.ok && said(looked.value.stdout) === 'present') return ok('added');
      const isLookedAt = looked.ok && looked.value.end.kind === 'exited';
      const found = isLookedAt
        ? 'The key is not on the box'
        : 'Whether the key was added is not known';
      return err({
        ...because,
        message: `${because.message} ${found}; trying again does no harm.`,
      });
    },
  });
}

function judgeInstall({ code, stdout, stderr }: Ended): Result<'added' | 'present', Problem> {
  const outcome = said(stdout);
  if (code === 0 && outcome !== null) return ok(outcome);
  const message =
    FAILURES[code] ??
    'The box did not run the few commands that install a key. Whether the key was added is not known; trying again does no harm.';
  return err(problem('key-not-installed', message, { detail: plainLine(stderr, 300) }));
}

/** Noisy start-up files may print around it. */
function said(stdout: string): 'added' | 'present' | null {
  const word = /^leasehold:(added|present)$/m.exec(stdout)?.[1];
  return word === 'added' || word === 'present' ? word : null;
}
