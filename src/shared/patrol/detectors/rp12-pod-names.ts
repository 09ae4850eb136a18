import { line } from '../../detectors/finding.ts';
import { readLogEnding } from '../../triage/log-endings.ts';
import { clear, found, unknown, type LookAnswer, type LookDetector } from '../look-detector.ts';
import { endsWith, lastLineWith, logEnds } from './log-words.ts';
import { says } from '../../detectors/says.ts';

/** Who asks for a key in vain, and the names under which it looks for one: any of them is enough. */
interface Asks {
  readonly words: RegExp;
  /** Then it got one, if not from its environment. */
  readonly settled: RegExp | null;
  readonly names: readonly string[];
}

/** "403" is told to somebody who has a key, and may not. */
const ASKS: readonly Asks[] = [
  {
    words:
      /No API key configured|api_key not configured|Disabled WandB|W&B disabled due to login timeout/i,
    settled: /Syncing run |Tracking run with|Run data is saved locally in/,
    names: ['WANDB_API_KEY'],
  },
  {
    words:
      /hugging_?face.*401 Client Error|401 Client Error.*huggingface|gated repo|must .* be authenticated to access it|Invalid user token|LocalTokenNotFound/i,
    settled: null,
    names: ['HF_TOKEN', 'HUGGING_FACE_HUB_TOKEN'],
  },
];

/** RP12: a name that the Pod has and the run lacks is no fault by itself; a run that asks for it in vain is. */
export const podNames: LookDetector = {
  id: 'RP12',
  judge(view) {
    if (!view.traps.includes('RP12')) return [clear()];
    const { podNames: names } = view.look.beside;
    const told = logEnds(view).flatMap(
      ({ run, subject, isGone, end, source }): readonly LookAnswer[] => {
        const asked = isGone ? askedAtLast(readLogEnding(end)?.line ?? '') : askedInVain(end);
        if (asked === null) return [];
        const { said, wanted } = asked;
        if (wanted.some((name) => run.keys.includes(name))) return [];
        if (names === null) return [unknown('which names the Pod has could not be read', subject)];
        const missing = wanted.filter((name) => names.includes(name));
        if (missing.length === 0) return [];
        const answer = found(subject, {
          severity: 'warn',
          says: says('RP12', 'lacks', { names: missing }),
          clues: [
            line(said, source),
            ...missing.map((name) => line(`process 1 has ${name}, the run has not`)),
          ],
        });
        return [isGone ? { ...answer, isEvent: true } : answer];
      },
    );
    return told.length > 0 ? told : [clear()];
  },
};

interface Asked {
  readonly said: string;
  readonly wanted: readonly string[];
}

function askedAtLast(said: string): Asked | null {
  const asks = ASKS.find(({ words }) => words.test(said));
  return asks === undefined ? null : { said, wanted: asks.names };
}

/** Of a run that goes on: a tracker is asked for once, and a file from a hub again, or not at all. */
function askedInVain(end: string): Asked | null {
  for (const { words, settled, names } of ASKS) {
    const said =
      settled === null
        ? endsWith(end, words)
        : lastLineWith(end, new RegExp(`${words.source}|${settled.source}`, 'i'));
    if (said !== null && words.test(said)) return { said, wanted: names };
  }
  return null;
}
