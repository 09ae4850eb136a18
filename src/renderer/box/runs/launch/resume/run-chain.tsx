import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import type { LaunchedRun } from '../../../../../shared/runs/launch/launched-run.ts';
import { canResume, selectOffered } from '../../../../../shared/runs/resume/resume-offer.ts';
import { turnOf } from '../../../../../shared/runs/resume/run-turn.ts';
import { Button } from '../../../../ui/button.tsx';
import { Glyph } from '../../../../ui/glyph.tsx';
import { runOpened } from '../launch-view.ts';
import { ResumeDialog } from './resume-dialog.tsx';
import { resumeLabel, ResumeOffer } from './resume-offer.tsx';
import styles from './resume.module.css';

interface RunChainProps {
  readonly boxId: string;
  readonly run: LaunchedRun;
  /** All of the box. */
  readonly runs: readonly LaunchedRun[];
  readonly isUp: boolean;
}

/** On the page of one command: what went before it, what came after it, and how to go on. */
export function RunChain({ boxId, run, runs, isUp }: RunChainProps) {
  const [isResuming, setIsResuming] = useState(false);
  const { next } = turnOf(run);
  const before = runs.find((each) => turnOf(each).next === run.id);
  if (selectOffered(runs).includes(run)) return <ResumeOffer boxId={boxId} run={run} isUp={isUp} />;
  const show = (id: string, words: string) => (
    <Button size="small" onClick={() => runOpened(boxId, id)}>
      {words}
    </Button>
  );
  return (
    <>
      {before !== undefined && (
        <p className={styles['note']}>
          <Glyph tone="info" />
          The identical command again, after a run that was over.
          {show(before.id, 'Show that run')}
        </p>
      )}
      {next !== null && (
        <p className={styles['note']}>
          <Glyph tone="info" />
          Another run has gone on after this one.
          {show(next, 'Show the next run')}
        </p>
      )}
      {canResume(run, runs) && (
        <p className={styles['note']}>
          <Glyph tone="info" />
          The identical command can run again in the same folder, as a new run.
          <Button
            size="small"
            disabled={!isUp}
            title={isUp ? undefined : 'Connect to the box first'}
            onClick={() => setIsResuming(true)}
          >
            <RotateCw size={13} aria-hidden /> {resumeLabel(run)}
          </Button>
        </p>
      )}
      {isResuming && (
        <ResumeDialog boxId={boxId} run={run} isUp={isUp} onClose={() => setIsResuming(false)} />
      )}
    </>
  );
}
