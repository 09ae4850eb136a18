import { selectEntry, useFleet } from '../../state/feeds.ts';
import { TunnelDialog } from './tunnel-dialog.tsx';

interface AddTunnelDialogProps {
  readonly boxId: string;
  /** Null: the person says which. */
  readonly targetPort: number | null;
  readonly onClose: () => void;
}

/** The dialog of a new tunnel, opened from anywhere. */
export function AddTunnelDialog({ boxId, targetPort, onClose }: AddTunnelDialogProps) {
  const name = useFleet((feed) => selectEntry(boxId)(feed)?.box.name);
  if (name === undefined) return null;
  return (
    <TunnelDialog
      boxId={boxId}
      boxName={name}
      tunnel={null}
      targetPort={targetPort}
      onClose={onClose}
    />
  );
}
