import { entryIdOf } from '../../../detectors/alert-words.ts';
import type { DetectorId } from '../../../detectors/finding.ts';
import { JOB_FROM_MIB } from '../../../detectors/gen7-two-jobs.ts';
import { gibibytes } from '../../../detectors/load.ts';
import { SLOW_GAP_MS } from '../../../detectors/view.ts';
import type { Problem, ProblemCode } from '../../../problem.ts';
import { plainLine } from '../../../questions/hostile-text.ts';
import type { BoxGpuFacts, GpuDetails, GpuProcess } from '../../../telemetry/gpu-facts.ts';
import { hiddenMemoryMiB, processesOf } from '../../../telemetry/hidden-memory.ts';
import type { Workload } from '../../queue/workload.ts';
import type { KnownBox, KnownFinding } from '../known-box.ts';
import type { RunPreflight } from '../run-preflight.ts';
import type { RunRequest } from '../run-request.ts';
import {
  agoWords,
  block,
  listWords,
  MAX_SHOWN_CHARS,
  ownTrap,
  pass,
  unknown,
  warn,
  type Judged,
} from './judged.ts';

const UNSOUND = 'the run starts on a GPU or driver that may fail it.';
/** What the rules say of the cards themselves, and not of what runs on them. */
const OF_THE_CARDS: ReadonlySet<DetectorId> = new Set(['driver', 'U31', 'U22', 'ecc', 'RP1']);
/** Of faults that are behind the answer of the tool: its answer says nothing of them. */
const OF_FAULTS: ReadonlySet<DetectorId> = new Set(['U22', 'ecc']);
/** The cards may be there, and nothing can use them (facts/nvidia.md §1.4). */
const BROKEN: ReadonlySet<ProblemCode> = new Set([
  'driver-not-loaded',
  'driver-mismatch',
  'driver-broken',
  'gpu-tool-hangs',
  'gpu-lost',
  'gpu-cut-off',
  'gpu-denied',
  'no-gpu',
]);

/** Facts that are new enough to launch on, or why there are none. */
export function freshFacts({ gpus: { facts }, nowMs }: KnownBox): BoxGpuFacts | string {
  if (facts === null) return 'The GPUs of the box have not been read.';
  return nowMs - facts.atMs > SLOW_GAP_MS
    ? `The GPUs were last read ${agoWords(facts.atMs, nowMs)}, which is too long ago.`
    : facts;
}

/** Why they do not answer. What a later look of the slow probe could not do says less than the readings that stopped. */
export const problemOf = ({ gpuProblem, gpus }: KnownBox): Problem | null =>
  gpuProblem ?? gpus.problem?.problem ?? null;

/** Whether the cards answer. What their past says is another question. */
export function judgeGpus(known: KnownBox): Judged {
  const { nowMs } = known;
  const found = foundOf(known, (id) => OF_THE_CARDS.has(id) && !OF_FAULTS.has(id));
  if (found !== null) return found;
  const problem = problemOf(known);
  if (problem !== null) {
    const says = plainLine(problem.message, MAX_SHOWN_CHARS);
    if (!BROKEN.has(problem.code)) return unknown(says);
    return block(says, problem.code === 'no-gpu' ? noGpuEntry(known) : 'DRIVER', UNSOUND);
  }
  const facts = freshFacts(known);
  if (typeof facts === 'string') return unknown(plainLine(facts, MAX_SHOWN_CHARS));
  const lost = facts.gpus.find(({ trouble }) => trouble !== null);
  if (lost !== undefined) {
    const words = plainLine(lost.trouble ?? '', 80);
    return block(`GPU ${String(lost.index)} does not answer: ${words}.`, 'DRIVER', UNSOUND);
  }
  if (facts.gpus.length === 0) return warn('The box shows no GPU.', noGpuEntry(known));
  const kinds = [...new Set(facts.gpus.map(({ name }) => plainLine(name, 60)))];
  return pass(
    `${countWords(facts.gpus)} (${listWords(kinds)}) ${facts.gpus.length === 1 ? 'answers' : 'answer'}, read ${agoWords(facts.atMs, nowMs)}.`,
  );
}

/** A Pod without its card has a cause of its own. */
export const noGpuEntry = (known: Pick<KnownBox, 'traps'>): string =>
  ownTrap(known, 'K8S6') ?? 'U31';

/** What the kernel's log and the cards' own counters say of faults. */
export function judgeFaults(known: KnownBox): Judged | null {
  const { nowMs } = known;
  const found = foundOf(known, (id) => OF_FAULTS.has(id));
  if (found !== null) return found;
  const facts = freshFacts(known);
  if (typeof facts === 'string' || facts.gpus.length === 0) return null;
  const { outcome } = facts.kernelLog;
  if (outcome.kind === 'cannot-rule-out') {
    return unknown(`Earlier faults (Xid) can't be ruled out: ${outcome.because}.`, 'U22');
  }
  return pass(
    `No Xid and no ECC fault that lasts is known, read ${agoWords(facts.atMs, nowMs)}.`,
    'U22',
  );
}

/** Between the cards of a box with NVSwitch: CUDA does not start there before it is up (facts/nvidia.md §2). */
export function judgeFabric({ python }: RunPreflight, known: KnownBox): Judged | null {
  const facts = freshFacts(known);
  if (typeof facts === 'string') return null;
  const cards = facts.gpus.filter(
    ({ fabricState }) => fabricState !== null && fabricState !== 'Not Supported',
  );
  const down = cards.find(
    ({ fabricState, fabricStatus }) => fabricState !== 'Completed' || fabricStatus !== 'Success',
  );
  if (cards.length === 0) return null;
  if (down === undefined) return pass('The fabric between the GPUs is up.', 'MN1');
  const told = [down.fabricState, down.fabricStatus]
    .flatMap((word) => (word === null ? [] : [plainLine(word, 40)]))
    .join(', ');
  const says = `The fabric of GPU ${String(down.index)} is “${told}”, and not “Completed, Success”`;
  // A single card of such a box may be handed out without the others.
  if (python?.torch?.sees?.isAvailable === true)
    return warn(`${says}; torch reaches the GPU all the same.`, 'MN1');
  return cards.length === 1
    ? unknown(`${says}: where the GPU needs it, CUDA does not start.`, 'MN1')
    : block(
        `${says}. See whether nvidia-fabricmanager runs there, in the version of the driver.`,
        'MN1',
        'CUDA does not start before the fabric is up.',
      );
}

