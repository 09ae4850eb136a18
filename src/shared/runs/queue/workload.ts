import { listWords } from '../launch/checks/judged.ts';

/** A card by what it is called in CUDA_VISIBLE_DEVICES: an index may be another card's after a restart (facts/nvidia.md, rule 3). */
export interface SlotCard {
  readonly index: number;
  readonly uuid: string;
}

/** The cards that one cell at a time has to itself. */
export type QueueSlot = readonly SlotCard[];

/** How much is done in all, and how much of it side by side. */
export interface Workload {
  /** How often the command is run. */
  readonly runs: number;
  /** None: one after another, with every card. */
  readonly slots: readonly QueueSlot[];
}

export const ONE_RUN: Workload = { runs: 1, slots: [] };

export const atOnceOf = ({ slots }: Pick<Workload, 'slots'>): number => Math.max(1, slots.length);

/** How long it takes, in the time that one run of the command does. */
export const roundsOf = (work: Workload): number => Math.ceil(work.runs / atOnceOf(work));

/** How the cells of a plan run, as the rest of a sentence. */
export function atOnceWords(slots: readonly QueueSlot[]): string {
  const [first] = slots;
  if (first === undefined) return 'one after another';
  const many = slots.length === 1 ? 'one after another' : `${String(slots.length)} at once, each`;
  return `${many} on ${first.length === 1 ? 'a GPU' : 'GPUs'} of its own: ${slotWords(slots)}`;
}

/** "GPU 0, GPU 2 and GPU 3", or "GPUs 0+1 and GPUs 2+3". */
export function slotWords(slots: readonly QueueSlot[]): string {
  return listWords(slots.map(cardsOf), slots.length);
}

export function cardsOf(slot: QueueSlot): string {
  return `GPU${slot.length === 1 ? '' : 's'} ${slot.map(({ index }) => String(index)).join('+')}`;
}

/** One slot as a line of the file "slots". */
export const slotLine = (slot: QueueSlot): string => slot.map(({ uuid }) => uuid).join(',');

/** The same with the numbers that the cards have now; one that the box does not show keeps the name that tells it apart. */
export function cardsByLine(
  line: string,
  gpus: readonly Pick<SlotCard, 'index' | 'uuid'>[],
): string {
  const cards = line.split(',').map((uuid) => gpus.find((gpu) => gpu.uuid === uuid) ?? uuid);
  if (cards.every((card) => typeof card !== 'string')) return cardsOf(cards);
  return cards
    .map((card) => (typeof card === 'string' ? card.slice(0, 12) : `GPU ${String(card.index)}`))
    .join(' + ');
}
