import { aimOf, endVerbs } from '../../shared/teardown/end-verb.ts';
import type { EndAim, GatePass } from '../../shared/teardown/gate.ts';
import type { ActAnswer, ProviderSaid } from '../../shared/teardown/provider-said.ts';
import type { ProfileBook } from '../profiles/profile-book.ts';
import { askProvider, foreignWords, type ProviderAsking } from './ask-provider.ts';
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
  readonly look: (boxId: string, within: LookWithin) => Promise<ProviderSaid | null>;
}

interface LookWithin extends Pick<ProviderAsking, 'signal' | 'forMs'> {
  /** The machine that is asked about, as the provider names it; null: whichever is linked. */
  readonly of: string | null;
}

const OTHER_LINKED = 'It was not asked: another machine is linked to this box by now.';

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
  readonly redact: ProviderAsking['redact'];
  /** How long an order may take. */
  readonly actForMs?: number;
}

/** By the provider of the box where one is linked and carries the verb out; by hand otherwise. */
export class LinkedVerbs implements TeardownVerbs {
  readonly #byHand: VerbsByHand;
  readonly #links: Pick<ProviderLinks, 'of'>;
  readonly #redact: ProviderAsking['redact'];
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
    const { link, instance } = linked;
    const { provider } = link;
    // SECURITY: an order is about the machine that was looked at and approved, whatever is linked by now.
    if (pass.act.machine?.instance !== instance) {
      return { provider, kind: 'refused', says: OTHER_LINKED, atMs: Date.now() };
    }
    const asking = { redact: this.#redact, forMs: this.#actForMs };
    const told = await askProvider(asking, () => link.act(instance, pass));
    const { kind, says } =
      told.kind === 'told' ? told.value : { kind: 'lost' as const, says: told.says };
    return { provider, kind, says: this.#words(says), atMs: Date.now() };
  }

  providerOf(boxId: string, verb: string | null): string | null {
    const link = this.#links.of(boxId)?.link;
    if (link === undefined || (verb !== null && !link.verbs.includes(verb))) return null;
    return link.provider;
  }

  async look(boxId: string, within: LookWithin): Promise<ProviderSaid | null> {
    const linked = this.#links.of(boxId);
    if (linked === null) return null;
    const { link, instance } = linked;
    const { provider } = link;
    if (within.of !== null && within.of !== instance) {
      const says = `${OTHER_LINKED} Until that link is taken away, this end cannot be confirmed.`;
      return { provider, kind: 'silent', says, atMs: Date.now() };
    }
    const asking = { ...within, redact: this.#redact };
    const told = await askProvider(asking, (signal) => link.look(instance, signal));
    const { kind, says } = told.kind === 'told' ? told.value : told;
    return { provider, kind, says: this.#words(says), atMs: Date.now() };
  }

  #words(foreign: string): string {
    return foreignWords(foreign, this.#redact);
  }
}

const ACT_FOR_MS = 60_000;
