import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import {
  keptSecrets,
  type SecretsKept,
  type SecretsView,
} from '../../shared/teardown/secrets-found.ts';
import { BoxSecrets, type SecretSources } from './box-secrets.ts';

export interface SecretsOptions extends SecretSources {
  readonly onProblem: (found: Problem) => void;
}

/** What is known of the secrets on each box. What was removed is in the evidence; what was found is as old as the last look. */
export class SecretsOfBoxes {
  readonly #options: SecretsOptions;
  readonly #boxes = new Map<string, BoxSecrets>();

  constructor(options: SecretsOptions) {
    this.#options = options;
  }

  of(boxId: string): BoxSecrets {
    const known = this.#boxes.get(boxId);
    if (known !== undefined) return known;
    const secrets = new BoxSecrets(boxId, this.#options);
    const recalled = secrets.recall();
    if (!recalled.ok) this.#options.onProblem(recalled.error);
    this.#boxes.set(boxId, secrets);
    return secrets;
  }

  viewOf(boxId: string): SecretsView {
    return this.of(boxId).view;
  }

  kept(boxId: string): SecretsKept {
    return keptSecrets(this.viewOf(boxId));
  }

  /** It is gone: nothing of this is about the next machine at its address. */
  clear(boxId: string): Result<unknown, Problem> {
    const { removed } = this.viewOf(boxId);
    this.#boxes.get(boxId)?.close();
    this.#boxes.delete(boxId);
    return removed.length === 0 ? ok(null) : this.#options.records.appendRemovedSecrets(boxId, []);
  }

  /** For quitting. */
  close(): void {
    for (const secrets of this.#boxes.values()) secrets.close();
  }
}
