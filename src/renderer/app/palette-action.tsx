import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

export interface PaletteAction {
  /** Word for word as the button that does the same. */
  readonly label: string;
  readonly icon: ReactNode;
  readonly hint?: string;
  /** Other words by which it is looked for. */
  readonly keywords?: readonly string[];
  readonly run: () => void;
}

export type Offer = (
  label: string,
  icon: LucideIcon,
  run: () => void,
  keywords?: readonly string[],
) => void;

/** What `fill` offers, in its order. `hint`: what all of it is about; null: of each its label says it. */
export function actionsOf(
  hint: string | null,
  fill: (offer: Offer) => void,
): readonly PaletteAction[] {
  const actions: PaletteAction[] = [];
  fill((label, Icon, run, keywords = []) => {
    actions.push({
      label,
      icon: <Icon size={15} />,
      ...(hint !== null && { hint }),
      keywords,
      run,
    });
  });
  return actions;
}
