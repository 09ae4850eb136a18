import { Play } from 'lucide-react';
import { EmptyState } from '../../ui/panel-state.tsx';

export function RunsTab() {
  return (
    <EmptyState icon={<Play size={28} strokeWidth={1.4} />} title="Runs are not connected yet">
      <p>
        This version neither starts runs on a box nor sees those that are there. Whatever runs on
        this box goes on without Leasehold watching it.
      </p>
    </EmptyState>
  );
}
