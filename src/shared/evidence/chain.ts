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

export const evidenceKinds = ['pull'] as const;
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
  readonly because: 'gap' | 'not-after-the-one-before' | 'changed';
}

export interface EvidenceCheck {
  readonly count: number;
  /** Null: every entry is what was written. */
  readonly fault: ChainFault | null;
}

/** The first entry that is not what was written; null: every one is. */
export function checkChain(
  entries: Iterable<EvidenceEntry>,
  sha256: (text: string) => string,
): ChainFault | null {
  let [seq, previous] = [0, FIRST_PREVIOUS];
  for (const entry of entries) {
    seq += 1;
    if (entry.seq !== seq) return { seq, because: 'gap' };
    if (entry.previous !== previous) return { seq, because: 'not-after-the-one-before' };
    if (sha256(chainText(entry)) !== entry.hash) return { seq, because: 'changed' };
    previous = entry.hash;
  }
  return null;
}
