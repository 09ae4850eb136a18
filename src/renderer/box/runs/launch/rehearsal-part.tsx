import { useState } from 'react';
import { planRefOf } from '../../../../shared/plan/plan.ts';
import type { Plan } from '../../../../shared/plan/plan.ts';
import type { Problem } from '../../../../shared/problem.ts';
import type {
  RehearsalEnd,
  RehearsalOutput,
  Rehearsed,
} from '../../../../shared/runs/request/rehearsal.ts';
import { call } from '../../../state/bridge.ts';
import { useRehearsal } from '../../../state/launched-runs.ts';
import { Button } from '../../../ui/button.tsx';
import { Glyph } from '../../../ui/glyph.tsx';
import { Refusal } from '../../../ui/problem-note.tsx';
import styles from './launch.module.css';

interface RehearsalPartProps {
  readonly boxId: string;
  readonly plan: Plan;
  /** It is the plan of this sweep. */
  readonly sweep?: string;
  /** It passed: a new plan takes that in. */
  readonly onPassed: () => void;
}

type State =
  | { readonly kind: 'open' }
  | { readonly kind: 'running' }
  | { readonly kind: 'over'; readonly rehearsed: Rehearsed }
  | { readonly kind: 'refused'; readonly problem: Problem };

/** Runs what must have passed on this computer, below the check that asks for it. */
export function RehearsalPart({ boxId, plan, sweep, onPassed }: RehearsalPartProps) {
  const [state, setState] = useState<State>({ kind: 'open' });
  const isRunning = state.kind === 'running';

  async function run(): Promise<void> {
    setState({ kind: 'running' });
    const answer = await call('runs:rehearse', {
      ...{ boxId, plan: planRefOf(plan) },
      ...(sweep === undefined ? {} : { sweep }),
    });
    if (!answer.ok) setState({ kind: 'refused', problem: answer.error });
    else {
      setState({ kind: 'over', rehearsed: answer.value });
      if (answer.value.end.kind === 'passed') onPassed();
    }
  }

  return (
    <div className={styles['rehearsal']}>
      <div className={styles['rehearsalBar']}>
        {isRunning ? (
          <Button size="small" onClick={() => void call('runs:stop-rehearsal', { boxId })}>
            Cancel rehearsal
          </Button>
        ) : (
          <Button
            size="small"
            title="Runs the command on this computer, in the folder that is pushed, as you"
            onClick={() => void run()}
          >
            {state.kind === 'open' ? 'Run it on this computer…' : 'Run it again…'}
          </Button>
        )}
        <span role="status">
          {isRunning && (
            <span className={styles['line']}>
              <Glyph tone="wait" /> Running on this computer…
            </span>
          )}
          {state.kind === 'over' && <EndLine end={state.rehearsed.end} />}
        </span>
      </div>
      {isRunning && <LiveOutput boxId={boxId} />}
      {state.kind === 'over' && <Output output={state.rehearsed.output} />}
      <Refusal problem={state.kind === 'refused' ? state.problem : null} />
    </div>
  );
}

function EndLine({ end }: { readonly end: RehearsalEnd }) {
  return (
    <span className={styles['line']}>
      <Glyph tone={end.kind === 'passed' ? 'ok' : 'warn'} /> {endWords(end)}
    </span>
  );
}

function endWords(end: RehearsalEnd): string {
  switch (end.kind) {
    case 'passed':
      return 'Passed. Planning again…';
    case 'failed':
      return end.exitCode === null
        ? 'Failed: a signal ended it.'
        : `Failed (exit ${String(end.exitCode)}).`;
    case 'changed':
      return 'The code changed while it ran: exclude what it writes from the push, then run it again.';
    case 'stopped':
      return 'Cancelled. Nothing of it runs.';
    case 'declined':
      return 'Not run.';
  }
}

function LiveOutput({ boxId }: { readonly boxId: string }) {
  const output = useRehearsal(boxId);
  return output === null ? null : <Output output={output} />;
}

function Output({ output: { text, isCut } }: { readonly output: RehearsalOutput }) {
  if (text.trim() === '') return null;
  return (
    <pre
      className={`${styles['output'] ?? ''} selectable`}
      aria-label="Output of the rehearsal"
      role="region"
      tabIndex={0}
    >
      {isCut ? '…\n' : ''}
      {text.trimEnd()}
    </pre>
  );
}
