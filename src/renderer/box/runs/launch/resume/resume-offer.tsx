import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import type { Problem } from '../../../../../shared/problem.ts';
import type { LaunchedRun } from '../../../../../shared/runs/launch/launched-run.ts';
import { nameOf } from '../../../../../shared/runs/launch/run-words.ts';
import {
  cutOffWords,
  resumeWords,
  selectOffered,
} from '../../../../../shared/runs/resume/resume-offer.ts';
import { call } from '../../../../state/bridge.ts';
import { Button } from '../../../../ui/button.tsx';
import { Glyph } from '../../../../ui/glyph.tsx';
import { Refusal } from '../../../../ui/problem-note.tsx';
import { runsAnswered } from '../launch-view.ts';
import { ResumeDialog } from './resume-dialog.tsx';
import styles from './resume.module.css';

interface ResumeOffersProps {
  readonly boxId: string;
  /** All of the box. */
  readonly runs: readonly LaunchedRun[];
  readonly isUp: boolean;
}

/** What the box has cut off and nobody has gone on with. */
export function ResumeOffers({ boxId, runs, isUp }: ResumeOffersProps) {
  return selectOffered(runs).map((run) => (
    <ResumeOffer key={run.id} boxId={boxId} run={run} isUp={isUp} />
  ));
}

interface ResumeOfferProps extends Omit<ResumeOffersProps, 'runs'> {
  readonly run: LaunchedRun;
}

/** Says what has happened and what resuming does; nothing starts before its plan was seen. */
export function ResumeOffer({ boxId, run, isUp }: ResumeOfferProps) {
  const [isResuming, setIsResuming] = useState(false);
  const [isDeclining, setIsDeclining] = useState(false);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const needsLink = isUp ? undefined : 'Connect to the box first';

  async function decline(): Promise<void> {
    setIsDeclining(true);
    const answer = await call('runs:decline-resume', { boxId, id: run.id });
    setIsDeclining(false);
    setRefusal(answer.ok ? null : answer.error);
    if (answer.ok) runsAnswered(boxId, answer.value);
  }

  return (
    <section className={styles['offer']} aria-label={`Resume ${nameOf(run)}`}>
      <div className={styles['row']}>
        <Glyph tone="warn" />
        <p>
          <strong>{nameOf(run)}</strong> {cutOffWords(run)} {resumeWords(run)}
        </p>
        <Button
          size="small"
          look="primary"
          disabled={!isUp}
          title={needsLink}
          onClick={() => setIsResuming(true)}
        >
          <RotateCw size={13} aria-hidden /> {resumeLabel(run)}
        </Button>
        <Button
          size="small"
          look="quiet"
          disabled={!isUp || isDeclining}
          title={needsLink ?? 'Is remembered on the box; it can still be resumed from its page'}
          onClick={() => void decline()}
        >
          Don’t resume
        </Button>
      </div>
      <Refusal problem={refusal} />
      {isResuming && (
        <ResumeDialog boxId={boxId} run={run} isUp={isUp} onClose={() => setIsResuming(false)} />
      )}
    </section>
  );
}

export const resumeLabel = ({ queue }: LaunchedRun): string =>
  queue === undefined ? 'Resume run…' : 'Resume queue…';
