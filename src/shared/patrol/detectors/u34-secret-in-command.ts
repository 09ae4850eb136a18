import { line } from '../../detectors/finding.ts';
import { holdsSecret, redactText } from '../../secrets/redact-text.ts';
import {
  clear,
  found,
  runSubject,
  unknown,
  type LookAnswer,
  type LookDetector,
} from '../look-detector.ts';
import type { RunLook } from '../patrol-look.ts';

const MAX_LINE_CHARS = 240;

/** U34 */
export const secretInCommand: LookDetector = {
  id: 'U34',
  title: 'Secrets must never appear in a command',
  judge({ look: { runs, processes } }) {
    const told = runs.flatMap(judgeRun);
    if (told.length > 0) return told;
    return [processes.isWhole ? clear() : unknown('the box did not tell of its processes')];
  },
};

function judgeRun(run: RunLook): readonly LookAnswer[] {
  if (run.command === null) {
    return [unknown('its command could not be read', runSubject(run))];
  }
  if (!holdsSecret(run.command)) return [];
  // Whoever is told of the secret sees that it is there, and not the secret.
  const command = redactText(run.command);
  return [
    found(runSubject({ ...run, command }), {
      severity: 'critical',
      headline: 'A run’s command holds a key or a password: everybody on the box can read it.',
      means: 'Anything in the command string is recorded.',
      fix: [
        'Stream exactly one credential block through stdin',
        'Create the file with owner-only permissions on the private instance disk',
        'Verify by using the credential, not by printing it',
      ],
      evidence: [line(command.slice(0, MAX_LINE_CHARS))],
      caveat: 'It is recognised by its shape. What was shown once should be replaced.',
    }),
  ];
}
