import { FolderDown } from 'lucide-react';
import { EmptyState } from '../../ui/panel-state.tsx';

export function FilesTab() {
  return (
    <EmptyState
      icon={<FolderDown size={28} strokeWidth={1.4} />}
      title="Files are not connected yet"
    >
      <p>
        This version does not list, pull or check the files of a box. It has no copy of your results
        and does not know whether you have one.
      </p>
    </EmptyState>
  );
}
