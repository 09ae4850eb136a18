import { isoUtc } from '../../iso-time.ts';
import { line } from '../../detectors/finding.ts';
import { BOX, clear, found, type LookAnswer, type LookDetector } from '../look-detector.ts';
import { endedInTheMiddle } from '../patrol-look.ts';
import type { PatrolMemory } from '../patrol-memory.ts';
import { phrase, says } from '../../detectors/says.ts';

/** GEN8: a look that failed says nothing of the runs. */
export const droppedPoll: LookDetector = {
  id: 'GEN8',
  judge({ look, before }) {
    if (look.isWhole && look.processes.isWhole) return [clear()];
    const how = look.isWhole ? 'does not tell of all processes' : endedInTheMiddle(look);
    return [judgeNoAnswer(before, `its answer ${how}`)];
  },
};

export function judgeNoAnswer(before: PatrolMemory | null, because: string): LookAnswer {
  const runs = before?.runs.length ?? 0;
  const time = isoUtc(before?.atMs ?? 0);
  const known =
    before === null
      ? phrase('GEN8', 'never')
      : runs === 1
        ? phrase('GEN8', 'with-one-run', { time })
        : phrase('GEN8', 'with-runs', { time, count: runs });
  return found(BOX, {
    severity: 'warn',
    says: says('GEN8', 'not-seen', { before: known }),
    clues: [line(because)],
  });
}
