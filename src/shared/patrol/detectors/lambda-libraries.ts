import { line } from '../../detectors/finding.ts';
import { readLogEnding } from '../../triage/log-endings.ts';
import {
  clear,
  found,
  runSubject,
  unknown,
  type LookAnswer,
  type LookDetector,
  type LookView,
} from '../look-detector.ts';
import { hasUnreadGone, logEnds } from './log-words.ts';
import { phrase, says } from '../../detectors/says.ts';

const UNREAD = 'the log of a run that is gone could not be read';

/** LAM8 */
export const borrowedTorch: LookDetector = {
  id: 'LAM8',
  judge(view) {
    if (!view.traps.includes('LAM8')) return [clear()];
    const told = [...brokenImports(view), ...borrowing(view)];
    if (told.length > 0) return told;
    return [hasUnreadGone(view) ? unknown(UNREAD) : clear()];
  },
};

/** "On a torch import error report every torch copy found on the path." */
function brokenImports(view: LookView): readonly LookAnswer[] {
  const now = view.look.beside.torch;
  const before = view.before?.torch ?? null;
  // Those of an environment are seen only while something runs in it.
  const copies =
    now === null && before === null ? null : [...new Set([...(before ?? []), ...(now ?? [])])];
  return logEnds(view).flatMap(({ subject, isGone, end, source }): readonly LookAnswer[] => {
    const said = isGone ? readLogEnding(end) : null;
    if (said === null || !isTorchImport(said.line)) return [];
    const answer = found(subject, {
      severity: 'warn',
      says: says('LAM8', 'import-failed'),
      clues: [
        line(said.line, source),
        ...(copies ?? []).map((folder) => line(`a copy of torch: ${folder}`)),
      ],
      caveat: copies === null ? phrase('LAM8', 'copies-unseen') : null,
    });
    return [{ ...answer, isEvent: true }];
  });
}

/** Torch itself: what is only named like it is another package, and a file of weights none. */
const isTorchImport = (said: string): boolean =>
  /\b(?:Import|ModuleNotFound|OS)Error\b|undefined symbol/.test(said) &&
  /No module named '?torch(?:\.|'|$)|\bfrom '?torch(?:\.|'| )|\blib(?:torch|c10)\w*\.so|\/torch\/(?:lib\/|_C)/.test(
    said,
  );

function borrowing({ look }: LookView): readonly LookAnswer[] {
  const { environments, torch } = look.beside;
  return environments.flatMap(({ pid, borrowsSystem, folder }) => {
    const own = (torch ?? []).find((copy) => copy.startsWith(`${folder}/`));
    const run = look.runs.find((each) => each.pid === pid);
    if (!borrowsSystem || own === undefined || run === undefined) return [];
    return [
      found(runSubject(run), {
        severity: 'info',
        says: says('LAM8', 'borrows'),
        clues: [
          line(`${folder}/pyvenv.cfg: include-system-site-packages = true`),
          ...(torch ?? []).map((copy) => line(`a copy of torch: ${copy}`)),
        ],
      }),
    ];
  });
}

const APT_HISTORY = '/var/log/apt/history.log';

/** It is not there, or its parts are of two versions. */
const MISSES_CUDNN =
  /libcudnn.*(?:cannot open shared object|not found|undefined symbol)|Could not load library libcudnn/i;

/** LAM11 */
export const missingCudnn: LookDetector = {
  id: 'LAM11',
  judge(view) {
    if (!view.traps.includes('LAM11')) return [clear()];
    const { upgrade } = view.look.beside;
    const told = logEnds(view).flatMap(
      ({ subject, isGone, end, source }): readonly LookAnswer[] => {
        const said = isGone ? readLogEnding(end) : null;
        if (said === null || !MISSES_CUDNN.test(said.line)) return [];
        const answer = found(subject, {
          severity: 'warn',
          says: says('LAM11', 'missing'),
          clues: [
            line(said.line, source),
            ...(upgrade === null || upgrade === 'none'
              ? []
              : [line(upgrade, { file: APT_HISTORY })]),
          ],
          caveat:
            upgrade === null
              ? phrase('LAM11', 'history-unread', { history: APT_HISTORY })
              : upgrade === 'none'
                ? phrase('LAM11', 'no-upgrade')
                : null,
        });
        return [{ ...answer, isEvent: true }];
      },
    );
    if (told.length > 0) return told;
    return [hasUnreadGone(view) ? unknown(UNREAD) : clear()];
  },
};
