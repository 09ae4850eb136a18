import { figure, line } from '../../detectors/finding.ts';
import { readLogEnding } from '../../triage/log-endings.ts';
import {
  clear,
  found,
  unknown,
  type LookAnswer,
  type LookDetector,
  type LookView,
} from '../look-detector.ts';
import type { PatrolLook, RunInLook } from '../patrol-look.ts';
import { phrase, says } from '../../detectors/says.ts';
import { saysFabric } from './environment-ends.ts';
import { hasUnreadGone, lastLineWith, logEnds, type LogWords } from './log-words.ts';

/** What a program says of itself that goes on without a card. One that was told to use the CPU says it otherwise. */
const WITHOUT_CARD =
  /GPU available: False|torch\.cuda\.is_available\(\).{0,20}False|CUDA (?:is )?not available|No (?:CUDA )?GPUs? (?:are |were )?(?:found|detected|available)|Found no NVIDIA driver|no CUDA-capable device|Torch not compiled with CUDA enabled|NVIDIA Driver was not detected|CUDA initialization: |Could not find cuda drivers|Cannot dlopen some GPU libraries|Skipping registering GPU devices|couldn't find any available GPU|falling back to (?:the )?CPU/i;
/** The card is there, and somebody has it for himself. */
const OTHER_CAUSE = /busy or unavailable/;
/** "After warm-up" (gotcha U31); imports and data take a minute or two (chosen for Leasehold). */
const WARM_FROM_S = 120;

/** U31, of a run: that the box has no card at all is the live rule's. */
export const onTheCpu: LookDetector = {
  id: 'U31',
  judge(view) {
    const told = logEnds(view).flatMap((words) =>
      words.isGone ? ended(words) : goesOn(words, view),
    );
    if (told.length > 0) return told;
    return [
      hasUnreadGone(view) || hasUnreadRun(view)
        ? unknown('the log of a run that holds no card could not be read')
        : clear(),
    ];
  },
};

function ended({ subject, end, source }: LogWords): readonly LookAnswer[] {
  const said = readLogEnding(end);
  if (said?.gotcha !== 'U31' || OTHER_CAUSE.test(said.line) || saysFabric(end)) return [];
  const clues = [line(said.line, source)];
  const answer = found(subject, {
    severity: 'critical',
    says: says('U31', 'run-ended'),
    clues,
  });
  return [{ ...answer, isEvent: true }];
}

function goesOn(
  { run, subject, end, source }: LogWords,
  { look }: LookView,
): readonly LookAnswer[] {
  const said = hasCard(run, look) ? null : lastLineWith(end, WITHOUT_CARD);
  if (said === null || run.ageS === null || run.ageS < WARM_FROM_S) return [];
  return [
    found(subject, {
      severity: 'critical',
      says: says('U31', 'goes-on'),
      clues: [line(said, source), figure('The run is up for', run.ageS / 60, 'min')],
      caveat: phrase('U31', 'unread-files'),
    }),
  ];
}

/** A launcher holds no card; its workers do, and write to its log. */
function hasCard({ holdsGpu, logs }: RunInLook, { runs }: PatrolLook): boolean {
  const paths = new Set(logs.map(({ path }) => path));
  return (
    holdsGpu ||
    runs.some((other) => other.holdsGpu && other.logs.some(({ path }) => paths.has(path)))
  );
}

/** A run with a card needs not be asked. */
const hasUnreadRun = ({ look }: LookView): boolean =>
  look.runs.some((run) => !hasCard(run, look) && run.logs.some(({ end }) => end === null));
