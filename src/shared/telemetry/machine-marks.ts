import type { BoxGpuFacts, GpuDetails, MachineFacts, ThrottleCounters } from './gpu-facts.ts';
import { gpuKeyOf } from './gpu-facts.ts';
import type { TelemetryMark } from './mark.ts';

/** A clock that differs by more than this from what it should be was set. Answers take up to some seconds. */
const CLOCK_SET_MS = 10_000;

/** What changed between two looks at a box, for the axis of the charts. `isLocalClockSure`: ours was not set between. */
export function compareLooks(
  before: BoxGpuFacts,
  now: BoxGpuFacts,
  isLocalClockSure: boolean,
): readonly TelemetryMark[] {
  const mark = markAt(now.atMs);
  const restart = judgeRestart(before.machine, now.machine);
  const marks: TelemetryMark[] = [];
  if (restart === 'reboot') marks.push(mark('reboot', null, 'The box was rebooted.'));
  if (restart === 'container-restart') {
    marks.push(mark('container-restart', null, 'The container was restarted on the same machine.'));
  }
  marks.push(...compareDrivers(before, now), ...compareCards(before, now));
  if (restart === null) marks.push(...compareCounters(before, now));
  const [was, is] = [before.machine.clockOffsetMs, now.machine.clockOffsetMs];
  if (isLocalClockSure && was !== null && is !== null && Math.abs(is - was) > CLOCK_SET_MS) {
    const seconds = Math.round(Math.abs(is - was) / 1000);
    const way = is > was ? 'forward' : 'back';
    marks.push(
      mark('box-clock-jump', null, `The box’s clock was set ${way} by ${String(seconds)} s.`),
    );
  }
  return marks;
}

/**
 * What the next look is compared with after one that listed no card: what the cards told stays, so that a reset is still seen,
 * and that they are gone or that the box was rebooted is told once and not at each look.
 */
export function withoutCards(before: BoxGpuFacts, { machine }: BoxGpuFacts): BoxGpuFacts {
  const gpus = before.gpus.map((gpu) => ({ ...gpu, trouble: gpu.trouble ?? 'not listed' }));
  return { ...before, machine, gpus };
}

/** What tells one life of a machine from the next. */
type Life = Pick<MachineFacts, 'bootId' | 'initStartTicks'> & Partial<MachineFacts>;

/** A container that is restarted on the same machine keeps its boot id (facts/nvidia.md §5.2). */
export function judgeRestart(before: Life, now: Life): 'reboot' | 'container-restart' | null {
  if (before.bootId !== null && now.bootId !== null && before.bootId !== now.bootId) {
    return 'reboot';
  }
  const [was, is] = [before.initStartTicks, now.initStartTicks];
  return was !== null && is !== null && was !== is ? 'container-restart' : null;
}

function markAt(atMs: number) {
  return (kind: TelemetryMark['kind'], gpu: GpuDetails | null, text: string): TelemetryMark => ({
    atMs,
    kind,
    gpu: gpu === null ? null : gpuKeyOf(gpu.index, gpu.uuid),
    text,
    code: null,
    clue: null,
  });
}

function compareDrivers(before: BoxGpuFacts, now: BoxGpuFacts): readonly TelemetryMark[] {
  const [was, is] = [before, now].map(
    ({ gpus }) => gpus.find(({ driverVersion }) => driverVersion !== null)?.driverVersion,
  );
  if (was === undefined || is === undefined || was === is) return [];
  const text = `The driver changed from ${String(was)} to ${String(is)}.`;
  return [markAt(now.atMs)('driver-change', null, text)];
}

function compareCards(before: BoxGpuFacts, now: BoxGpuFacts): readonly TelemetryMark[] {
  const mark = markAt(now.atMs);
  const answers = ({ gpus }: BoxGpuFacts, uuid: string): boolean =>
    gpus.some((gpu) => gpu.uuid === uuid && gpu.trouble === null);
  const lost = before.gpus
    .filter(({ uuid }) => answers(before, uuid) && !answers(now, uuid))
    .map((gpu) => mark('gpu-lost', gpu, `GPU ${String(gpu.index)} no longer answers.`));
  const back = now.gpus
    .filter(({ uuid }) => answers(now, uuid) && !answers(before, uuid))
    .map((gpu) => mark('gpu-back', gpu, `GPU ${String(gpu.index)} answers.`));
  return [...lost, ...back];
}

/** These count up from when the card was started, so one that falls says that it was started anew. */
function compareCounters(before: BoxGpuFacts, now: BoxGpuFacts): readonly TelemetryMark[] {
  return now.gpus.flatMap((gpu) => {
    const earlier = before.gpus.find(({ uuid }) => uuid === gpu.uuid);
    if (earlier === undefined || !hasFallen(earlier.throttleCounters, gpu.throttleCounters)) {
      return [];
    }
    return [markAt(now.atMs)('gpu-reset', gpu, `GPU ${String(gpu.index)} was reset.`)];
  });
}

function hasFallen(before: ThrottleCounters, now: ThrottleCounters): boolean {
  return (Object.keys(now) as (keyof ThrottleCounters)[]).some((key) => {
    const [was, is] = [before[key], now[key]];
    return was !== null && is !== null && is < was;
  });
}
