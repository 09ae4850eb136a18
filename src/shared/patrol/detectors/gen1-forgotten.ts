import { figure, line } from '../../detectors/finding.ts';
import { doCpusWork } from '../cpus-used.ts';
import { BOX, clear, unknown, type LookDetector } from '../look-detector.ts';
import { phrase, says } from '../../detectors/says.ts';

const HOUR_MS = 3_600_000;
/** A night is no pause; two hours are a forgotten box (both chosen for Leasehold; GEN1: "longer than the idle limit"). */
const WARN_AFTER_MS = 2 * HOUR_MS;
const CRITICAL_AFTER_MS = 12 * HOUR_MS;

/** GEN1: says again, and louder, what the idle rule said after ten minutes, until somebody parks the box or uses it. */
export const forgotten: LookDetector = {
  id: 'GEN1',
  judge({ look, before, isGpuWorking }) {
    if (look.runs.length > 0 || isGpuWorking === true || doCpusWork(look, before)) return [clear()];
    if (!look.processes.isWhole) return [unknown('the box did not tell of all its processes')];
    // The first look begins to count.
    const workedAtMs = before?.workedAtMs ?? look.atMs;
    const idleMs = look.atMs - workedAtMs;
    if (idleMs < WARN_AFTER_MS) return [clear()];
    const hours = idleMs / HOUR_MS;
    return [
      {
        subject: BOX,
        answer: {
          kind: 'found',
          severity: idleMs >= CRITICAL_AFTER_MS ? 'critical' : 'warn',
          says: says('GEN1', 'idle', { hours: Math.floor(hours) }),
          wastedShare: 1,
          clues: [
            figure('Since the last work that was seen', hours, 'h'),
            line('no process writes a log or holds a GPU'),
          ],
          caveat: isGpuWorking === null ? phrase('GEN1', 'cards-unknown') : null,
        },
      },
    ];
  },
};
