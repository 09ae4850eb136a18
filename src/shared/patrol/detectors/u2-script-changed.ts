import { isSameProcess } from '../../runs/process-ref.ts';
import { figure, line } from '../../detectors/finding.ts';
import { ownTime } from '../line-source.ts';
import {
  BOX,
  clear,
  found,
  runSubject,
  unknown,
  type LookAnswer,
  type LookDetector,
} from '../look-detector.ts';
import type { PatrolLook } from '../patrol-look.ts';
import type { ScriptLook } from '../beside-look.ts';
import { phrase, says } from '../../detectors/says.ts';

/** Clock and start are told in whole seconds, and a script may be written by the very line that runs it. */
const GRAIN_S = 5;
const TICKS_PER_S = 100; // `getconf CLK_TCK` of every Linux that people meet

/** U2 */
export const scriptChanged: LookDetector = {
  id: 'U2',
  judge({ look }) {
    const told = look.beside.scripts.flatMap((script) => judgeScript(script, look));
    if (told.length > 0) return told;
    return [
      look.beside.hasUnreadScript
        ? unknown('a script that a shell runs could not be asked in time')
        : clear(),
    ];
  },
};

function judgeScript(script: ScriptLook, look: PatrolLook): readonly LookAnswer[] {
  // Another file took its name, and the shell reads the old one to its end: as it should be done.
  if (script.isDeleted) return [];
  const { uptimeS } = look.machine;
  if (uptimeS === null) return [unknown('when its scripts were started is not known')];
  const changedMs = ownTime(script.modifiedAtS, look);
  const beganMs = look.atMs - (uptimeS - script.startTicks / TICKS_PER_S) * 1000;
  if (changedMs <= beganMs + GRAIN_S * 1000) return [];
  const run = look.runs.find((each) => isSameProcess(each, script));
  return [
    found(run === undefined ? BOX : runSubject(run), {
      // Lines added at its end are no harm, and a look cannot tell them from others.
      severity: 'warn',
      says: says('U2', 'changed'),
      clues: [
        line(`pid ${String(script.pid)} runs ${script.path}`, {
          file: script.path,
          atMs: changedMs,
        }),
        figure('It was changed after its start by', (changedMs - beganMs) / 60_000, 'min'),
      ],
      caveat: phrase('U2', 'only-added'),
    }),
  ];
}
