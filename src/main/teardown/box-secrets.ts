import type { PlanRef } from '../../shared/plan/plan.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { countOf } from '../../shared/teardown/blockers/raised.ts';
import type { ChangePass } from '../../shared/teardown/change-pass.ts';
import {
  readRemoved,
  readSecrets,
  type RemovedWord,
  type SecretPlace,
} from '../../shared/teardown/read-secrets.ts';
import { secretLines } from '../../shared/teardown/secret-kinds.ts';
import {
  NO_SECRETS,
  type FoundSecret,
  type SecretsPlan,
  type SecretsView,
} from '../../shared/teardown/secrets-found.ts';
import { newMark, type OnboxScripts } from '../onbox/onbox-scripts.ts';
import { PlanKeeper } from '../plan/plan-keeper.ts';
import { changeBox } from '../ssh/change-box.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import type { TeardownRecords } from './teardown-records.ts';

export interface SecretSources {
  readonly scripts: OnboxScripts;
  readonly connected: <T>(
    boxId: string,
    ask: (connection: SshConnection) => Promise<Result<T, Problem>>,
  ) => Promise<Result<T, Problem>>;
  /** Where to look besides the home folders, with all that lies below. */
  readonly folders: (
    boxId: string,
    connection: SshConnection,
  ) => Promise<Result<readonly string[], Problem>>;
  /** Into which files Leasehold has sent a secret. */
  readonly sentTo: (boxId: string) => Result<readonly string[], Problem>;
  readonly records: Pick<TeardownRecords, 'removedSecrets' | 'appendRemovedSecrets'>;
}

/** A folder that takes longer has too many files to be looked through while a person waits. */
const LIMIT_S = 20;
const MAX_BYTES = 400_000;
/** Start-up files, and a slow link. */
const SLACK_MS = 30_000;

interface Removal {
  readonly words: readonly (RemovedWord | null)[];
  /** The answer to the removal was lost, and this is what a later look found. */
  readonly wasLost: boolean;
}

/** The secrets on one box: found by their names, and removed as a plan has shown them. Nothing reads what is in one. */
export class BoxSecrets {
  readonly #boxId: string;
  readonly #sources: SecretSources;
  readonly #plans = new PlanKeeper<readonly SecretPlace[]>();
  #found: readonly SecretPlace[] = [];
  #view: SecretsView = NO_SECRETS;

  constructor(boxId: string, sources: SecretSources) {
    this.#boxId = boxId;
    this.#sources = sources;
  }

  get view(): SecretsView {
    return this.#view;
  }

  /** What was removed before Leasehold was started. */
  recall(): Result<null, Problem> {
    const removed = this.#sources.records.removedSecrets(this.#boxId);
    if (!removed.ok) return removed;
    this.#view = { ...this.#view, removed: removed.value };
    return ok(null);
  }

  /** Changes nothing on the box. */
  async look(): Promise<Result<null, Problem>> {
    const looked = await this.#sources.connected(this.#boxId, (on) => this.#lookOn(on));
    if (!looked.ok) return looked;
    const { found, ...rest } = looked.value;
    this.#plans.forget(this.#boxId);
    this.#found = found;
    const look = { atMs: Date.now(), found: found.map(shownOf), ...rest };
    this.#view = { ...this.#view, look, stayed: [], isLeft: false };
    return ok(null);
  }

  /** A person leaves on the box what was found there. */
  leave(): Promise<Result<null, Problem>> {
    this.#view = { ...this.#view, isLeft: true };
    return Promise.resolve(ok(null));
  }

