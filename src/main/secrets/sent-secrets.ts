import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import {
  parseSentSecrets,
  type SecretsOnBox,
  type SecretState,
  type SentSecret,
} from '../../shared/secrets/secret-on-box.ts';
import type { ChangePass } from '../../shared/teardown/change-pass.ts';
import type { Connections } from '../boxes/box-roster.ts';
import { changeBox } from '../ssh/change-box.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import type { SentSecretsTable } from '../storage/sent-secrets-table.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';

export interface SentSecretsOptions {
  readonly table: SentSecretsTable;
  readonly roster: Connections;
  readonly scripts: OnboxScripts;
  readonly onProblem: (problem: Problem) => void;
}

/** Why a file is still there after it should have been removed. */
const STAYED: Readonly<Record<Exclude<SecretState, 'gone'>, string>> = {
  present: 'The box did not let the file be removed; its disk may be read-only.',
  'opened-up': 'The box did not let the file be removed; its disk may be read-only.',
  changed:
    'What is there now was not removed: it belongs to another user, is a symlink or folder, or the disk is read-only.',
  unknown: 'Whether the file is gone is not known: the box did not let it be looked at.',
};

/** What was sent to boxes: noted here, and looked at there. */
export class SentSecrets {
  readonly #options: SentSecretsOptions;
  /** For boxes that live no longer than this session. */
  readonly #unkept = new Map<string, readonly SentSecret[]>();

  constructor(options: SentSecretsOptions) {
    this.#options = options;
  }

  note(boxId: string, secret: SentSecret): void {
    const kept = this.#options.table.put(boxId, secret);
    if (kept.ok) return;
    if (kept.error.code !== 'no-such-box') this.#options.onProblem(kept.error);
    const others = this.#unkeptOf(boxId).filter(({ path }) => path !== secret.path);
    this.#unkept.set(boxId, [secret, ...others]);
  }

  /** With how each file is on the box right now, where that can be asked. */
  async list(boxId: string): Promise<Result<SecretsOnBox, Problem>> {
    const listed = this.#options.table.list(boxId);
    if (!listed.ok) return listed;
    const sent = [...this.#unkeptOf(boxId), ...listed.value.rows];
    const { unreadable } = listed.value;
    const looked = sent.length === 0 ? ok([]) : await this.#look(boxId, sent);
    return ok({
      secrets: sent.map((secret, at) => ({
        ...secret,
        state: (looked.ok ? looked.value[at] : undefined) ?? 'unknown',
      })),
      lookedAtMs: looked.ok ? Date.now() : null,
      problems: looked.ok ? unreadable : [...unreadable, looked.error],
    });
  }

  /** SECURITY: removes a file that was sent, and no other; the note about it goes when the box shows that the file is gone. */
  async remove(
    boxId: string,
    path: string,
    pass: ChangePass,
  ): Promise<Result<SecretsOnBox, Problem>> {
    const { table, roster, scripts } = this.#options;
    const listed = table.list(boxId);
    if (!listed.ok) return listed;
    const sent = [...this.#unkeptOf(boxId), ...listed.value.rows].find(
      (each) => each.path === path,
    );
    if (sent === undefined) {
      return err(problem('bad-input', 'Leasehold sent no secret into this file.'));
    }
    const connection = roster.connectionOf(boxId);
    if (connection === null) return err(notConnected());
    if (!pass.take('delete', path)) return err(pass.whyNot);
    const removed = await changeBox<null>(connection, {
      run: (on) => scripts.run(on, 'sent-secrets.sh', valuesFor([sent], true)),
      judge: ({ stdout }) => judgeRemoved(parseSentSecrets(stdout, [sent])[0]),
      reread: async (fresh) => {
        const looked = await look(fresh, scripts, [sent]);
        return looked.ok ? judgeRemoved(looked.value[0]) : looked;
      },
    });
    if (!removed.ok) return removed;
    this.#unkept.set(
      boxId,
      this.#unkeptOf(boxId).filter((each) => each.path !== path),
    );
    const forgotten = table.remove(boxId, path);
    return forgotten.ok ? this.list(boxId) : forgotten;
  }

  #look(
    boxId: string,
    sent: readonly SentSecret[],
  ): Promise<Result<readonly SecretState[], Problem>> {
    const connection = this.#options.roster.connectionOf(boxId);
    if (connection === null) return Promise.resolve(err(notConnected()));
    return look(connection, this.#options.scripts, sent);
  }

  #unkeptOf(boxId: string): readonly SentSecret[] {
    return this.#unkept.get(boxId) ?? [];
  }
}

async function look(
  connection: SshConnection,
  scripts: OnboxScripts,
  sent: readonly SentSecret[],
): Promise<Result<readonly SecretState[], Problem>> {
  const ran = await scripts.run(connection, 'sent-secrets.sh', valuesFor(sent, false));
  return ran.ok ? ok(parseSentSecrets(ran.value.stdout, sent)) : ran;
}

function valuesFor(sent: readonly SentSecret[], isToGo: boolean) {
  return {
    // Their rules leave no blank in them.
    LEASEHOLD_PATHS: sent.map(({ path }) => path).join(' '),
    LEASEHOLD_REMOVE: isToGo ? 'yes' : 'no',
  };
}

function judgeRemoved(state: SecretState = 'unknown'): Result<null, Problem> {
  return state === 'gone' ? ok(null) : err(problem('secret-not-removed', STAYED[state]));
}

function notConnected(): Problem {
  return problem('not-connected', 'The box is not connected, so its files cannot be looked at.');
}
