import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { SecretToSend } from '../../shared/secrets/secret-to-send.ts';
import { tokenName, type SendSecretOutcome } from '../../shared/secrets/sent-secret.ts';
import type { Connections } from '../boxes/box-roster.ts';
import type { Redactor } from '../log/redact.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import { Secret } from './secret.ts';
import type { Secrets } from './secrets.ts';
import { sendSecret } from './send-secret.ts';
import type { SentSecrets } from './sent-secrets.ts';

export interface SecretCourierOptions {
  readonly roster: Connections;
  readonly scripts: OnboxScripts;
  readonly secrets: Secrets;
  readonly redactor: Redactor;
  /** Where the file is noted into which it was, or may have been, written. */
  readonly sent: Pick<SentSecrets, 'note'>;
  /** What the person should learn although the secret was sent: that it could not be kept here. */
  readonly onProblem: (problem: Problem) => void;
}

/** Takes secrets to boxes: typed ones, and those of the keyring that were kept for that. */
export class SecretCourier {
  readonly #options: SecretCourierOptions;
  /** One at a time for each box. */
  readonly #underWay = new Map<string, AbortController>();

  constructor(options: SecretCourierOptions) {
    this.#options = options;
  }

  async send(
    boxId: string,
    { name, path, source, consents }: SecretToSend,
  ): Promise<Result<SendSecretOutcome, Problem>> {
    const { roster, scripts, secrets, redactor, onProblem } = this.#options;
    if (source.kind === 'typed') redactor.register(source.value);
    const connection = roster.connectionOf(boxId);
    if (connection === null) {
      return err(problem('not-connected', 'The box is not connected, so nothing was sent.'));
    }
    if (this.#underWay.has(boxId)) {
      return err(problem('secret-not-sent', 'A secret is on its way to this box already.'));
    }
    const secret = source.kind === 'typed' ? ok(new Secret(source.value)) : this.#kept(name);
    if (!secret.ok) return secret;
    const stopper = new AbortController();
    this.#underWay.set(boxId, stopper);
    const { signal } = stopper;
    const request = { connection, scripts, secret: secret.value, path, consents, signal };
    const sent = await sendSecret(request).finally(() => this.#underWay.delete(boxId));
    if (sent.ok ? sent.value.kind === 'sent' : sent.error.mayBeWritten) {
      const bytes = Buffer.byteLength(secret.value.reveal());
      this.#options.sent.note(boxId, { name, path, bytes, sentAtMs: Date.now() });
    }
    if (sent.ok && sent.value.kind === 'sent' && source.kind === 'typed' && source.isToBeKept) {
      const kept = await secrets.set(tokenName(name), source.value);
      if (!kept.ok) onProblem(kept.error);
    }
    return sent;
  }

  stop(boxId: string): void {
    this.#underWay.get(boxId)?.abort();
  }

  /** For quitting. */
  close(): void {
    for (const stopper of this.#underWay.values()) stopper.abort();
  }

  /** SECURITY: only what was kept to be sent; passwords and passphrases have other names. */
  #kept(name: string): Result<Secret, Problem> {
    const found = this.#options.secrets.get(tokenName(name));
    if (!found.ok) return found;
    return found.value === null
      ? err(problem('secret-unreadable', `No ${name} is kept here any more.`))
      : ok(found.value);
  }
}
