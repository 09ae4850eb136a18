import { useState } from 'react';
import type { Problem } from '../../../../../shared/problem.ts';
import type { ContinuousPull } from '../../../../../shared/transfer/continuous/continuous-pull.ts';
import type { Result } from '../../../../../shared/result.ts';
import { call } from '../../../../state/bridge.ts';
import { Button } from '../../../../ui/button.tsx';
import { useNow } from '../../../../ui/clock.ts';
import { Glyph } from '../../../../ui/glyph.tsx';
import { Refusal } from '../../../../ui/problem-note.tsx';
import { continuousWords } from './continuous-words.ts';
import own from './continuous.module.css';

interface ContinuousLineProps {
  readonly boxId: string;
  readonly pull: ContinuousPull;
  readonly isUp: boolean;
  /** Where its results were brought to last, which stands beside it; null: they never were. */
  readonly broughtTo: string | null;
}

/** That new results of a run come home by themselves: what came last, when the next round is, and how to end it. */
export function ContinuousLine({ boxId, pull, isUp, broughtTo }: ContinuousLineProps) {
  const nowMs = useNow();
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const { tone, says, figures, failure } = continuousWords(pull, nowMs);
  const asked = async (answer: Promise<Result<unknown, Problem>>): Promise<void> => {
    const told = await answer;
    setRefusal(told.ok ? null : told.error);
  };
  const of = { boxId, id: pull.runId };
  return (
    <section className={own['line']} aria-label="New results by themselves">
      <p className={own['head']}>
        <Glyph tone={tone} />
        <span>
          {says} <span className={own['muted']}>· {figures.join(' · ')}</span>
        </span>
      </p>
      <div className={own['ways']}>
        <Button
          size="small"
          look="quiet"
          disabled={!isUp || pull.now.kind === 'under-way'}
          title={isUp ? undefined : 'Connect to the box first'}
          onClick={() => void asked(call('runs:round-now', of))}
        >
          Check now
        </Button>
        <Button
          size="small"
          title="What has come stays here, and in the evidence"
          onClick={() => void asked(call('runs:stop-continuous', of))}
        >
          Switch off
        </Button>
      </div>
      {failure !== null && (
        <p role="status" className={own['failure']}>
          {failure}
        </p>
      )}
      {broughtTo !== pull.to && (
        <p className={own['to']} title={pull.to}>
          {pull.to}
        </p>
      )}
      <Refusal problem={refusal} />
    </section>
  );
}