/** The worst of what the rules found; null: none of it should hold up a launch. */
function foundOf(
  { findings, nowMs }: KnownBox,
  isAsked: (id: DetectorId) => boolean,
): Judged | null {
  const told = findings.filter(({ detector }) => isAsked(detector));
  const worst =
    told.find(({ severity }) => severity === 'critical') ??
    told.find(({ severity }) => severity === 'warn');
  if (worst === undefined) return null;
  const says = `${plainLine(worst.headline, MAX_SHOWN_CHARS)} Seen ${agoWords(worst.lastSeenMs, nowMs)}${unseenWords(worst)}.`;
  const gotcha = entryIdOf(worst.detector);
  return worst.severity === 'critical' ? block(says, gotcha, UNSOUND) : warn(says, gotcha);
}

function unseenWords({ notSeenBecause }: KnownFinding): string {
  return notSeenBecause === null
    ? ''
    : `, not checked since: ${plainLine(notSeenBecause, MAX_SHOWN_CHARS)}`;
}

interface Held {
  readonly gpu: GpuDetails;
  readonly jobs: readonly GpuProcess[];
  readonly hiddenMiB: number | null;
}

/** Whether something is on the cards that the run would use. */
export function judgeHolders(
  request: RunRequest,
  known: KnownBox,
  { slots }: Pick<Workload, 'slots'>,
): Judged | null {
  const facts = freshFacts(known);
  if (typeof facts === 'string' || facts.gpus.length === 0) return null;
  if (facts.processes.kind === 'unknown') {
    return unknown(`What is on the GPUs is not known: ${facts.processes.because}.`, 'GEN7');
  }
  const { processes } = facts.processes;
  const own = new Set(slots.flat().map(({ uuid }) => uuid));
  const wanted =
    own.size === 0 ? wantedOf(request, facts.gpus) : facts.gpus.filter(({ uuid }) => own.has(uuid));
  const ago = `read ${agoWords(facts.atMs, known.nowMs)}`;
  const held = wanted
    .map((gpu): Held => ({
      gpu,
      jobs: processesOf(gpu, processes).filter(
        ({ memoryMiB }) => (memoryMiB ?? Infinity) >= JOB_FROM_MIB,
      ),
      hiddenMiB: hiddenMemoryMiB(gpu, facts),
    }))
    .filter(({ jobs, hiddenMiB }) => jobs.length > 0 || hiddenMiB !== null);
  if (held.length > 0) {
    const free = facts.gpus.filter((gpu) => held.every((each) => each.gpu !== gpu));
    const isHidden = held.every(({ jobs }) => jobs.length === 0);
    return warn(
      `${listWords(held.map(heldWords))}, ${ago}.${freeWords(free)}`,
      isHidden ? 'U11' : 'GEN7',
    );
  }
  if (wanted.some(({ migMode }) => migMode === 'Enabled')) {
    return unknown(`MIG is on: which process holds which part is not told, ${ago}.`, 'GEN7');
  }
  if (wanted.some(({ memoryUsedMiB }) => memoryUsedMiB === null)) {
    return unknown(`How much GPU memory is in use is not told, ${ago}.`, 'U11');
  }
  return pass(
    `No other run is on ${wanted.length === 1 ? 'the GPU' : 'the GPUs'}, ${ago}.`,
    'GEN7',
  );
}

function heldWords({ gpu: { index }, jobs, hiddenMiB }: Held): string {
  const [job] = jobs;
  if (job === undefined) {
    return `GPU ${String(index)} has ${gibibytes(hiddenMiB ?? 0)} in use by a process that is not visible here`;
  }
  const memory = job.memoryMiB === null ? 'memory' : gibibytes(job.memoryMiB);
  const name = plainLine(job.command ?? job.name, 60);
  const more = jobs.length > 1 ? `, with ${String(jobs.length - 1)} more` : '';
  return `GPU ${String(index)} is used by process ${String(job.pid)} (${name}), which holds ${memory}${more}`;
}

function freeWords(free: readonly GpuDetails[]): string {
  if (free.length === 0) return '';
  const indices = free.map(({ index }) => String(index)).join(',');
  return ` Free: CUDA_VISIBLE_DEVICES=${indices}.`;
}

/** Those that the person chose by number; else all of them. */
export function wantedOf(
  { env, command }: Pick<RunRequest, 'env' | 'command'>,
  gpus: readonly GpuDetails[],
): readonly GpuDetails[] {
  const typed = /^\s*CUDA_VISIBLE_DEVICES=(\S{1,200})/.exec(command)?.[1];
  const chosen = typed ?? env['CUDA_VISIBLE_DEVICES'] ?? '';
  if (!/^\d{1,3}(?:,\d{1,3}){0,63}$/.test(chosen)) return gpus;
  const indices = new Set(chosen.split(',').map(Number));
  const own = gpus.filter(({ index }) => indices.has(index));
  return own.length === 0 ? gpus : own;
}

const countWords = ({ length }: readonly unknown[]): string =>
  length === 1 ? '1 GPU' : `${String(length)} GPUs`;
