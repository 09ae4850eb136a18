import { figure, line } from '../../detectors/finding.ts';
import { doCpusWork } from '../cpus-used.ts';
import { BOX, clear, unknown, type LookDetector } from '../look-detector.ts';

const HOUR_MS = 3_600_000;
/** A night is no pause; two hours are a forgotten box (both chosen for Leasehold; GEN1: "longer than the idle limit"). */
const WARN_AFTER_MS = 2 * HOUR_MS;
const CRITICAL_AFTER_MS = 12 * HOUR_MS;

/** GEN1: says again, and louder, what the idle rule said after ten minutes, until somebody parks the box or uses it. */
export const forgotten: LookDetector = {
  id: 'GEN1',
  title: 'A forgotten box bills around the clock',
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
          headline: `Nothing has run here for ${String(Math.floor(hours))} h, and the box is paid for.`,
          means: 'No mechanism reclaims a bare box; only its owner can end it.',
          fix: [
            'Pull what is still only there, and verify it',
            'Prompt to stop after a verified pull; never act alone',
          ],
          wastedShare: 1,
          evidence: [
            figure('Since the last work that was seen', hours, 'h'),
            line('no process writes a log or holds a GPU'),
          ],
          caveat:
            isGpuWorking === null
              ? 'Whether the cards work is not known; of their processes none is seen.'
              : null,
        },
      },
    ];
  },
};
