import { useState } from 'react';
import type { Problem } from '../../../../shared/problem.ts';
import type { LaunchedRun, RunStatus } from '../../../../shared/runs/launch/launched-run.ts';
import { doubtWords, nameOf, textOf } from '../../../../shared/runs/launch/run-words.ts';
import { call } from '../../../state/bridge.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { formatDate } from '../../../ui/format.ts';
import { Glyph } from '../../../ui/glyph.tsx';
import { Refusal } from '../../../ui/problem-note.tsx';
import { runsAnswered } from './launch-view.ts';
import styles from './runs-launched.module.css';

interface ElsewhereNoteProps {
  readonly boxId: string;
  readonly run: LaunchedRun;
  readonly status: Extract<RunStatus, { kind: 'elsewhere' }>;
  readonly isUp: boolean;
}

/** What is known of a run that another machine of this home launched, and the one thing that only a person can know. */
export function ElsewhereNote({ boxId, run, status, isUp }: ElsewhereNoteProps) {
  const [isAsking, setIsAsking] = useState(false);
  const machine = textOf(status.machine);
  return (
    <section className={styles['over']} aria-label="Launched on another machine">
      <p>
        <Glyph tone="unknown" />
        Launched on {machine}, and no end is recorded: only {machine} can tell whether it is still
        running.
        {doubtWords(status)}
      </p>
      <Button
        size="small"
        disabled={!isUp}
        title={isUp ? undefined : 'Connect to the box first'}
        onClick={() => setIsAsking(true)}
      >
        That machine is gone…
      </Button>
      {isAsking && (
        <GoneDialog {...{ boxId, run, status, machine }} onClose={() => setIsAsking(false)} />
      )}
    </section>
  );
}

interface GoneDialogProps extends Omit<ElsewhereNoteProps, 'isUp'> {
  readonly machine: string;
  readonly onClose: () => void;
}

/** What the word of a person does, what takes it back, and when the run last wrote, to judge by. */
function whatItMeans(run: LaunchedRun, machine: string): string {
  const isQueue = run.queue !== undefined;
  const counts = isQueue
    ? 'then counts as lost and its unfinished cells as interrupted. It can be resumed here'
    : 'then counts as lost and can be resumed here';
  const grows = isQueue
    ? 'If its journal, its log or the log of a cell grows before you resume it'
    : 'If its log grows before you resume it';
  const grew = run.log === null ? 'at an unknown time' : formatDate(run.log.modifiedAtMs);
  return [
    `“${nameOf(run)}” ${counts}. Its folder records that you said so; nobody has seen it end.`,
    `If ${machine} is still running it, it and what you resume may write to the same files.`,
    `${grows}, it no longer counts as lost. Leasehold does not watch its results.`,
    `${isQueue ? 'Its own log, not those of its cells,' : 'Its log'} last grew ${grew}.`,
  ].join('\n');
}

function GoneDialog({ boxId, run, status, machine, onClose }: GoneDialogProps) {
  const [isWriting, setIsWriting] = useState(false);
  const [refusal, setRefusal] = useState<Problem | null>(null);

  async function confirmed(): Promise<void> {
    if (isWriting) return;
    setIsWriting(true);
    const answer = await call('runs:machine-gone', {
      ...{ boxId, id: run.id, machine: status.machine },
    });
    setIsWriting(false);
    if (answer.ok) {
      runsAnswered(boxId, answer.value);
      onClose();
    } else setRefusal(answer.error);
  }

  return (
    <ConfirmDialog
      title={`Is ${machine} gone for good?`}
      description={whatItMeans(run, machine)}
      cancel="Cancel"
      confirm={isWriting ? 'Saving…' : 'It is gone'}
      onConfirm={() => void confirmed()}
      onClose={onClose}
    >
      <Refusal problem={refusal} />
    </ConfirmDialog>
  );
}
