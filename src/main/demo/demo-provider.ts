import { setTimeout as sleep } from 'node:timers/promises';
import { demoPricePerHour } from '../../shared/demo/demo-terms.ts';
import type { DemoProviderFault } from '../../shared/demo/faults.ts';
import { shareOf } from '../../shared/money.ts';
import type { ProviderSaid } from '../../shared/teardown/provider-said.ts';
import type { ProviderLink } from '../teardown/provider-links.ts';
import type { DemoOrders } from './demo-rental.ts';

/** What the provider can do to the machine itself. */
export interface RentedMachine {
  /** Its disk stays. */
  readonly powerOff: () => Promise<void>;
  readonly destroy: () => Promise<void>;
}

interface DemoProviderOptions {
  readonly instance: string;
  /** Null: it went down together with the Leasehold that it ran in. */
  readonly machine: RentedMachine | null;
  readonly gpuCount: number;
  /** How long it takes over an end. */
  readonly delayMs?: number;
  /** What it was told before. */
  readonly before?: DemoOrders;
  /** Keeps what it is told, before it does or answers anything. Where that fails, it was told nothing. */
  readonly keep?: (orders: DemoOrders) => Promise<void>;
}

/** Real ones take from seconds to minutes. */
export const END_MS = 5000;

type MachineState = Extract<ProviderSaid['kind'], 'running' | 'stopping' | 'stopped' | 'gone'>;

const SAYS: Readonly<Record<MachineState, string>> = {
  running: 'RUNNING',
  stopping: 'SHUTTING_DOWN',
  stopped: 'EXITED',
  gone: 'TERMINATED',
};

/** Who rents the demo box out: as slow, forgetful and untruthful as its faults make it. */
export class DemoProvider implements ProviderLink {
  readonly provider = 'Demo provider';
  readonly verbs = ['stop', 'destroy'];
  /** As it names the box. */
  readonly instance: string;
  readonly #machine: RentedMachine | null;
  readonly #gpuCount: number;
  readonly #delayMs: number;
  readonly #keep: (orders: DemoOrders) => Promise<void>;
  readonly #faults = new Set<DemoProviderFault>();
  readonly #ending = new AbortController();
  #orders: DemoOrders;
  #lives: MachineState = 'running';

  constructor({
    instance,
    machine,
    gpuCount,
    delayMs = END_MS,
    before = { told: [], end: null },
    keep = () => Promise.resolve(),
  }: DemoProviderOptions) {
    this.instance = instance;
    this.#machine = machine;
    this.#gpuCount = gpuCount;
    this.#delayMs = delayMs;
    this.#orders = before;
    this.#keep = keep;
  }

  get orders(): DemoOrders {
    return this.#orders;
  }

  get faults(): readonly DemoProviderFault[] {
    return [...this.#faults];
  }

  /** As which machine of the account it lists the box now. */
  get listedAs(): string {
    return this.#faults.has('provider-swaps') ? `${this.instance}-again` : this.instance;
  }

  setFault(fault: DemoProviderFault, isOn: boolean): void {
    if (isOn) this.#faults.add(fault);
    else this.#faults.delete(fault);
  }

  act: ProviderLink['act'] = async (_instance, pass) => {
    const { id, aim } = pass.act;
    const { told, end } = this.#orders;
    if (!pass.take() || told.includes(id)) {
      return { kind: 'refused', says: 'this order was given before' };
    }
    await this.#travel();
    const has = (fault: DemoProviderFault): boolean => this.#faults.has(fault);
    const isIgnored = has('provider-refuses') || has('provider-idle') || has('provider-says-gone');
    const orders: DemoOrders = {
      told: [...told, id],
      end: isIgnored ? end : { aim, atMs: Date.now() + this.#delayMs },
    };
    try {
      await this.#keep(orders);
    } catch {
      // Whoever keeps it says why in the log; a provider tells nobody about its files.
      return { kind: 'refused', says: 'no orders can be taken at the moment' };
    }
    this.#orders = orders;
    if (has('provider-refuses')) return { kind: 'refused', says: 'the host is being serviced' };
    if (!isIgnored) void this.#carryOut(aim);
    if (has('provider-silent')) throw new Error(TIMED_OUT);
    return { kind: 'accepted', says: '202 Accepted' };
  };

  look: ProviderLink['look'] = async () => {
    await this.#answers();
    if (this.#faults.has('provider-forgets')) return { kind: 'unheard', says: '404 Not Found' };
    const kind = this.#faults.has('provider-says-gone') ? 'gone' : this.#state;
    return { kind, says: SAYS[kind] };
  };

  list: ProviderLink['list'] = async () => {
    await this.#answers();
    const own = { instance: this.listedAs, name: 'demo box', says: SAYS[this.#state] };
    return [
      ...(this.#faults.has('provider-forgets') ? [] : [own]),
      ...(this.#faults.has('provider-lists-more') ? [FORGOTTEN] : []),
    ];
  };

  /** Of the machine alone, as most have it: its disk is billed beside it. */
  price: ProviderLink['price'] = async () => {
    await this.#answers();
    const agreed = demoPricePerHour(this.#gpuCount);
    const isDearer = this.#faults.has('provider-asks-more');
    const running = isDearer ? shareOf(agreed, DEARER) : agreed;
    return { running, stopped: { ...agreed, micros: 0 }, isWithStorage: false };
  };

  /** Nothing is carried out after this. */
  end(): void {
    this.#ending.abort();
  }

  async #carryOut(aim: 'stopped' | 'gone'): Promise<void> {
    const machine = this.#machine;
    if (machine === null || this.#lives === 'gone' || this.#lives === aim) return;
    this.#lives = 'stopping';
    const { signal } = this.#ending;
    await sleep(this.#delayMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    await (aim === 'gone' ? machine.destroy() : machine.powerOff());
    this.#lives = aim;
  }

  get #state(): MachineState {
    if (this.#machine !== null) return this.#lives;
    const { end } = this.#orders;
    if (end === null) return 'gone';
    // A clock that was set back since makes it no slower.
    const leftMs = end.atMs - Date.now();
    return leftMs > 0 && leftMs <= this.#delayMs ? 'stopping' : end.aim;
  }

  async #answers(): Promise<void> {
    await this.#travel();
    if (this.#faults.has('provider-silent')) throw new Error(TIMED_OUT);
  }

  /** There and back takes a while, as everywhere. */
  async #travel(): Promise<void> {
    await sleep(this.#faults.has('provider-slow') ? this.#delayMs : this.#delayMs / 10);
  }
}

/** Somebody rented it elsewhere, and it bills on. */
const FORGOTTEN = { instance: 'demo-0', name: 'left from last week', says: SAYS.running };
const DEARER = 1.5;
const TIMED_OUT = 'the demo provider does not answer';
