import { figure, line, type Clue, type Concluded } from '../../detectors/finding.ts';
import type { OomKill } from '../../probes/oom-kill.ts';
import { judgeRestart } from '../../telemetry/machine-marks.ts';
import { fromKernelLog } from '../line-source.ts';
import { safeWorkers, type SafeWorkers } from '../safe-workers.ts';
import { phrase, says, type Phrase } from '../../detectors/says.ts';
import { BOX, clear, found, unknown, type LookDetector, type LookView } from '../look-detector.ts';

/** Gotcha U9: "current / max > 0.90". */
const BEGINS_ABOVE_PCT = 90;
/** A loader that fills a batch moves it by some percent (chosen for Leasehold). */
const LEAVES_BELOW_PCT = 85;
/** The kernel ends something within the next allocations (chosen for Leasehold). */
const CRITICAL_FROM_PCT = 97;

/** U9 */
export const hostMemory: LookDetector = {
  id: 'U9',
  judge(view) {
    const { memory } = view.look;
    const usedPct = memoryUsedPct(view);
    const stalledPct = memory?.stalledPct ?? null;
    const kills = newKills(view);
    const named = namedKills(view);
    if ((kills ?? 0) > 0 || named.length > 0) {
      return [
        {
          ...found(BOX, {
            severity: 'critical',
            says: says('U9', 'killed', { processes: count(Math.max(kills ?? 0, named.length)) }),
            clues: [
              ...(kills === null || kills === 0 ? [] : [line(countersOf(view, kills))]),
              ...(named.length > 0 ? named : view.look.kernel.oomKills)
                .slice(-3)
                .map((kill) => line(kill.line, fromKernelLog(kill, view.look))),
              ...(usedPct === null ? [] : [figure('Memory used now', usedPct, '%')]),
            ],
            caveat:
              named.length === 0 && view.look.kernel.oomKills.length === 0
                ? phrase('U9', 'process-untold')
                : null,
          }),
          isEvent: true,
        },
      ];
    }
    if (usedPct === null) return [unknown('how much memory the box may use is not told')];
    if (usedPct <= (view.wasFound(BOX) ? LEAVES_BELOW_PCT : BEGINS_ABOVE_PCT)) {
      return [kills === null && view.before !== null ? unknown(whyNoKills(view)) : clear()];
    }
    const safe = safeWorkers(view.look);
    const used = `${usedPct.toFixed(0)} %`;
    return [
      found(BOX, {
        severity: usedPct >= CRITICAL_FROM_PCT ? 'critical' : 'warn',
        says:
          safe === null
            ? says('U9', 'near', { used })
            : says('U9', 'near-workers', { used, fit: fitting(safe), workers: safe.workers }),
        clues: [
          figure('Memory used, without page cache', usedPct, '%'),
          figure('Limit', Number(memory?.limitBytes) / 1e9, 'GB'),
          ...(stalledPct === null
            ? []
            : [figure('Time in which something waited for memory', stalledPct, '%', 60_000)]),
          ...(safe === null ? [] : workersOf(safe)),
        ],
        caveat: safe === null ? null : phrase('U9', 'shared'),
      }),
    ];
  },
};

/** U9 from a kernel log alone. */
export function judgeKills(kills: readonly OomKill[]): readonly Concluded[] {
  if (kills.length === 0) return [];
  return [
    {
      ...{ detector: 'U9', severity: 'critical', subject: BOX },
      says: says('U9', 'file-killed', { processes: count(kills.length) }),
      clues: kills.slice(-3).map((kill) => line(kill.line)),
      ...{ sinceMs: 0, lastSeenMs: 0, wastedShare: null, costPerHour: null },
      ...{ caveat: null, notSeenBecause: null },
    },
  ];
}

const fitting = ({ fit }: SafeWorkers): Phrase =>
  fit === 0 ? phrase('U9', 'no-workers') : phrase('U9', 'at-most', { count: fit });

const workersOf = ({ workers, eachBytes, fit }: SafeWorkers): Clue[] => [
  figure('Workers', workers, 'processes'),
  figure('Memory of each, in the middle', eachBytes / 1e9, 'GB'),
  figure('Workers that fit below 90 % of the limit (estimated)', fit, 'processes'),
];

export function memoryUsedPct({ look: { memory } }: Pick<LookView, 'look'>): number | null {
  if (memory === null || memory.usedBytes === null) return null;
  if (typeof memory.limitBytes !== 'number' || memory.limitBytes === 0) return null;
  return (100 * memory.usedBytes) / memory.limitBytes;
}

/** Kills since the look before; null: not told, or the counter began anew. */
export function newKills(view: LookView): number | null {
  const { look, before } = view;
  if (before === null) return null;
  const [was, is] = [before.oomKills ?? machineKills(view, before.hostOomKills), killsNow(view)];
  if (was === null || is === null || is < was) return null;
  const restart = judgeRestart(
    { ...before.machine, cudaMaxVersion: null },
    { ...look.machine, cudaMaxVersion: null },
  );
  return restart === null ? is - was : null;
}

/** Where no group counts, the machine's own count is the box's, if it is the machine. */
function machineKills({ look: { memory } }: LookView, told: number | null): number | null {
  return memory?.isWholeMachine === true ? told : null;
}

function killsNow(view: LookView): number | null {
  const { memory } = view.look;
  return memory?.oomKills ?? machineKills(view, memory?.hostOomKills ?? null);
}

/** Runs of this box that the kernel's log names; what it says of other tenants stands there, too. */
function namedKills({ look, missing }: LookView): readonly OomKill[] {
  const gone = new Set(
    missing.flatMap(({ run, judgement }) => (judgement.kind === 'gone' ? [run.pid] : [])),
  );
  return look.kernel.oomKills.filter(({ pid }) => gone.has(pid));
}

const count = (processes: number): Phrase =>
  processes === 1
    ? phrase('U9', 'one-process')
    : phrase('U9', 'some-processes', { count: processes });

function countersOf(view: LookView, kills: number): string {
  const is = killsNow(view) ?? 0;
  return `oom_kill ${String(is - kills)} → ${String(is)}`;
}

function whyNoKills(view: LookView): string {
  return killsNow(view) === null
    ? 'the box does not tell its oom_kill counter'
    : 'the oom_kill counter began anew';
}
