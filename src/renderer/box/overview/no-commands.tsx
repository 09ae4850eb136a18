import { SquareTerminal } from 'lucide-react';
import type { Problem } from '../../../shared/problem.ts';
import { overlayOpened, tabChosen } from '../../state/view.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/panel-state.tsx';
import { ProblemDetails } from '../../ui/problem-note.tsx';

/** The link is up, but this way in is not for commands: said once, and calmly. */
export function NoCommands({
  boxId,
  problem,
}: {
  readonly boxId: string;
  readonly problem: Problem;
}) {
  return (
    <EmptyState
      icon={<SquareTerminal size={28} strokeWidth={1.4} />}
      title="This way in runs no commands"
      actions={
        <>
          <Button look="primary" onClick={() => overlayOpened({ kind: 'flavour', boxId })}>
            SSH capabilities
          </Button>
          <Button onClick={() => tabChosen(boxId, 'terminal')}>Open a terminal</Button>
        </>
      }
    >
      <p>
        Connected, but without commands there are no GPU readings: what the GPUs do is unknown.
        Leasehold does not keep asking.
      </p>
      <ProblemDetails problem={problem} />
    </EmptyState>
  );
}
