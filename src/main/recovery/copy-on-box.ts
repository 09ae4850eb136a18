import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { parseSentSecrets, type SecretState } from '../../shared/secrets/secret-on-box.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import { Secret } from '../secrets/secret.ts';
import { sendSecret } from '../secrets/send-secret.ts';
import { changeBox } from '../ssh/change-box.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';

const SEND_TIMEOUT_MS = 60_000;

export interface CopyPlace {
  readonly connection: SshConnection;
  readonly scripts: OnboxScripts;
  readonly path: string;
}

/**
 * Writes the handbook to the box the way secrets are written: over stdin, for its owner only, whole or not at all, and read
 * back. It holds none, so a shared disk is no reason not to.
 */
export async function sendCopy(
  { connection, scripts, path }: CopyPlace,
  markdown: string,
): Promise<Result<null, Problem>> {
  const stopper = new AbortController();
  const timer = setTimeout(() => stopper.abort(), SEND_TIMEOUT_MS);
  const sent = await sendSecret({
    connection,
    scripts,
    secret: new Secret(markdown),
    path,
    consents: ['replace', 'shared'],
    signal: stopper.signal,
  }).finally(() => clearTimeout(timer));
  if (sent.ok && sent.value.kind === 'sent') return ok(null);
  const because = sent.ok ? 'the box asks for something that was agreed to.' : sent.error.message;
  return err(problem('handbook-not-on-box', `The copy on the box is not current: ${because}`));
}

/** Removes the copy, and says so only when the box shows that it is gone. */
export async function removeCopy({
  connection,
  scripts,
  path,
}: CopyPlace): Promise<Result<null, Problem>> {
  const file = { name: 'handbook', path, bytes: 0, sentAtMs: 0 };
  const ask = (on: SshConnection, remove: 'yes' | 'no') =>
    scripts.run(on, 'sent-secrets.sh', { LEASEHOLD_PATHS: path, LEASEHOLD_REMOVE: remove });
  const judge = (stdout: string): Result<null, Problem> =>
    judgeGone(parseSentSecrets(stdout, [file])[0]);
  return changeBox<null>(connection, {
    run: (on) => ask(on, 'yes'),
    judge: ({ stdout }) => judge(stdout),
    reread: async (fresh) => {
      const looked = await ask(fresh, 'no');
      return looked.ok ? judge(looked.value.stdout) : looked;
    },
  });
}

function judgeGone(state: SecretState = 'unknown'): Result<null, Problem> {
  if (state === 'gone') return ok(null);
  const because =
    state === 'unknown'
      ? 'whether it is gone is not known.'
      : 'the box did not let it be removed, or something else is in its place.';
  return err(problem('handbook-not-removed', `The copy on the box stays for now: ${because}`));
}
