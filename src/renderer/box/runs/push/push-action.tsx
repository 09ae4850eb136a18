import { BellRing } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { SeenRun } from '../../../../shared/patrol/patrol-state.ts';
import type { LaunchedRun } from '../../../../shared/runs/launch/launched-run.ts';
import { keeperOf, nameOf } from '../../../../shared/runs/launch/run-words.ts';
import { processRefOf, type ProcessRef } from '../../../../shared/runs/process-ref.ts';
import { selectEntry, useFleet } from '../../../state/feeds.ts';
import { Button } from '../../../ui/button.tsx';
import { Glyph } from '../../../ui/glyph.tsx';
import { commandOf } from '../run-card.tsx';
import { PushDialog, type PushedRun } from './push-dialog.tsx';
import { lookAtPushes, selectPushes, usePushes, waiterFor } from './push-looks.ts';
import styles from './push.module.css';

interface PushActionProps {
  readonly boxId: string;
  readonly run: SeenRun;
}

/** Has the box itself tell when this run ends. */
export function PushAction({ boxId, run }: PushActionProps) {
  const process = processRefOf(run);
  return (
    <TellFromBox boxId={boxId} process={process} run={{ of: process, title: commandOf(run) }} />
  );
}

interface PushLaunchedProps {
  readonly boxId: string;
  /** One that lives. */
  readonly run: LaunchedRun;
}

/** The same of a run that was launched, whose page stands apart from the list of waiters. */
export function PushLaunched({ boxId, run }: PushLaunchedProps) {
  const isUp = useIsUp(boxId);
  useEffect(() => {
    if (isUp) void lookAtPushes(boxId);
  }, [boxId, isUp]);
  return (
    <TellFromBox
      boxId={boxId}
      process={keeperOf(run)}
      run={{ of: { launched: run.id }, title: nameOf(run) }}
    />
  );
}

interface TellFromBoxProps {
  readonly boxId: string;
  /** Null: there is nothing yet, or nothing any more, that the box could wait for. */
  readonly process: ProcessRef | null;
  readonly run: PushedRun;
}

function TellFromBox({ boxId, process, run }: TellFromBoxProps) {
  const isUp = useIsUp(boxId);
  const { view } = usePushes(selectPushes(boxId));
  const [isOpen, setIsOpen] = useState(false);
  const whyNot = !isUp
    ? 'Connect to the box first'
    : process === null
      ? 'What writes down the end of this run is not there'
      : undefined;
  return (
    <div className={styles['action']}>
      <Button
        size="small"
        look="quiet"
        disabled={whyNot !== undefined}
        title={whyNot}
        onClick={() => setIsOpen(true)}
      >
        <BellRing size={14} aria-hidden />
        Notify from the box when it ends…
      </Button>
      {process !== null && waiterFor(view, process) !== null && (
        <span className={styles['armed']}>
          <Glyph tone="ok" />
          armed
        </span>
      )}
      {isOpen && <PushDialog boxId={boxId} run={run} onClose={() => setIsOpen(false)} />}
    </div>
  );
}

const useIsUp = (boxId: string): boolean =>
  useFleet((feed) => selectEntry(boxId)(feed)?.link.kind === 'up');
