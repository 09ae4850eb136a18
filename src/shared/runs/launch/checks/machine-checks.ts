import { judgeSkew } from '../../../clocks/skew.ts';
import { durationWords } from '../../../duration-words.ts';
import type { RunPreflight } from '../run-preflight.ts';
import type { RunRequest } from '../run-request.ts';
import { launcherOf, threadCap } from '../thread-caps.ts';
import { block, GIB, pass, unknown, warn, type Judged } from './judged.ts';

/** Chosen for Leasehold: less is used up by one Python with torch and its data. */
const LITTLE_FREE_BYTES = 4 * GIB;
/** As a container gets it where nobody asked for more (64 MiB), and some more. */
const LITTLE_SHARED_BYTES = GIB;

const gib = (bytes: number): string => `${(bytes / GIB).toFixed(1)} GiB`;

/** Ages of files and times of logs are off by it, and servers refuse what is signed at another time. */
export function judgeClock({ leastSkewMs }: Pick<RunPreflight, 'leastSkewMs'>): Judged {
  const skew = judgeSkew(leastSkewMs);
  if (skew.kind === 'unknown') return unknown('The box did not tell what time it is.');
  if (skew.kind === 'fine') return pass('The clock of the box agrees with this computer’s.');
  const { byMs } = skew;
  return warn(
    `The clock of the box is at least ${durationWords(Math.abs(byMs))} ${byMs > 0 ? 'ahead of' : 'behind'} this computer’s, as asked for this plan. Downloads that are signed, and certificates, may be refused.`,
  );
}

/** The limit, what is left of it, and what the run says that its workers take: each has a copy of the data, and so has the run. */
export function judgeMemory(
  { workers }: RunRequest,
  { memory }: RunPreflight,
  atOnce: number,
): Judged {
  if (memory === null || memory.usedBytes === null || typeof memory.limitBytes !== 'number') {
    return unknown('How much memory the box has left is not known.', 'U9');
  }
  const { limitBytes, usedBytes, isPartOfHost } = memory;
  const freeBytes = Math.max(0, limitBytes - usedBytes);
  const of = isPartOfHost ? 'that this container may use' : 'of the machine';
  const says = `${gib(freeBytes)} of the ${gib(limitBytes)} ${of} are free.`;
  if (workers !== undefined) {
    const { count, gib: each } = workers;
    const needGib = (count + 1) * each * atOnce;
    const times =
      atOnce === 1
        ? 'and the run itself'
        : `and the cell itself, of ${String(atOnce)} cells at once,`;
    const need = `${String(count)} ${count === 1 ? 'worker' : 'workers'} ${times} hold ${String(each)} GiB each, ${String(Math.round(needGib * 10) / 10)} GiB in all`;
    if (needGib * GIB <= freeBytes) return pass(`${need}; ${says}`, 'U9');
    const fit = Math.floor(freeBytes / GIB / each / atOnce) - 1;
    const advice =
      fit < 0
        ? 'Not even one copy fits.'
        : `At most ${String(fit)} fit${atOnce === 1 ? '' : ' for each'}.`;
    return block(
      `${need}; ${says} ${advice}`,
      'U9',
      'the kernel may end the run for want of memory.',
    );
  }
  return freeBytes < LITTLE_FREE_BYTES
    ? warn(`${says} Data loader workers each take their share of it.`, 'U9')
    : pass(says, 'U9');
}

export function judgeShared({ sharedBytes }: RunPreflight): Judged | null {
  if (sharedBytes === null) return null;
  const says = `Shared memory (/dev/shm) is ${gib(sharedBytes)}`;
  return sharedBytes < LITTLE_SHARED_BYTES
    ? warn(`${says}: data loader workers that pass batches through it may fail. Use fewer workers.`)
    : pass(`${says}.`);
}

export function judgeThreads(
  { env, command }: RunRequest,
  look: RunPreflight,
  atOnce: number,
): Judged {
  const { cpu, isSet } = look;
  const quota = cpu?.quotaCpus ?? null;
  const host = cpu?.hostCpus ?? null;
  if (quota === null) return unknown('How many CPUs the box may use is not known.', 'U40');
  const cap = threadCap([command], look, atOnce);
  if (cap === null && (quota === 'unlimited' || (host !== null && quota >= host))) {
    return pass(`The box may use all its ${host === null ? '' : `${String(host)} `}CPUs.`, 'U40');
  }
  const of = quotaWords(quota, host);
  if ('OMP_NUM_THREADS' in env || isSet?.has('OMP_NUM_THREADS') === true) {
    return pass(`The box may use ${of}, and OMP_NUM_THREADS is set.`, 'U40');
  }
  const launcher = launcherOf(command);
  if (launcher !== null) {
    return pass(`The box may use ${of}; ${launcher} sets the threads of each process.`, 'U40');
  }
  return pass(
    `The box may use ${of}. ${atOnce === 1 ? 'The run' : `Each of the ${String(atOnce)} cells at once`} sets OMP_NUM_THREADS=${String(cap)}, unless its environment has it.`,
    'U40',
  );
}

function quotaWords(quota: number | 'unlimited', host: number | null): string {
  const of = host === null ? 'the' : String(host);
  return quota === 'unlimited' || (host !== null && quota >= host)
    ? `all its ${of} CPUs`
    : `${String(Math.round(quota * 10) / 10)} of ${of} CPUs`;
}
