import { ShieldOff } from 'lucide-react';
import { EmptyState } from '../../ui/panel-state.tsx';

export function TeardownTab() {
  return (
    <EmptyState
      icon={<ShieldOff size={28} strokeWidth={1.4} />}
      title="Teardown is not connected yet"
    >
      <p>
        This version cannot stop or delete this box, and it has proven nothing about your results.
        The box bills until you stop it on your platform; check first that what you need is on this
        machine.
      </p>
    </EmptyState>
  );
}
