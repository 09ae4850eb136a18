import { aimOf, endVerbs } from '../../shared/teardown/end-verb.ts';
import type { EndAim, GatePass } from '../../shared/teardown/gate.ts';
import type { ActAnswer, ProviderSaid } from '../../shared/teardown/provider-said.ts';
import type { ProfileBook } from '../profiles/profile-book.ts';
import type { ProviderLinks } from './provider-links.ts';

/** The calls of a platform that end a box or stop its meter. SECURITY: each asks for a pass, which only the open gate gives out. */
export interface TeardownVerbs {
  /** What this verb of the platform of the box brings about; null: it has no such verb. */
  readonly aimOf: (boxId: string, verb: string) => EndAim | null;
  /** Sets it going, once; what has become of it is found out by looking. */
  readonly act: (boxId: string, pass: GatePass) => Promise<ActAnswer>;
  /** Who can be asked of this box, and carries out this verb where one is named; null: nobody is linked who does. */
  readonly providerOf: (boxId: string, verb: string | null) => string | null;
  /** What the provider says of the box now; null: none is linked. */
  readonly look: (boxId: string, signal: AbortSignal) => Promise<ProviderSaid | null>;
}

/** Where no provider is linked the person does it, in the console of their platform: what is set going here is that they may. */
export class VerbsByHand implements TeardownVerbs {
  readonly #platformOf: (boxId: string) => string | null;
  readonly #profileOf: ProfileBook['profileOf'];

  constructor(platformOf: (boxId: string) => string | null, profileOf: ProfileBook['profileOf']) {
    this.#platformOf = platformOf;
    this.#profileOf = profileOf;
  }

  aimOf(boxId: string, verb: string): EndAim | null {
    const platform = this.#platformOf(boxId);
    const profile = platform === null ? null : this.#profileOf(platform);
    const found = profile && endVerbs(profile).find((each) => each.verb === verb);
    return found ? aimOf(found) : null;
  }

  act(boxId: string, pass: GatePass): Promise<ActAnswer> {
    const isKnown = this.aimOf(boxId, pass.act.verb) !== null;
    if (isKnown && pass.take()) return Promise.resolve({ kind: 'by-hand' });
    const says = 'That was done already, or is no verb of this platform.';
    return Promise.resolve({ kind: 'refused', provider: 'Leasehold', says, atMs: Date.now() });
  }

  providerOf(): null {
    return null;
  }

  look(): Promise<null> {
    return Promise.resolve(null);
  }
}

export interface LinkedVerbsOptions {
  readonly byHand: VerbsByHand;
  readonly links: Pick<ProviderLinks, 'of'>;
  /** SECURITY: takes secrets out of what a call failed with. */
  readonly redact: (text: string) => string;
  /** How long an order may take. A call that hangs is one whose answer is lost. */
  readonly actForMs?: number;
}

/** By the provider of the box where one is linked and carries the verb out; by hand otherwise. */
export class LinkedVerbs implements TeardownVerbs {
  readonly #byHand: VerbsByHand;
  readonly #links: Pick<ProviderLinks, 'of'>;
  readonly #redact: (text: string) => string;
  readonly #actForMs: number;

  constructor({ byHand, links, redact, actForMs = ACT_FOR_MS }: LinkedVerbsOptions) {
    this.#byHand = byHand;
    this.#links = links;
    this.#redact = redact;
    this.#actForMs = actForMs;
  }

  aimOf(boxId: string, verb: string): EndAim | null {
    return this.#byHand.aimOf(boxId, verb);
  }

  async act(boxId: string, pass: GatePass): Promise<ActAnswer> {
    const linked = this.#links.of(boxId);
    if (linked === null || !linked.link.verbs.includes(pass.act.verb)) {
      return this.#byHand.act(boxId, pass);
    }
    const { provider } = linked.link;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.#actForMs);
    try {
      const order = linked.link.act(linked.instance, pass);
      const answer = await Promise.race([order, aborted(late.signal)]);
      return { provider, kind: answer.kind, says: this.#words(answer.says), atMs: Date.now() };
    } catch (cause) {
      const says = late.signal.aborted ? NOTHING : this.#words(describeCause(cause));
      return { provider, kind: 'lost', says, atMs: Date.now() };
    } finally {
      clearTimeout(timer);
    }
  }

  providerOf(boxId: string, verb: string | null): string | null {
    const link = this.#links.of(boxId)?.link;
    if (link === undefined || (verb !== null && !link.verbs.includes(verb))) return null;
    return link.provider;
  }

  async look(boxId: string, signal: AbortSignal): Promise<ProviderSaid | null> {
    const linked = this.#links.of(boxId);
    if (linked === null) return null;
    const { provider } = linked.link;
    try {
      const said = await Promise.race([linked.link.look(linked.instance, signal), aborted(signal)]);
      return { provider, kind: said.kind, says: this.#words(said.says), atMs: Date.now() };
    } catch (cause) {
      const says = signal.aborted ? NOTHING : this.#words(describeCause(cause));
      return { provider, kind: 'silent', says, atMs: Date.now() };
    }
  }

  /** What is foreign goes into the evidence and the window: bounded, and without secrets. */
  #words(foreign: string): string {
    return this.#redact(foreign).slice(0, MOST_CHARS);
  }
}

const ACT_FOR_MS = 60_000;
const NOTHING = 'nothing came back.';
const MOST_CHARS = 400;

const describeCause = (cause: unknown): string =>
  cause instanceof Error ? cause.message : String(cause);

/** Never resolves: rejects when the signal is over. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = (): void => reject(new Error('aborted'));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
