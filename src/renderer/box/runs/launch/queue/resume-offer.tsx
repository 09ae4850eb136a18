import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import type { LaunchedRun } from '../../../../../shared/runs/launch/launched-run.ts';
import { nameOf } from '../../../../../shared/runs/launch/run-words.ts';
import { isNewestTurn } from '../../../../../shared/runs/queue/queue-turn.ts';
import { Button } from '../../../../ui/button.tsx';
import { Glyph } from '../../../../ui/glyph.tsx';
import { ResumeDialog } from './resume-dialog.tsx';
import styles from './queue.module.css';

interface ResumeOffersProps {
  readonly boxId: string;
  /** All of the box. */
  readonly runs: readonly LaunchedRun[];
  readonly isUp: boolean;
}

/** Queues that nobody ended: a restart of the box or a kill did, and nobody has gone on with them. */
export function ResumeOffers({ boxId, runs, isUp }: ResumeOffersProps) {
  const [declined, setDeclined] = useState<ReadonlySet<string>>(new Set());
  const [resumed, setResumed] = useState<string | null>(null);
  const offered = runs.filter(
    (run) => run.standing.kind === 'lost' && isNewestTurn(run, runs) && !declined.has(run.id),
  );
  return (
    <>
      {offered.map((run) => (
        <section key={run.id} className={styles['offer']} aria-label={`Resume ${nameOf(run)}`}>
          <Glyph tone="warn" />
          <p>
            <strong>{nameOf(run)}</strong>{' '}
            {run.standing.kind === 'lost' && run.standing.because === 'restart'
              ? 'was cut off by a restart of the box.'
              : 'was killed before it was over.'}{' '}
            Resuming it runs the cells that have no exit code: one that was interrupted from its
            beginning, then those that wait. What has finished does not run again.
          </p>
          <Button
            size="small"
            look="primary"
            disabled={!isUp}
            title={isUp ? undefined : 'Connect to the box first'}
            onClick={() => setResumed(run.id)}
          >
            <RotateCw size={13} aria-hidden /> Resume queue…
          </Button>
          <Button
            size="small"
            look="quiet"
            onClick={() => setDeclined((before) => new Set(before).add(run.id))}
          >
            Not now
          </Button>
        </section>
      ))}
      {resumed !== null && (
        <ResumeDialog boxId={boxId} id={resumed} isUp={isUp} onClose={() => setResumed(null)} />
      )}
    </>
  );
}
