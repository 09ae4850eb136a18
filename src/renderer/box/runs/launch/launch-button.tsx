import { Play } from 'lucide-react';
import type { BoxEntry } from '../../../state/box-entry.ts';
import { overlayOpened } from '../../../state/view.ts';
import { Button } from '../../../ui/button.tsx';

/** Opens the form, where the box is connected. */
export function LaunchButton({ entry: { box, link } }: { readonly entry: BoxEntry }) {
  const isUp = link.kind === 'up';
  return (
    <Button
      size="small"
      disabled={!isUp}
      title={isUp ? 'Start a run on this box' : 'Connect to the box first'}
      onClick={() => overlayOpened({ kind: 'launch', boxId: box.id })}
    >
      <Play size={14} aria-hidden /> Launch…
    </Button>
  );
}
