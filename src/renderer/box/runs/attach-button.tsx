import { SquareTerminal } from 'lucide-react';
import { plainLine } from '../../../shared/questions/hostile-text.ts';
import { isOfARun } from '../../../shared/terminal/tmux.ts';
import { selectEntry, useFleet } from '../../state/feeds.ts';
import { Button } from '../../ui/button.tsx';
import { attachTo } from './attach.ts';

interface AttachButtonProps {
  readonly boxId: string;
  readonly session: string;
}

/** Shows the tmux session of a run, whoever began it. */
export function AttachButton({ boxId, session }: AttachButtonProps) {
  const isUp = useFleet((feed) => selectEntry(boxId)(feed)?.link.kind === 'up');
  const opens = `Opens the tmux session “${plainLine(session, 60)}” in a terminal`;
  const title = isOfARun(session) ? `${opens}. Keys do not reach the run.` : opens;
  return (
    <Button
      size="small"
      disabled={!isUp}
      title={isUp ? title : 'Connect to the box first'}
      onClick={() => void attachTo(boxId, session)}
    >
      <SquareTerminal size={14} aria-hidden /> Attach
    </Button>
  );
}