  plan(keys: readonly string[]): Result<SecretsPlan, Problem> {
    const places = this.#found.filter(({ key }) => keys.includes(key));
    if (places.length !== keys.length) {
      return err(problem('plan-gone', 'That is not what was found last. Search again.'));
    }
    const doomed = places.map(shownOf);
    return ok({ doomed, plan: this.#plans.keep(this.#boxId, places, JSON.stringify(doomed)) });
  }

  /** SECURITY: removes what the plan has shown, where it is still that very file, then looks at the box again. */
  remove(shown: PlanRef, pass: ChangePass): Promise<Result<null, Problem>> {
    return this.#plans.carryOut(this.#boxId, shown, async (places) => {
      if (!pass.take('delete', shown.digest)) return err(pass.whyNot);
      const done = await this.#sources.connected(this.#boxId, (on) => this.#removeOn(on, places));
      if (!done.ok) return done;
      const atMs = Date.now();
      const looked = await this.look();
      const { wasLost } = done.value;
      const again = new Set(this.#found.map(({ key }) => key));
      const words = places.map(({ key }, at) => {
        const word = done.value.words[at] ?? 'hidden';
        // What is gone since a lost answer was removed by it, unless it is found elsewhere now.
        return wasLost && word === 'gone' && looked.ok && !again.has(key) ? 'removed' : word;
      });
      const removed = [
        ...this.#view.removed,
        ...places
          .filter((_place, at) => words[at] === 'removed')
          .map(({ kind, path }) => ({ kind, path, atMs })),
      ];
      this.#view = { ...this.#view, removed };
      const kept = this.#sources.records.appendRemovedSecrets(this.#boxId, removed);
      const stayed = places.flatMap(({ path }, at) => {
        const word = words[at] ?? 'hidden';
        return word === 'removed' ? [] : [`${path}: ${STAYED[word]}`];
      });
      this.#view = { ...this.#view, stayed };
      return kept.ok ? looked : kept;
    });
  }

  close(): void {
    this.#plans.close();
  }

  async #lookOn(connection: SshConnection) {
    const { scripts, folders, sentTo } = this.#sources;
    const sent = sentTo(this.#boxId);
    if (!sent.ok) return sent;
    const look = await folders(this.#boxId, connection);
    if (!look.ok) return look;
    const mark = newMark();
    // A line names one folder.
    const told = look.value.filter((folder) => !/[\n\r]/.test(folder));
    const untold = look.value.length - told.length;
    const lines = [
      ...secretLines(),
      // Their rules leave no blank in them.
      ...sent.value.map((path) => `sent sent ${path}`),
      ...told.map((folder) => `look ${folder}`),
    ];
    const values = {
      LEASEHOLD_MARK: mark,
      LEASEHOLD_MOST: String(MAX_BYTES),
      LEASEHOLD_LIMIT_S: String(LIMIT_S),
    };
    const timeoutMs = (told.length + 1) * LIMIT_S * 1000 + SLACK_MS;
    const options = { maxChars: 2 * MAX_BYTES + 10_000, timeoutMs };
    const ran = await scripts.runWithInput(
      ...([connection, 'secrets-find.sh', values, `${lines.join('\n')}\n`, options] as const),
    );
    if (!ran.ok) return ran;
    const read = readSecrets(ran.value.stdout, mark);
    return read === null
      ? err(problem('teardown-refused', 'The box did not tell all of the secrets on it.'))
      : ok({ ...read, unread: withUntold(read.unread, untold) });
  }

  #removeOn(
    connection: SshConnection,
    places: readonly SecretPlace[],
  ): Promise<Result<Removal, Problem>> {
    const { scripts } = this.#sources;
    const mark = newMark();
    const ask = (on: SshConnection, remove: 'yes' | 'no') =>
      scripts.runWithInput(
        ...([on, 'secrets-remove.sh', { LEASEHOLD_MARK: mark, LEASEHOLD_REMOVE: remove }] as const),
        places.map(({ line }) => `${line}\n`).join(''),
      );
    const read = (stdout: string, wasLost: boolean) =>
      ok({ words: readRemoved(stdout, mark, places.length), wasLost });
    return changeBox(connection, {
      run: (on) => ask(on, 'yes'),
      judge: ({ stdout }) => read(stdout, false),
      reread: async (fresh) => {
        const looked = await ask(fresh, 'no');
        return looked.ok ? read(looked.value.stdout, true) : looked;
      },
    });
  }
}

/** Sentences why not all was looked through. */
function withUntold(unread: string | null, untold: number): string | null {
  if (untold === 0) return unread;
  const said = `${countOf(untold, 'folder')} with a line break in the name.`;
  return unread === null ? said : `${unread} ${said}`;
}

const STAYED: Readonly<Record<RemovedWord, string>> = {
  removed: '',
  gone: 'it lies there no longer, and Leasehold did not remove it: somebody moved or deleted it, or its disk is not mounted.',
  there:
    'the box did not let it be removed. Its disk may be read-only, or its folder another user’s.',
  changed: 'something else lies there now than what was shown. It was not removed.',
  hidden: 'whether it is gone is not known.',
};

const shownOf = ({ line: _line, ...shown }: SecretPlace): FoundSecret => shown;
