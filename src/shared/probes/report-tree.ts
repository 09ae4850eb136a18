import { MAX_CARDS, MAX_PER_CARD } from './card-report.ts';
import { classifyGpuToolFailure, type GpuToolFailure } from './gpu-tool-failure.ts';
import { UnreadableLines } from './probe-output.ts';

/** One value of `nvidia-smi -q`, in its text or its XML: `fb_memory_usage/total`, `81559 MiB`. */
export interface ReportLeaf {
  readonly path: string;
  readonly text: string;
  /** As it was printed. */
  readonly line: string;
}

/** Something that a card has several of, in the order of the text. */
export type ReportGroup = ReadonlyMap<string, ReportLeaf>;

export interface ReportCard {
  /** As printed in the heading; null: the text begins in the middle of a card. */
  readonly address: string | null;
  readonly leaves: ReadonlyMap<string, ReportLeaf>;
  readonly processes: readonly ReportGroup[];
  readonly instances: readonly ReportGroup[];
}

/** One answer of nvidia-smi; with `-l` a text holds several. */
export interface ReportDocument {
  readonly head: ReadonlyMap<string, ReportLeaf>;
  readonly cards: readonly ReportCard[];
}

export interface ReportTree {
  readonly documents: readonly ReportDocument[];
  readonly failures: readonly GpuToolFailure[];
  readonly unreadable: UnreadableLines;
}

/** Long lists of what could be, not of what is. */
const SKIPPED = /^(?:supported_clocks|accounted_processes|encoder_sessions|fbc_sessions)(?:\/|$)/;
const INSTANCE = /^(?:mig_devices\/)?mig_device\/(.+)$/;
const PROCESS = /^processes\/(?:process_info\/|process_id\/)?(.+)$/;

/** Puts values in their places. What was said once is not said again in other words: the second one is unreadable. */
export class ReportTreeBuilder {
  #head = new Map<string, ReportLeaf>();
  #cards: OpenCard[] = [];
  readonly #documents: ReportDocument[] = [];
  #cardCount = 0;
  readonly #maxCards: number;
  readonly #failures: GpuToolFailure[] = [];
  readonly unreadable = new UnreadableLines();

  constructor(maxCards = MAX_CARDS) {
    this.#maxCards = maxCards;
  }

  startDocument(): void {
    if (this.#head.size === 0 && this.#cards.length === 0) return;
    this.#documents.push({ head: this.#head, cards: this.#cards });
    this.#head = new Map();
    this.#cards = [];
  }

  startCard(address: string | null): void {
    this.#cardCount += 1;
    // What belongs to one card too many has no place, and is counted as unreadable.
    if (this.#cardCount <= this.#maxCards) this.#cards.push(new OpenCard(address));
  }

  addHead(leaf: ReportLeaf): void {
    if (this.#head.has(leaf.path) || this.#head.size >= MAX_PER_CARD) {
      this.unreadable.add(leaf.line);
    } else this.#head.set(leaf.path, leaf);
  }

  add(leaf: ReportLeaf): void {
    if (SKIPPED.test(leaf.path)) return;
    if (this.#cards.length === 0) this.startCard(null);
    const isKept = this.#cardCount <= this.#maxCards && this.#cards.at(-1)?.add(leaf) === true;
    if (!isKept) this.unreadable.add(leaf.line);
  }

  /** Null: the line is none of nvidia-smi's reasons for not answering. */
  addFailure(line: string): GpuToolFailure | null {
    const failure = classifyGpuToolFailure(line);
    if (failure !== null) this.#failures.push(failure);
    return failure;
  }

  build(): ReportTree {
    this.startDocument();
    return {
      documents: this.#documents,
      failures: this.#failures,
      unreadable: this.unreadable,
    };
  }
}

class OpenCard implements ReportCard {
  readonly address: string | null;
  readonly leaves = new Map<string, ReportLeaf>();
  readonly processes: Map<string, ReportLeaf>[] = [];
  readonly instances: Map<string, ReportLeaf>[] = [];
  #count = 0;

  constructor(address: string | null) {
    this.address = address;
  }

  /** False: it has been said before, or there is too much of it. */
  add(leaf: ReportLeaf): boolean {
    this.#count += 1;
    if (this.#count > MAX_PER_CARD) return false;
    const instance = INSTANCE.exec(leaf.path)?.[1];
    if (instance !== undefined) return addToGroup(this.instances, { ...leaf, path: instance });
    const process = PROCESS.exec(leaf.path)?.[1];
    if (process !== undefined) return addToGroup(this.processes, { ...leaf, path: process });
    if (this.leaves.has(leaf.path)) return false;
    this.leaves.set(leaf.path, leaf);
    return true;
  }
}

/** Nothing closes a group in the text: the next one begins where a name comes again. */
function addToGroup(groups: Map<string, ReportLeaf>[], leaf: ReportLeaf): boolean {
  const open = groups.at(-1);
  if (open === undefined || open.has(leaf.path)) groups.push(new Map([[leaf.path, leaf]]));
  else open.set(leaf.path, leaf);
  return true;
}

/** `GPU Slowdown T.Limit Temp` and `gpu_slowdown_t_limit_temp` are one name. */
export function nameOfPart(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}
