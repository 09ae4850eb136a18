import { figure, line } from '../../detectors/finding.ts';
import {
  clear,
  found,
  runSubject,
  unknown,
  type LookAnswer,
  type LookDetector,
} from '../look-detector.ts';
import type { PatrolLook, ProcessRow, RunInLook } from '../patrol-look.ts';
import { phrase, says } from '../../detectors/says.ts';

/** Whoever tries something out sits before it (chosen for Leasehold). */
const LONG_FROM_S = 600;
const LOGIN = /^(?:sshd(?:-session)?|dropbear)\b/;
/** These go on when the connection ends. */
const KEEPS = /^(?:tmux|screen|SCREEN|zellij|mosh-server|dtach|abduco|shpool)\b/;
/** A table that was made up may lead in circles. */
const MAX_GENERATIONS = 64;

/** GEN2 */
export const loginShell: LookDetector = {
  id: 'GEN2',
  judge({ look }) {
    if (!look.processes.isWhole) return [unknown('the box did not tell of all its processes')];
    const told = look.runs.flatMap((run) => judgeRun(run, look));
    return told.length > 0 ? told : [clear()];
  },
};

function judgeRun(run: RunInLook, look: PatrolLook): readonly LookAnswer[] {
  const subject = runSubject(run);
  if (run.survivesHangup === true || run.tmuxSession !== null) return [];
  const above = ancestorsOf(run.pid, look.processes.rows);
  if (above.some(({ name }) => KEEPS.test(name))) return [];
  if (run.survivesHangup === null) {
    return [unknown('whether it hears the hang-up signal could not be read', subject)];
  }
  // In a container an SSH server may be process 1: below it is everything, and a log-in has a process of its own.
  const login = above.find(({ pid, name }) => pid !== 1 && LOGIN.test(name));
  if (login === undefined) {
    return [unknown('it has a terminal, and whose that is could not be seen', subject)];
  }
  if (run.ageS === null || run.ageS < LONG_FROM_S) return [];
  return [
    found(subject, {
      severity: 'warn',
      says: says('GEN2', 'attached'),
      clues: [
        figure('The run is up for', run.ageS / 60, 'min'),
        line(
          `pid ${String(run.pid)} below ${login.name} (pid ${String(login.pid)}), with a terminal`,
        ),
      ],
      caveat: phrase('GEN2', 'still-there'),
    }),
  ];
}

function ancestorsOf(pid: number, rows: readonly ProcessRow[]): readonly ProcessRow[] {
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  const above: ProcessRow[] = [];
  let at = byPid.get(byPid.get(pid)?.parentPid ?? 0);
  while (at !== undefined && above.length < MAX_GENERATIONS) {
    above.push(at);
    at = byPid.get(at.parentPid);
  }
  return above;
}
