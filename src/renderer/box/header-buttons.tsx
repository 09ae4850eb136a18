import { Ellipsis, FlaskConical } from 'lucide-react';
import { Button, type ButtonProps } from '../ui/button.tsx';

// The faces of the header's menus, apart from the menus themselves, which load later.

interface FaultsButtonProps extends ButtonProps {
  /** How many lasting faults are on. */
  readonly count?: number;
}

export function FaultsButton({ count = 0, ...rest }: FaultsButtonProps) {
  return (
    <Button {...rest}>
      <FlaskConical size={15} aria-hidden /> {count === 0 ? 'Faults' : `Faults: ${count} on`}
    </Button>
  );
}

export function BoxMenuButton(props: ButtonProps) {
  return (
    <Button look="quiet" isIcon aria-label="More actions" title="More actions" {...props}>
      <Ellipsis size={17} aria-hidden />
    </Button>
  );
}
