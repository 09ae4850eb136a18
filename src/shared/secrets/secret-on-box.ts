import type { Problem } from '../problem.ts';

/** More than anybody sends to one box; the oldest ones are not looked at. */
export const MAX_SENT_SECRETS = 100;

/** A file on a box that a secret was written into. SECURITY: nothing of the secret itself, not even its digest. */
export interface SentSecret {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly sentAtMs: number;
}

/**
 * How that file is now. `changed`: there is one, but not as it was sent: of another size, another user's, or no ordinary file.
 * `opened-up`: others than its owner may read it. Unknown is neither there nor gone.
 */
export type SecretState = 'present' | 'gone' | 'opened-up' | 'changed' | 'unknown';

export interface SecretOnBox extends SentSecret {
  readonly state: SecretState;
}

/** What was sent to a box, the newest first, and how it is there. */
export interface SecretsOnBox {
  readonly secrets: readonly SecretOnBox[];
  /** Null: the box was not asked, or did not answer. */
  readonly lookedAtMs: number | null;
  /** Why it is not known how the files are; notes that could not be read. */
  readonly problems: readonly Problem[];
}

const LINE = /^at (\d{1,4}) (gone|other|hidden|file (\S{10,11}) (\d{1,19}) (own|foreign))$/;

/** What resources/onbox/sent-secrets.sh printed about these files. Noisy start-up files may print around it. */
export function parseSentSecrets(
  stdout: string,
  sent: readonly SentSecret[],
): readonly SecretState[] {
  const states = sent.map((): SecretState => 'unknown');
  for (const line of stdout.split('\n')) {
    const [, at = '', word, rights = '', size, owner] = LINE.exec(line) ?? [];
    const secret = sent[Number(at)];
    if (word === undefined || secret === undefined) continue;
    states[Number(at)] = judge(word, rights, Number(size), owner, secret.bytes);
  }
  return states;
}

function judge(
  word: string,
  rights: string,
  size: number,
  owner: string | undefined,
  bytes: number,
): SecretState {
  if (word === 'gone') return 'gone';
  if (word === 'hidden') return 'unknown';
  if (word === 'other' || owner !== 'own' || size !== bytes) return 'changed';
  return /^-rw-------\.?$/.test(rights) ? 'present' : 'opened-up';
}
