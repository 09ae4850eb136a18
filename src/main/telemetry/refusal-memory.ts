import type { GpuFacts } from '../../shared/telemetry/gpu-facts.ts';
import { NO_REFUSALS, type Refusals } from '../../shared/telemetry/source-plan.ts';

/** Where refusals outlive a session, by box and driver. Null: this box keeps nothing. */
export interface RefusalStore {
  read(boxId: string, driver: string): Refusals | null;
  write(boxId: string, driver: string, refusals: Refusals): void;
}

/**
 * What a box's driver refused. Another driver or other cards are asked everything anew: an update may know what the old
 * one did not.
 */
export class RefusalMemory {
  readonly #boxId: string;
  readonly #store: RefusalStore;
  #driver: string | null = null;
  #current: Refusals = NO_REFUSALS;

  constructor(boxId: string, store: RefusalStore) {
    this.#boxId = boxId;
    this.#store = store;
  }

  get current(): Refusals {
    return this.#current;
  }

  keep(refusals: Refusals): void {
    this.#current = refusals;
    if (this.#driver !== null) this.#store.write(this.#boxId, this.#driver, refusals);
  }

  /** These cards are in the box. The first answer of a session brings what earlier ones learnt. */
  isFor(gpus: readonly GpuFacts[]): void {
    const driver = gpus.map(({ name, driverVersion }) => `${name} ${driverVersion ?? '?'}`);
    const key = [...new Set(driver)].sort().join('; ');
    if (gpus.length === 0 || key === this.#driver) return;
    const isFirst = this.#driver === null;
    const learnt = isFirst ? this.#current : NO_REFUSALS;
    this.#driver = key;
    const stored = this.#store.read(this.#boxId, key);
    this.#current = stored === null ? learnt : join(stored, learnt);
    if (learnt !== NO_REFUSALS) this.#store.write(this.#boxId, key, this.#current);
  }
}

function join(a: Refusals, b: Refusals): Refusals {
  const both = (one: readonly string[], other: readonly string[]): readonly string[] => [
    ...new Set([...one, ...other]),
  ];
  return {
    letters: both(a.letters, b.letters),
    fields: both(a.fields, b.fields),
    facts: both(a.facts, b.facts),
    isDmonUseless: a.isDmonUseless || b.isDmonUseless,
  };
}
