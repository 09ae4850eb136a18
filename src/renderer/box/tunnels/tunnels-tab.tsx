import { Cable } from 'lucide-react';
import { EmptyState } from '../../ui/panel-state.tsx';

export function TunnelsTab() {
  return (
    <EmptyState icon={<Cable size={28} strokeWidth={1.4} />} title="Tunnels are not connected yet">
      <p>
        This version opens no local port to a service on the box, such as TensorBoard. Until then,
        forward the port with ssh -L in a terminal of your own.
      </p>
    </EmptyState>
  );
}
