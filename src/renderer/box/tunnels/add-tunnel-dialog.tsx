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
  const isThere = useFleet((feed) => selectEntry(boxId)(feed) !== undefined);
  if (!isThere) return null;
  return <TunnelDialog boxId={boxId} tunnel={null} targetPort={targetPort} onClose={onClose} />;
}
