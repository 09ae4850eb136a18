import { JOB_FROM_MIB } from '../../detectors/gen7-two-jobs.ts';
import type { BoxGpuFacts, GpuDetails } from '../../telemetry/gpu-facts.ts';
import { hiddenMemoryMiB, processesOf } from '../../telemetry/hidden-memory.ts';
import { freshFacts, wantedOf } from '../launch/checks/gpu-checks.ts';
import { listWords, pass, unknown, warn, type Judged } from '../launch/checks/judged.ts';
import { fitsNeed } from '../launch/checks/need-checks.ts';
import type { KnownBox } from '../launch/known-box.ts';
import type { PreflightCheck } from '../launch/launch-plan.ts';
import type { RunPreflight } from '../launch/run-preflight.ts';
import type { GpuNeed } from '../launch/run-needs.ts';
import type { RunRequest } from '../launch/run-request.ts';
import { slotWords, type QueueSlot, type SlotCard } from './workload.ts';

/** How many cells of a queue run at the same time. */
export interface SlotPlan {
  /** None: one cell after another, and each sees every card that the box shows. */
  readonly slots: readonly QueueSlot[];
  /** What a cell needs, for whoever goes on with the queue; null: not said, or the cells find their cards by themselves. */
  readonly need: GpuNeed | null;
  /** Null: the request does not say how many GPUs a cell needs. */
  readonly judged: Judged | null;
}

export const NO_SLOTS: SlotPlan = { slots: [], need: null, judged: null };

interface SlotsAround {
  readonly request: Pick<RunRequest, 'gpus' | 'env' | 'activate'>;
  /** Of the cells that run. */
  readonly commands: readonly string[];
  readonly known: KnownBox;
  readonly look: Pick<RunPreflight, 'isSet' | 'taken'>;
}

const VARIABLE = 'CUDA_VISIBLE_DEVICES';
/** Read by a command, it has a dollar in front. */
const SET = /(?<!\$\{?)CUDA_VISIBLE_DEVICES/;
/** What a shell and CUDA take as one word. */
const UUID = /^GPU-[0-9A-Za-z-]{1,60}$/;

/**
 * As many cells at once as the cards that are free go round, each with cards of its own. Wherever that cannot be known it is one at a
 * time: two cells on one card slow each other down, or end for want of its memory (GEN7).
 */
export function planSlots({ request, commands, known, look }: SlotsAround): SlotPlan {
  const { gpus: need } = request;
  const each = need?.count;
  if (need === undefined || each === undefined || commands.length === 0) return NO_SLOTS;
  const hindered = hindrance(request, commands, look);
  if (hindered !== null) return { ...NO_SLOTS, judged: warn(hindered) };
  const one = (judged: Judged): SlotPlan => ({ slots: [], need, judged });
  const facts = freshFacts(known);
  if (typeof facts === 'string') return one(unknown(`One cell at a time. ${facts}`));
  if (facts.gpus.length === 0) return { ...NO_SLOTS, need };
  if (facts.vendor !== 'nvidia') {
    return one(warn('One cell at a time: cards are given to cells on NVIDIA GPUs only.'));
  }
  if (facts.processes.kind === 'unknown') {
    const { because } = facts.processes;
    return one(unknown(`One cell at a time: what is on the GPUs is not known (${because}).`));
  }
  const wanted = wantedOf({ ...request, command: '' }, facts.gpus);
  const fit = wanted.filter((card) => fitsNeed(card, need));
  const free: SlotCard[] = [];
  const left: string[] = [];
  for (const card of fit) {
    const why = whyNot(card, facts, look.taken);
    if (why === null) free.push({ index: card.index, uuid: card.uuid });
    else left.push(`GPU ${String(card.index)} is left out, because ${why}`);
  }
  const most = Math.min(need.cells ?? Infinity, commands.length);
  const count = Math.min(Math.floor(free.length / each), most);
  const leftWords = left.length === 0 ? '' : ` ${listWords(left)}.`;
  if (count === 0) {
    const has = free.length === 1 ? '1 is' : `${String(free.length)} are`;
    return one(
      warn(`One cell at a time: a cell needs ${gpuWords(each)}, and ${has} free.${leftWords}`),
    );
  }
  const slots = Array.from({ length: count }, (_none, at) =>
    free.slice(at * each, (at + 1) * each),
  );
  const at = count === 1 ? 'One cell at a time' : `${String(count)} cells at once`;
  return {
    slots,
    need,
    judged: pass(`${at}, each with ${gpuWords(each)} of its own: ${slotWords(slots)}.${leftWords}`),
  };
}

/** What a plan says of it. */
export const slotChecks = (judged: Judged | null): readonly PreflightCheck[] =>
  judged === null ? [] : [{ id: 'slots', title: 'Cells at once', ...judged }];

/** Who else says which cards a cell sees. */
function hindrance(
  { env, activate }: SlotsAround['request'],
  commands: readonly string[],
  { isSet }: SlotsAround['look'],
): string | null {
  const says = (by: string): string => `One cell at a time: ${by} sets ${VARIABLE} itself.`;
  if (commands.some((command) => SET.test(command))) return says('a cell');
  if (activate !== null && SET.test(activate)) return says('the environment');
  const chosen = env[VARIABLE];
  if (chosen !== undefined) {
    return /^\d{1,3}(?:,\d{1,3}){0,63}$/.test(chosen)
      ? null
      : `One cell at a time: ${VARIABLE} names cards otherwise than by their numbers.`;
  }
  if (isSet === null) {
    return `One cell at a time: whether the login shell sets ${VARIABLE} is not known.`;
  }
  return isSet.has(VARIABLE) ? says('the login shell') : null;
}

/** Null: a cell can have it. */
function whyNot(card: GpuDetails, facts: BoxGpuFacts, taken: ReadonlySet<string>): string | null {
  const { trouble, migMode, uuid, memoryUsedMiB } = card;
  if (trouble !== null) return 'it does not answer';
  if (migMode === 'Enabled') return 'MIG is on';
  if (!UUID.test(uuid)) return 'it does not tell which card it is';
  if (taken.has(uuid)) return 'another queue has it';
  const processes = facts.processes.kind === 'known' ? facts.processes.processes : [];
  const job = processesOf(card, processes).find(
    ({ memoryMiB }) => (memoryMiB ?? Infinity) >= JOB_FROM_MIB,
  );
  if (job !== undefined) return `process ${String(job.pid)} is on it`;
  if (hiddenMemoryMiB(card, facts) !== null) return 'its memory is in use';
  return memoryUsedMiB === null ? 'how much of its memory is in use is not told' : null;
}

const gpuWords = (count: number): string => (count === 1 ? '1 GPU' : `${String(count)} GPUs`);
