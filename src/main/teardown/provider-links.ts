import type { GatePass } from '../../shared/teardown/gate.ts';
import type { ListedMachine, ProviderPrice } from '../../shared/teardown/provider-account.ts';
import type { OrderAnswer, ProviderSaid } from '../../shared/teardown/provider-said.ts';

/** One account at a provider, as far as the end of a machine needs it. */
export interface ProviderLink {
  /** By which people know it. */
  readonly provider: string;
  /** What it carries out, by the names that the profile of its platform has. */
  readonly verbs: readonly string[];
  /**
   * SECURITY: sends an order, once, under the id of the pass's act, which it takes. What it answers proves nothing. Whoever writes this is given a
   * pass and can make none.
   */
  readonly act: (instance: string, pass: GatePass) => Promise<Pick<OrderAnswer, 'kind' | 'says'>>;
  /** Asks, and changes nothing. */
  readonly look: (
    instance: string,
    signal: AbortSignal,
  ) => Promise<Pick<ProviderSaid, 'kind' | 'says'>>;
  /** All machines of the account. */
  readonly list: (signal: AbortSignal) => Promise<readonly ListedMachine[]>;
  readonly price: (instance: string, signal: AbortSignal) => Promise<ProviderPrice>;
}

/** A machine at its provider. */
export interface LinkedInstance {
  readonly link: ProviderLink;
  /** As the provider names it. */
  readonly instance: string;
}

/** Which machine of which provider each box is. A box without an entry is ended by hand. */
export class ProviderLinks {
  readonly #linked = new Map<string, LinkedInstance>();
  readonly #followers = new Set<(boxId: string) => void>();

  of(boxId: string): LinkedInstance | null {
    return this.#linked.get(boxId) ?? null;
  }

  /** The box that this machine of the account is; null: none of the list. */
  boxOf(link: ProviderLink, instance: string): string | null {
    for (const [boxId, linked] of this.#linked) {
      if (linked.link === link && linked.instance === instance) return boxId;
    }
    return null;
  }

  /** Returns how to let go of it. */
  hold(boxId: string, linked: LinkedInstance): () => void {
    this.#linked.set(boxId, linked);
    for (const tell of this.#followers) tell(boxId);
    return () => {
      if (this.#linked.get(boxId) !== linked) return;
      this.#linked.delete(boxId);
      for (const tell of this.#followers) tell(boxId);
    };
  }

  /** Tells of each box that is linked, or no longer is. Returns how to end that. */
  follow(tell: (boxId: string) => void): () => void {
    this.#followers.add(tell);
    return () => void this.#followers.delete(tell);
  }
}
