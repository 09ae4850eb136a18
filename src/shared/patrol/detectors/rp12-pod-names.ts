import { line } from '../../detectors/finding.ts';
import { readLogEnding } from '../../triage/log-endings.ts';
import { clear, found, unknown, type LookAnswer, type LookDetector } from '../look-detector.ts';
import { lastLineWith, logEnds } from './log-words.ts';

const WANTS_KEY =
  /No API key configured|api_key not configured|Disabled WandB|(?:401|403) Client Error|gated repo|Invalid user token/i;

/** RP12: a name that the Pod has and the run lacks is no fault by itself; a run that asks for it in vain is. */
export const podNames: LookDetector = {
  id: 'RP12',
  title: 'Pod environment variables are missing in full SSH sessions',
  judge(view) {
    if (view.platform !== 'runpod') return [clear()];
    const { podNames: names } = view.look.beside;
    const told = logEnds(view).flatMap(
      ({ run, subject, isGone, end, source }): readonly LookAnswer[] => {
        const said = isGone
          ? (readLogEnding(end)?.line ?? '')
          : (lastLineWith(end, WANTS_KEY) ?? '');
        if (!WANTS_KEY.test(said)) return [];
        if (names === null) return [unknown('which names the Pod has could not be read', subject)];
        const missing = names.filter((name) => !run.keys.includes(name));
        if (missing.length === 0) return [];
        const answer = found(subject, {
          severity: 'warn',
          headline: `A run lacks a key that the Pod has: ${missing.join(', ')}.`,
          means: 'sshd starts shells without the variables given to process 1.',
          fix: [
            'Write the needed variables to a file at boot on private storage and source it',
            'Or add them to /etc/environment',
          ],
          evidence: [
            line(said, source),
            ...missing.map((name) => line(`process 1 has ${name}, the run has not`)),
          ],
          caveat: null,
        });
        return [isGone ? { ...answer, isEvent: true } : answer];
      },
    );
    return told.length > 0 ? told : [clear()];
  },
};
