import { createHash } from 'node:crypto';
import { problem, type Problem } from '../../shared/problem.ts';
import { plainLine } from '../../shared/questions/hostile-text.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import {
  parseSendSecret,
  type SecretConsent,
  type SendSecretOutcome,
} from '../../shared/secrets/sent-secret.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { Secret } from './secret.ts';

export interface SendSecretFailure extends Problem {
  /** The file may be there all the same, whole. */
  readonly mayBeWritten: boolean;
}

export interface SendSecretRequest {
  readonly connection: Pick<SshConnection, 'run'>;
  readonly scripts: OnboxScripts;
  readonly secret: Secret;
  readonly path: string;
  readonly consents: readonly SecretConsent[];
  readonly signal: AbortSignal;
}

const NOTHING_LEFT = 'Nothing was left on the box.';

/** Why the box did not take it; the file that was there, if any, is as it was. */
const REFUSALS: Readonly<Record<string, string>> = {
  'no-home': 'This user has no home folder on the box.',
  'no-path': 'The path begins with neither / nor ~/.',
  'no-folder': 'The folder for the file is not there and could not be made.',
  symlink: 'There is a symlink in the file’s place, and nothing is written through one.',
  'not-a-file': 'What is in the file’s place is no ordinary file.',
  'not-yours': 'The file that is there belongs to another user.',
  'open-folder': 'Others on the box may exchange files in that folder, or in one above it.',
  'no-write': 'The box did not let the file be written; its disk may be full or read-only.',
  'cut-off': 'Only a part of it arrived.',
  'not-the-same': 'What arrived is not what was sent, or the box has no tool to compute SHA-256.',
  'no-rights': 'The disk does not keep “readable by the owner only” for the file.',
};

/**
 * Writes a secret into a file on the box, over stdin only, and says so only after mode, size and SHA-256 were read back
 * from the file in its place. A link that is cut, or a stop, leaves the whole file or none.
 */
export async function sendSecret(
  request: SendSecretRequest,
): Promise<Result<SendSecretOutcome, SendSecretFailure>> {
  const { connection, scripts, secret, path, consents, signal } = request;
  const bytes = Buffer.from(secret.reveal(), 'utf8');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const values = {
    LEASEHOLD_MAY: consents.join(' '),
    LEASEHOLD_PATH: path,
    LEASEHOLD_SHA256: sha256,
    LEASEHOLD_SIZE: String(bytes.length),
  };
  const ran = await scripts.runWithInput(connection, 'send-secret.sh', values, secret, { signal });
  if (!ran.ok) {
    const { mayHaveRun, ...why } = ran.error;
    if (!mayHaveRun) return err({ ...why, mayBeWritten: false });
    return err({
      ...why,
      mayBeWritten: true,
      message: `${ran.error.message} Whether the secret was written is not known: the whole file is there, or nothing.`,
      nextStep: 'Send it again; if it was written, you are asked before it is replaced.',
    });
  }
  const answer = parseSendSecret(ran.value.stdout, { bytes: bytes.length, sha256 });
  switch (answer.kind) {
    case 'sent':
    case 'asks':
      return ok(answer);
    case 'refused':
      return err({
        ...problem(
          'secret-not-sent',
          `${REFUSALS[answer.because] ?? 'The box refused the file.'} ${NOTHING_LEFT}`,
        ),
        mayBeWritten: false,
      });
    case 'not-read-back':
      // SECURITY: what the box says may repeat what it was sent.
      return err({
        ...problem(
          'secret-not-sent',
          'The box did not show that the file is there as it was sent. Look at it from a terminal before you rely on it.',
          {
            detail: plainLine(ran.value.stderr.replaceAll(secret.reveal(), '[redacted]'), 300),
          },
        ),
        mayBeWritten: true,
      });
  }
}
