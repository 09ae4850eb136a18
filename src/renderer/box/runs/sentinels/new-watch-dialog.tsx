import { processKey } from '../../../../shared/runs/process-ref.ts';
import { usePatrol } from '../../../state/patrol.ts';
import { useSentinels } from '../../../state/sentinels.ts';
import { FailedState, LoadingState } from '../../../ui/panel-state.tsx';
import { ArmForm, ArmFrame } from './arm-dialog.tsx';

interface NewWatchDialogProps {
  readonly boxId: string;
  /** The key of the process that it is to be about; null: nothing is chosen. */
  readonly run: string | null;
  readonly onClose: () => void;
}

/** Wherever the person is: what they wait for on a box, offered by what the last check saw there. */
export function NewWatchDialog(props: NewWatchDialogProps) {
  return (
    <ArmFrame onClose={props.onClose}>
      <Body {...props} />
    </ArmFrame>
  );
}

function Body({ boxId, run: key, onClose }: NewWatchDialogProps) {
  const watches = useSentinels(boxId);
  const patrol = usePatrol(boxId);
  if (watches.kind === 'failed') return <FailedState problem={watches.problem} />;
  if (watches.kind === 'loading' || patrol.kind === 'loading') {
    return <LoadingState title="Reading the watches…" />;
  }
  const runs = patrol.kind === 'live' ? (patrol.state.seen?.runs ?? []) : [];
  const run = runs.find((each) => processKey(each) === key);
  return (
    <ArmForm boxId={boxId} runs={runs} {...(run !== undefined && { run })} onClose={onClose} />
  );
}
