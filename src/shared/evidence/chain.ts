/** One entry of the record that the gate stands on. Each holds the one before it by its hash: none can be changed alone. */
export interface EvidenceEntry {
  /** 1, 2, 3 … without gaps. */
  readonly seq: number;
  readonly atMs: number;
  readonly kind: EvidenceKind;
  readonly boxId: string;
  /** What it is about: a run. */
  readonly about: string;
  /** JSON, letter by letter as it was hashed. */
  readonly body: string;
  /** Of the entry before; of the first, zeros. */
  readonly previous: string;
  readonly hash: string;
}

export const evidenceKinds = ['pull', 'reread', 'accept', 'losses', 'secrets', 'teardown'] as const;
export type EvidenceKind = (typeof evidenceKinds)[number];

export const FIRST_PREVIOUS = '0'.repeat(64);

/** What the hash of an entry is of. A line break can stand in none of its parts but the last. */
export function chainText(entry: Omit<EvidenceEntry, 'hash'>): string {
  const { previous, seq, atMs, kind, boxId, about, body } = entry;
  return [previous, String(seq), String(atMs), kind, boxId, about, body].join('\n');
}

/** Where the chain is broken. */
export interface ChainFault {
  readonly seq: number;
  readonly because:
    | 'gap'
    | 'not-after-the-one-before'
    | 'changed'
    | 'cut-off'
    /** Whether there was one at all is not known. */
    | 'end-unknown'
    /** There is no entry, where other databases had some: it may be one of those, from before its first. */
    | 'empty';
}

export interface EvidenceCheck {
  readonly count: number;
  /** Null: every entry is what was written. */
  readonly fault: ChainFault | null;
}

/** Looks at one entry after the other for the first that is not what was written. */
export class ChainCheck {
  readonly #sha256: (text: string) => string;
  #seq = 0;
  #previous = FIRST_PREVIOUS;
  #fault: ChainFault | null = null;
  readonly #noted: Pick<EvidenceEntry, 'seq' | 'hash'> | null;
  #hasNoted: boolean;

  /** `noted`: an entry that this record had once; null: none is known. */
  constructor(
    sha256: (text: string) => string,
    noted: Pick<EvidenceEntry, 'seq' | 'hash'> | null = null,
  ) {
    this.#sha256 = sha256;
    this.#noted = noted;
    this.#hasNoted = noted === null;
  }

  /** Null: every one so far is what was written. */
  get fault(): ChainFault | null {
    return this.#fault;
  }

  take(entry: EvidenceEntry): void {
    if (this.#fault !== null) return;
    this.#seq += 1;
    const because = this.#judge(entry);
    if (because !== null) this.#fault = { seq: this.#seq, because };
    if (entry.seq === this.#noted?.seq) this.#hasNoted = entry.hash === this.#noted.hash;
    this.#previous = entry.hash;
  }

  /** After the last of them, however many could be read. */
  end(count: number): ChainFault | null {
    if (this.#fault !== null || this.#hasNoted) return this.#fault;
    return { seq: Math.min(count + 1, this.#noted?.seq ?? 1), because: 'cut-off' };
  }

  #judge(entry: EvidenceEntry): ChainFault['because'] | null {
    if (entry.seq !== this.#seq) return 'gap';
    if (entry.previous !== this.#previous) return 'not-after-the-one-before';
    return this.#sha256(chainText(entry)) === entry.hash ? null : 'changed';
  }
}
