import type { Incident } from '../../shared/gotchas/entry-draft.ts';
import { Button } from '../ui/button.tsx';
import { newEntryBegun } from './writing.ts';

interface NewEntryButtonProps {
  readonly seen: Incident;
  /** The box on which it was seen; null: not known. */
  readonly boxId: string | null;
}

/** "Save to Handbook…": begins an entry of the person's own with what is shown beside it. */
export function NewEntryButton({ seen, boxId }: NewEntryButtonProps) {
  return (
    <Button
      size="small"
      title="Draft an entry of your own from it"
      onClick={() => void newEntryBegun(seen, boxId)}
    >
      Save to Handbook…
    </Button>
  );
}
