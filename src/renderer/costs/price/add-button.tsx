import { Plus } from 'lucide-react';
import { Button } from '../../ui/button.tsx';

interface AddButtonProps {
  readonly children: string;
  readonly onClick: () => void;
}

export function AddButton({ children, onClick }: AddButtonProps) {
  return (
    <Button size="small" onClick={onClick}>
      <Plus size={14} aria-hidden /> {children}
    </Button>
  );
}
