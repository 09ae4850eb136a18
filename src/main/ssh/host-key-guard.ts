import type {
  MachineIdentity,
  ExpectedKey,
  HostKeyQuestion,
  KnownPlace,
  TrustWay,
} from '../../shared/boxes/host-key.ts';
import { compareExpected } from '../../shared/boxes/known-hosts/compare-expected.ts';
import { judgeHostKey, knownTypes } from '../../shared/boxes/known-hosts/judge-host-key.ts';
import { judgePhrase } from '../../shared/boxes/known-hosts/judge-phrase.ts';
import type { PlanRef } from '../../shared/plan/plan.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, unreachable, type Result } from '../../shared/result.ts';
import type { Log } from '../log/log.ts';
import { PlanKeeper } from '../plan/plan-keeper.ts';
import type { HostKeyLookup, HostKeyStore, KnownElsewhere } from './host-key-store.ts';
import {
  describeOffered,
  readHostKey,
  type OfferedHostKey,
  type StoredHostKey,
} from './host-key.ts';

/** A machine that is dialled: a box, or a hop on the way to one. */
export interface GuardedMachine extends HostKeyLookup {
  readonly id: string;
  readonly name: string;
}

export interface HostKeyGuardOptions {
  readonly machine: GuardedMachine;
  readonly hostKeys: HostKeyStore;
  readonly log: Log;
}

/** What a connection needs to check the machine's key; made anew for each try. */
export interface HostKeyCheck {
  /** To be asked for first. */
  readonly knownKeyTypes: readonly string[];
  readonly judgeHostKey: (offered: OfferedHostKey) => 'accept' | 'refuse';
  /** Called once the server has proved that it owns the accepted key, and before anything else is sent. */
  readonly onHostKeyProven: () => Result<null, Problem>;
}

/** A person may meet the question in the morning; the server is asked again, whenever they answer. */
const QUESTION_LASTS_MS = 24 * 3_600_000;
/** A machine has one identity. */
const ABOUT = 'identity';

/** What is known of the machine at the beginning of a try. */
interface Known extends KnownElsewhere {
  readonly stored: StoredHostKey | null;
}

/** A new identity that the person has confirmed, until the machine has proved that it is the one. */
interface Replacement {
  readonly key: OfferedHostKey;
  readonly by: TrustWay;
  readonly settle: (outcome: Result<null, Problem>) => void;
}

/**
 * Decides about the host keys of one machine, from one try to the next. It asks, it never accepts by itself what was not
 * trusted before, and what the person says counts only for the key that is in question at that moment.
 */
export class HostKeyGuard {
  #options: HostKeyGuardOptions;
  #question: HostKeyQuestion | null = null;
  /** Accepted earlier in this connection: a key exchange in its middle must bring the same one. */
  #pinned: OfferedHostKey | null = null;
  #trustedAt: string | null = null;
  #replacement: Replacement | null = null;
  readonly #plans = new PlanKeeper<OfferedHostKey>(QUESTION_LASTS_MS);

  constructor(options: HostKeyGuardOptions) {
    this.#options = options;
  }

  /** Why the last try was refused; null: not because of its key. */
  get question(): HostKeyQuestion | null {
    return this.#question;
  }

  rename(name: string): void {
    this.#options = { ...this.#options, machine: { ...this.#options.machine, name } };
  }

  /** What the last try met counts no more, also where the next one does not get this far. */
  forgetQuestion(): void {
    this.#question = null;
    this.#plans.forget(ABOUT);
  }

  /** Begins a try: forgets what the last one met and gathers what is known now. */
  async prepare(): Promise<Result<HostKeyCheck, Problem>> {
    const { machine, hostKeys, log } = this.#options;
    this.forgetQuestion();
    this.#pinned = null;
    this.#trustedAt = null;
    const stored = hostKeys.current(machine.id);
    if (!stored.ok) return stored;
    const elsewhere = await hostKeys.knownElsewhere(machine);
    for (const { message, code } of elsewhere.problems) log.warn(message, { code });
    const known: Known = { ...elsewhere, stored: stored.value };
    const expectedType = this.#replacement?.key.type ?? stored.value?.type ?? null;
    return ok({
      knownKeyTypes: knownTypes(expectedType, elsewhere.lines),
      judgeHostKey: (offered) => this.#judge(offered, known),
      onHostKeyProven: () => this.#proven(),
    });
  }

