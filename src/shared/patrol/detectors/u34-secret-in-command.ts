import { line } from '../../detectors/finding.ts';
import { holdsSecret, redactText } from '../../secrets/redact-text.ts';
import { holdsSignedAddress } from '../../secrets/signed-address.ts';
import {
  clear,
  found,
  runSubject,
  unknown,
  type LookAnswer,
  type LookDetector,
} from '../look-detector.ts';
import type { RunInLook } from '../patrol-look.ts';
import { phrase, says } from '../../detectors/says.ts';

const MAX_LINE_CHARS = 240;

/** U34 */
export const secretInCommand: LookDetector = {
  id: 'U34',
  judge({ look: { atMs, runs, processes } }) {
    const told = runs.flatMap((run) => judgeRun(run, atMs));
    if (told.length > 0) return told;
    return [processes.isWhole ? clear() : unknown('the box did not tell of its processes')];
  },
};

function judgeRun(run: RunInLook, atMs: number): readonly LookAnswer[] {
  if (run.command === null) {
    return [unknown('its command could not be read', runSubject(run))];
  }
  if (!holdsSecret(run.command, atMs) && !holdsSignedAddress(run.command, atMs)) return [];
  // Whoever is told of the secret sees that it is there, and not the secret.
  const command = redactText(run.command);
  return [
    found(runSubject({ ...run, command }), {
      severity: 'critical',
      says: says('U34', 'shown'),
      clues: [line(command.slice(0, MAX_LINE_CHARS))],
      caveat: phrase('U34', 'shape'),
    }),
  ];
}
