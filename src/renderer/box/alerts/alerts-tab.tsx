import { BellOff } from 'lucide-react';
import { EmptyState } from '../../ui/panel-state.tsx';

export function AlertsTab() {
  return (
    <EmptyState icon={<BellOff size={28} strokeWidth={1.4} />} title="Alerts are not connected yet">
      <p>
        This version judges nothing on the box. That no alert is shown here does not mean that
        nothing is wrong: look at the charts.
      </p>
    </EmptyState>
  );
}
