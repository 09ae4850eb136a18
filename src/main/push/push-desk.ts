import { createHash } from 'node:crypto';
import { problem, type Problem } from '../../shared/problem.ts';
import { pushBody } from '../../shared/push/push-body.ts';
import {
  parsePushLook,
  pushId,
  pushUrlPath,
  type PushLook,
  type PushSubject,
} from '../../shared/push/push-waiter.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { WebhookKind } from '../../shared/webhook/webhook-kinds.ts';
import type { Redactor } from '../log/redact.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import { Secret } from '../secrets/secret.ts';
import { sendSecret } from '../secrets/send-secret.ts';
import type { SentSecrets } from '../secrets/sent-secrets.ts';
import { changeBox } from '../ssh/change-box.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { readWebhookUrl } from '../webhook/webhook-url.ts';

const SEND_TIMEOUT_MS = 60_000;

export interface PushWanted {
  readonly subject: PushSubject;
  readonly kind: WebhookKind;
  /** A secret: whoever knows it can write there. */
  readonly url: string;
  readonly isPlainAllowed: boolean;
}

export interface PushDeskOptions {
  readonly connectionOf: (boxId: string) => SshConnection | null;
  readonly nameOf: (boxId: string) => string;
  readonly scripts: OnboxScripts;
  /** Where the file with the address is noted, so that it is listed with the other secrets on the box. */
  readonly sent: Pick<SentSecrets, 'note'>;
  readonly redactor: Pick<Redactor, 'register'>;
}

/** Why the box armed nothing. */
const REFUSALS: Readonly<Record<string, string>> = {
  'no-tool':
    'The box has neither curl nor GNU Wget, so that nothing can be posted from it without showing the address to everybody there.',
  'no-process-table': 'The box does not show its process table.',
  gone: 'That process is not there any more.',
  already: 'A waiter for this is there already.',
};

/** Waiters on boxes that tell an address when a run ends, also when this machine sleeps. One for each run or marker. */
export class PushDesk {
  readonly #options: PushDeskOptions;

  constructor(options: PushDeskOptions) {
    this.#options = options;
  }

  look(boxId: string): Promise<Result<PushLook, Problem>> {
    return this.#withBox(boxId, (connection) => this.#ask(connection, ''));
  }

