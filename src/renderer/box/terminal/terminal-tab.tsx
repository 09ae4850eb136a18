import { SquareTerminal } from 'lucide-react';
import { EmptyState } from '../../ui/panel-state.tsx';

export function TerminalTab() {
  return (
    <EmptyState
      icon={<SquareTerminal size={28} strokeWidth={1.4} />}
      title="The terminal is not connected yet"
    >
      <p>
        This version opens no shell on the box. Use a terminal of your own; Leasehold’s readings are
        not disturbed by it.
      </p>
    </EmptyState>
  );
}
