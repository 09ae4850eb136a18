import { judgeRate } from '../../shared/meter/rate.ts';
import type { Money } from '../../shared/money.ts';
import {
  MOST_MACHINES,
  type ProviderAccount,
  type ProviderPrice,
} from '../../shared/teardown/provider-account.ts';
import { askProvider, foreignWords, type ProviderAsking } from './ask-provider.ts';
import type { LinkedInstance, ProviderLinks } from './provider-links.ts';

interface ProviderAccountsOptions {
  readonly links: ProviderLinks;
  readonly nameOf: (boxId: string) => string | null;
  readonly redact: ProviderAsking['redact'];
  readonly askForMs?: number;
}

/** Asks the providers of boxes what they list and what they charge. Changes nothing there. */
export class ProviderAccounts {
  readonly #options: ProviderAccountsOptions;
  /** A provider that is slow is not asked a second time meanwhile. */
  readonly #asked = new Map<string, Promise<ProviderAccount>>();

  constructor(options: ProviderAccountsOptions) {
    this.#options = options;
  }

  /** Null: no provider is linked. */
  async ask(boxId: string): Promise<ProviderAccount | null> {
    const linked = this.#options.links.of(boxId);
    if (linked === null) return null;
    const asked = this.#asked.get(boxId) ?? this.#ask(linked);
    this.#asked.set(boxId, asked);
    try {
      return await asked;
    } finally {
      if (this.#asked.get(boxId) === asked) this.#asked.delete(boxId);
    }
  }

  async #ask({ link, instance }: LinkedInstance): Promise<ProviderAccount> {
    const { links, nameOf, redact, askForMs: forMs = ASK_FOR_MS } = this.#options;
    const words = (text: string): string => foreignWords(text, redact);
    const asking = { redact, forMs };
    const [machines, price] = await Promise.all([
      askProvider(asking, async (signal) => {
        const listed = await link.list(signal);
        return listed.slice(0, MOST_MACHINES).map((each) => {
          const boxId = links.boxOf(link, each.instance);
          return {
            ...{ instance: words(each.instance), says: words(each.says) },
            name: each.name === null ? null : words(each.name),
            boxName: boxId === null ? null : nameOf(boxId),
          };
        });
      }),
      askProvider(asking, async (signal) => checked(await link.price(instance, signal))),
    ]);
    return { provider: link.provider, instance, atMs: Date.now(), machines, price };
  }
}

const ASK_FOR_MS = 20_000;

function checked({ running, stopped, isWithStorage }: ProviderPrice): ProviderPrice {
  return { running: sane(running), stopped: sane(stopped), isWithStorage };
}

/** A figure that nothing can be computed with is one that is not known. */
const sane = (money: Money | null): Money | null =>
  money !== null && judgeRate({ ...money, per: 'hour' }).ok ? money : null;