  /** Says so only after the box's process table has shown the waiter. */
  async arm(boxId: string, wanted: PushWanted): Promise<Result<PushLook, Problem>> {
    const { subject, kind, url, isPlainAllowed } = wanted;
    this.#options.redactor.register(url);
    const endpoint = readWebhookUrl(kind, url, isPlainAllowed);
    if (!endpoint.ok) return endpoint;
    const address = endpoint.value.url.href;
    // It stands between quotes in what curl reads.
    if (/["\\\s]/.test(address)) {
      return err(problem('bad-input', 'An address with a quote or a backslash in it is not used.'));
    }
    return this.#withBox(boxId, async (connection) => {
      const looked = await this.#ask(connection, '');
      if (!looked.ok) return looked;
      if (looked.value.tool === null) return err(refused('no-tool'));
      const id = pushId(subject, (text) => createHash('sha256').update(text).digest('hex'));
      const there = looked.value.waiters.find((each) => each.id === id);
      if (there?.state.kind === 'waiting') return err(refused('already'));
      const sent = await this.#sendAddress(boxId, connection, pushUrlPath(id), address);
      if (!sent.ok) return sent;
      const body = (because: 'ended' | 'appeared'): string =>
        pushBody(kind, endpoint.value.topic, {
          boxName: this.#options.nameOf(boxId),
          subject,
          because,
        });
      const armed = await changeBox<null>(connection, {
        run: (on) =>
          this.#options.scripts.run(on, 'push-arm.sh', {
            LEASEHOLD_ID: id,
            LEASEHOLD_PID: subject.kind === 'process' ? String(subject.pid) : '',
            LEASEHOLD_START: subject.kind === 'process' ? String(subject.startTicks) : '',
            LEASEHOLD_MARKER: subject.kind === 'marker' ? subject.path : '',
            LEASEHOLD_ENDED: body('ended'),
            LEASEHOLD_APPEARED: body('appeared'),
          }),
        judge: ({ stdout }) => {
          if (/^armed \d+ \d+ (?:curl|wget)$/m.test(stdout)) return ok(null);
          return err(refused(/^refused ([a-z-]{1,40})$/m.exec(stdout)?.[1] ?? ''));
        },
        reread: async (fresh) => {
          const found = await this.#ask(fresh, '');
          if (!found.ok) return found;
          const waiter = found.value.waiters.find((each) => each.id === id);
          return waiter === undefined || waiter.state.kind === 'ended-silently'
            ? err(refused(''))
            : ok(null);
        },
      });
      // An address without a waiter is a secret that lies there for nothing.
      if (!armed.ok) {
        const cleaned = await this.#ask(connection, id);
        return cleaned.ok ? armed : err({ ...armed.error, detail: cleaned.error.message });
      }
      return this.#ask(connection, '');
    });
  }

  /** Ends exactly that waiter and takes what it left; says so only when the box does not list it any more. */
  disarm(boxId: string, id: string): Promise<Result<PushLook, Problem>> {
    const isGone = (look: PushLook): Result<PushLook, Problem> =>
      look.waiters.some((each) => each.id === id)
        ? err(problem('push-not-disarmed', 'The box still lists this waiter.'))
        : ok(look);
    return this.#withBox(boxId, (connection) =>
      changeBox<PushLook>(connection, {
        run: (on) => this.#options.scripts.run(on, 'push-waiters.sh', { LEASEHOLD_DISARM: id }),
        judge: ({ stdout }) => {
          const look = parsePushLook(stdout);
          return look === null ? err(unreadable()) : isGone(look);
        },
        reread: async (fresh) => {
          const look = await this.#ask(fresh, '');
          return look.ok ? isGone(look.value) : look;
        },
      }),
    );
  }

  async #sendAddress(
    boxId: string,
    connection: SshConnection,
    path: string,
    address: string,
  ): Promise<Result<null, Problem>> {
    const { scripts, sent } = this.#options;
    const stopper = new AbortController();
    const timer = setTimeout(() => stopper.abort(), SEND_TIMEOUT_MS);
    const outcome = await sendSecret({
      connection,
      scripts,
      secret: new Secret(address),
      path,
      consents: ['replace'],
      signal: stopper.signal,
    }).finally(() => clearTimeout(timer));
    const mayBeThere = outcome.ok ? outcome.value.kind === 'sent' : outcome.error.mayBeWritten;
    if (mayBeThere) {
      sent.note(boxId, {
        name: 'PUSH_ADDRESS',
        path,
        bytes: Buffer.byteLength(address),
        sentAtMs: Date.now(),
      });
    }
    if (!outcome.ok) return outcome;
    if (outcome.value.kind === 'sent') return ok(null);
    return err(
      problem(
        'push-not-armed',
        'The home folder on this box is shared with other machines: an address that is a secret is not left there.',
      ),
    );
  }

  async #ask(connection: SshConnection, disarm: string): Promise<Result<PushLook, Problem>> {
    const ran = await this.#options.scripts.run(connection, 'push-waiters.sh', {
      LEASEHOLD_DISARM: disarm,
    });
    if (!ran.ok) return ran;
    const look = parsePushLook(ran.value.stdout);
    return look === null ? err(unreadable()) : ok(look);
  }

  #withBox<T>(
    boxId: string,
    act: (connection: SshConnection) => Promise<Result<T, Problem>>,
  ): Promise<Result<T, Problem>> {
    const connection = this.#options.connectionOf(boxId);
    return connection === null
      ? Promise.resolve(err(problem('not-connected', 'The box is not connected.')))
      : act(connection);
  }
}

function refused(because: string): Problem {
  return problem(
    'push-not-armed',
    REFUSALS[because] ?? 'The box did not start the waiter, or did not show it.',
  );
}

function unreadable(): Problem {
  return problem('push-not-read', 'The box did not tell of its waiters as a whole.');
}