  /** SECURITY: called for each key the server shows; only what is trusted already is accepted. */
  #judge(offered: OfferedHostKey, known: Known): 'accept' | 'refuse' {
    if (this.#pinned !== null && this.#pinned.publicKey !== offered.publicKey) {
      return this.#refuse(this.#changed(offered, fromPinned(this.#pinned, known)));
    }
    const replacement = this.#replacement;
    const isReplacement = replacement?.key.publicKey === offered.publicKey;
    const stored = isReplacement ? replacement.key : known.stored;
    const verdict = judgeHostKey(offered.publicKey, {
      stored: stored?.publicKey ?? null,
      lines: known.lines,
    });
    switch (verdict.kind) {
      case 'trusted':
        this.#pinned = offered;
        if (verdict.by === 'known-hosts') {
          this.#trustedAt = `${verdict.place.file}, line ${verdict.place.line}`;
        }
        return 'accept';
      case 'revoked':
        return this.#refuse({
          kind: 'host-key-revoked',
          offered: describeOffered(offered),
          place: verdict.place,
        });
      case 'changed': {
        const expected =
          verdict.from === 'leasehold' ? fromStored(known.stored) : fromLine(verdict);
        const offeredPlace = verdict.from === 'leasehold' ? verdict.offeredAt : null;
        return this.#refuse(this.#changed(offered, expected, offeredPlace));
      }
      case 'certificate-expected': {
        const note = noCertificates(this.#options.machine, verdict.place);
        return this.#refuse(unknown(offered, [...known.problems, note], true));
      }
      case 'unknown':
        return this.#refuse(unknown(offered, known.problems, false));
      default:
        return unreachable(verdict);
    }
  }

  #changed(
    offered: OfferedHostKey,
    expected: ExpectedKey,
    offeredPlace: KnownPlace | null = null,
  ): HostKeyQuestion {
    const shown = {
      kind: 'host-key-changed',
      offered: describeOffered(offered),
      expected,
      offeredPlace,
    } as const;
    return { ...shown, plan: this.#plans.keep(ABOUT, offered, JSON.stringify(shown)) };
  }

  #refuse(question: HostKeyQuestion): 'refuse' {
    const { log } = this.#options;
    const { type, fingerprint } = question.offered;
    log.warn('a host key was refused', { because: question.kind, type, fingerprint });
    this.#question = question;
    return 'refuse';
  }

  /** Only now is the key more than a claim: what follows from it is written down. */
  #proven(): Result<null, Problem> {
    const { machine, hostKeys, log } = this.#options;
    const { id, address } = machine;
    const replaced = this.#replaceIdentity();
    if (!replaced.ok) return replaced;
    if (this.#trustedAt !== null && this.#pinned !== null) {
      log.info('host key trusted before', { where: this.#trustedAt });
      const trust = { address, by: 'known-hosts', where: this.#trustedAt } as const;
      this.#note(hostKeys.store(id, this.#pinned, Date.now(), trust));
    }
    this.#note(hostKeys.seen(id, Date.now(), address));
    return ok(null);
  }

  /** SECURITY: a new identity that cannot be stored ends the connection: otherwise nothing would say that it was accepted. */
  #replaceIdentity(): Result<null, Problem> {
    const { machine, hostKeys, log } = this.#options;
    const replacement = this.#replacement;
    if (replacement === null || this.#pinned?.publicKey !== replacement.key.publicKey) {
      return ok(null);
    }
    const trust = { address: machine.address, by: replacement.by, where: null };
    const stored = hostKeys.store(machine.id, replacement.key, Date.now(), trust);
    if (stored.ok) log.info('the box has a new identity', { by: replacement.by });
    this.#replacement = null;
    replacement.settle(stored);
    return stored;
  }

  /** The key is trusted all the same; only the note about it is missing, and the next connection makes it again. */
  #note(noted: Result<null, Problem>): void {
    if (!noted.ok) this.#options.log.warn(noted.error.message, { code: noted.error.code });
  }

  /** The person has compared the unknown key. `expected` is what they pasted to do so, or nothing. */
  trust(fingerprint: string, expected: string): Result<null, Problem> {
    const { machine, hostKeys } = this.#options;
    const question = this.#question;
    if (question?.kind !== 'host-key-unknown' || question.offered.fingerprint !== fingerprint) {
      return err(problem('host-key-unknown', `${machine.name} no longer offers that key.`));
    }
    const compared = compareExpected(expected, question.offered);
    if (compared === 'different' || compared === 'unreadable') {
      return err(
        problem(
          'host-key-not-as-expected',
          `What you entered is not the fingerprint that ${machine.name} shows. Nothing was trusted.`,
        ),
      );
    }
    if (question.mustCompare && compared !== 'same') {
      return err(
        problem(
          'host-key-not-as-expected',
          `The key of ${machine.name} is trusted only after its SHA-256 fingerprint was entered.`,
        ),
      );
    }
    const by = ({ empty: 'confirmed', same: 'compared', 'same-md5': 'compared-md5' } as const)[
      compared
    ];
    const key = offeredBehind(question);
    return hostKeys.store(machine.id, key, Date.now(), {
      address: machine.address,
      by,
      where: null,
    });
  }

  /**
   * "This is a new machine": from the next try on, the key in question is accepted, and it replaces the box's identity
   * when the machine has proved that it owns it. The promise tells how that went.
   */
  allowReplacement(
    shown: PlanRef,
    phrase: string,
  ): Result<Promise<Result<null, Problem>>, Problem> {
    const { machine } = this.#options;
    const question = this.#question;
    if (question?.kind !== 'host-key-changed') return err(notOffered(machine));
    const asked = this.#plans.peek(ABOUT, shown);
    if (!asked.ok) return asked;
    const verdict = judgePhrase(phrase, machine.name, question.offered);
    if (verdict === 'wrong' || verdict === 'other-fingerprint') {
      return err(phraseRefused(machine, verdict));
    }
    return ok(
      this.#plans.carryOut(
        ABOUT,
        shown,
        (key) =>
          new Promise((settle) => {
            this.#replacement = { key, by: `new-machine-${verdict}`, settle };
          }),
      ),
    );
  }

  /** The try ended without the proof: what was confirmed for it does not outlive it. */
  withdraw(reason: Problem): void {
    const replacement = this.#replacement;
    this.#replacement = null;
    replacement?.settle(err(this.#question === null ? reason : notOffered(this.#options.machine)));
  }

  /** The person gave up: nothing is in question any more, so a late yes counts for nothing. */
  drop(): void {
    this.withdraw(problem('aborted', 'Connecting was stopped.'));
    this.forgetQuestion();
  }

  async identity(): Promise<Result<MachineIdentity, Problem>> {
    const { machine, hostKeys } = this.#options;
    const history = hostKeys.history(machine.id);
    if (!history.ok) return history;
    const { lines, problems } = await hostKeys.knownElsewhere(machine);
    const { rows, unreadable } = history.value;
    const foundIn = (publicKey: string): KnownPlace | null =>
      lines.find((line) => line.marker === 'none' && line.publicKey === publicKey)?.place ?? null;
    const keys = rows.map((row) => ({
      type: row.type,
      fingerprint: row.fingerprint,
      trustedBy: row.trustedBy,
      trustedWhere: row.trustedWhere,
      fromMs: row.storedAtMs,
      lastSeenMs: row.lastSeenMs,
      untilMs: row.replacedAtMs,
      replacedBecause: row.replacedBecause,
      foundIn: foundIn(row.publicKey),
    }));
    return ok({ keys, unreadable: [...unreadable, ...problems] });
  }
}

function offeredBehind({ offered }: HostKeyQuestion): OfferedHostKey {
  const { type, fingerprint, publicKey } = offered;
  return { type, fingerprint, publicKey };
}

function unknown(
  offered: OfferedHostKey,
  notes: readonly Problem[],
  mustCompare: boolean,
): HostKeyQuestion {
  return { kind: 'host-key-unknown', offered: describeOffered(offered), notes, mustCompare };
}

function fromStored(stored: StoredHostKey | null): ExpectedKey {
  if (stored === null) throw new Error('a key cannot differ from one that is not there');
  const { type, fingerprint, storedAtMs, lastSeenMs } = stored;
  return { type, fingerprint, storedAtMs, lastSeenMs, place: null };
}

function fromLine({
  line,
}: {
  readonly line: { readonly publicKey: string; readonly place: ExpectedKey['place'] };
}): ExpectedKey {
  const { type, fingerprint } = readHostKey(Buffer.from(line.publicKey, 'base64'));
  return { type, fingerprint, storedAtMs: null, lastSeenMs: null, place: line.place };
}

/** The connection began with this key. */
function fromPinned({ type, fingerprint, publicKey }: OfferedHostKey, known: Known): ExpectedKey {
  if (known.stored?.publicKey === publicKey) return fromStored(known.stored);
  return { type, fingerprint, storedAtMs: null, lastSeenMs: null, place: null };
}

function noCertificates(
  { name }: GuardedMachine,
  place: { readonly file: string; readonly line: number },
): Problem {
  return problem(
    'host-certificate-unsupported',
    `You trust ${name} through a certificate authority (${place.file}, line ${place.line}). Leasehold's SSH library cannot check host certificates, so it got a plain key instead, for which that authority does not vouch.`,
  );
}

function notOffered({ name }: GuardedMachine): Problem {
  return problem(
    'host-key-changed',
    `${name} no longer offers the key that you confirmed. Its identity was not changed.`,
    { nextStep: 'Look at the key that is offered now before you go on.' },
  );
}

function phraseRefused({ name }: GuardedMachine, verdict: 'wrong' | 'other-fingerprint'): Problem {
  return verdict === 'wrong'
    ? problem(
        'host-key-not-as-expected',
        `What you typed is neither the name of ${name} nor the new fingerprint. Its identity was not changed.`,
        { nextStep: 'Type the name exactly as the box is called, or paste the whole fingerprint.' },
      )
    : problem(
        'host-key-not-as-expected',
        `The fingerprint you entered is not the one that ${name} offers. Its identity was not changed.`,
        { nextStep: 'Do not connect: this is not the machine whose fingerprint you have.' },
      );
}
