import { line } from '../../detectors/finding.ts';
import { BOX, clear, found, type LookAnswer, type LookDetector } from '../look-detector.ts';
import type { PatrolMemory } from '../patrol-memory.ts';

/** GEN8: a look that failed says nothing of the runs. */
export const droppedPoll: LookDetector = {
  id: 'GEN8',
  title: 'A dropped poll is not a dead run',
  judge({ look, before }) {
    if (look.isWhole && look.processes.isWhole) return [clear()];
    return [judgeNoAnswer(before, 'its answer ended in the middle')];
  },
};

export function judgeNoAnswer(before: PatrolMemory | null, because: string): LookAnswer {
  const runs = before?.runs.length ?? 0;
  const known =
    before === null
      ? 'It was never seen before.'
      : `Last seen ${new Date(before.atMs).toISOString()} with ${String(runs)} ${runs === 1 ? 'run' : 'runs'}.`;
  return found(BOX, {
    severity: 'warn',
    headline: `The box was not seen: what runs there is not known now. ${known}`,
    means: 'A connection that fails is not a run that fails: nothing is known of the runs.',
    fix: [
      'Reconnect and check process, log tail and checkpoint mtime before any verdict',
      'Back off on repeated failures; hammering trips sshd MaxStartups, gateway limits or fail2ban',
    ],
    evidence: [line(because)],
    caveat: null,
  });
}
