import type { GoneRun, PatrolState } from '../patrol/patrol-state.ts';
import { remediesOf, VANISH_WORDS, vanishWordsOf, vanishSeverity } from '../patrol/remediation.ts';
import {
  CLEAR,
  figure,
  line,
  severities,
  unknown,
  type Evidence,
  type Judgement,
  type Severity,
} from './finding.ts';
import type { BoxDetector } from './view.ts';

/** U3 */
export const vanishedRun: BoxDetector = {
  id: 'U3',
  title: 'A vanished process has four possible causes; OOM is only one',
  scope: 'box',
  // The patrol has looked twice already, and a run that is gone does not come and go.
  foundAfterMs: 0,
  clearAfterMs: 0,
  maxGapMs: Infinity,
  judge: ({ patrol }) => judge(patrol),
};

function judge(patrol: PatrolState | null): Judgement {
  const { seen, failed, gone } = patrol ?? { seen: null, failed: null, gone: [] };
  const lost = gone
    .filter((run) => run.cause !== 'finished' && !runsAgain(run, seen?.runs ?? []))
    .sort((a, b) => severities.indexOf(severityOf(a)) - severities.indexOf(severityOf(b)));
  const [worst, ...others] = lost;
  if (worst === undefined) {
    if (seen === null) return unknown('no patrol has looked yet');
    if (failed !== null) return unknown(`the last patrol failed: ${failed.problem.message}`);
    return seen.isWhole ? CLEAR : unknown('the box did not tell of all its processes');
  }
  const { cause, steps, failure } = worst;
  const words = cause === null ? 'why is not proven' : vanishWordsOf(cause, failure);
  const open = steps.filter(({ verdict }) => verdict === 'not-proven');
  return {
    kind: 'found',
    severity: severityOf(worst),
    headline: `${others.length === 0 ? 'A run is' : `${lost.length} runs are`} gone: ${words}${others.length === 0 ? '' : ', the worst of them'}.`,
    means:
      cause === null
        ? 'The log stops without a traceback and the process is gone; nothing that could be looked at proves why.'
        : 'It did not finish, as far as anything shows, and this ended it. The Runs tab has the whole ladder.',
    fix: remediesOf(cause, failure).map(({ step }) => step),
    wastedShare: null,
    evidence: evidenceOf(worst, lost.length),
    caveat:
      cause === null && open.length > 0
        ? `Not ruled out: ${open.map((step) => VANISH_WORDS[step.cause]).join('; ')}.`
        : null,
  };
}

function severityOf({ cause, holdsGpu }: GoneRun): Severity {
  return vanishSeverity(cause, holdsGpu);
}

function runsAgain(
  gone: GoneRun,
  runs: readonly { readonly command: string | null; readonly folder: string | null }[],
): boolean {
  return runs.some(
    ({ command, folder }) => command !== null && command === gone.command && folder === gone.folder,
  );
}

function evidenceOf({ command, pid, steps, cause }: GoneRun, count: number): readonly Evidence[] {
  const proof = steps.find((step) => step.cause === cause && step.verdict === 'proven');
  return [
    ...(count === 1 ? [] : [figure('runs that are gone', count, 'runs')]),
    line(`${String(pid)} ${command ?? 'command unknown'}`),
    ...(proof === undefined ? [] : [line(proof.because)]),
  ];
}
