import * as RadixMenu from 'radix-ui/context-menu';
import type { ReactElement, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './menu.module.css';

interface ContextMenuProps {
  /** What is pressed with the second button, or has the focus when the menu key is. */
  readonly on: ReactElement;
  readonly children: ReactNode;
}

/** What can be done with what is under the pointer. Not modal, as every menu here (see menu.tsx). */
export function ContextMenu({ on, children }: ContextMenuProps) {
  return (
    <RadixMenu.Root modal={false}>
      <RadixMenu.Trigger asChild>{on}</RadixMenu.Trigger>
      <RadixMenu.Portal>
        <RadixMenu.Content className={styles['menu']} collisionPadding={8} loop>
          {children}
        </RadixMenu.Content>
      </RadixMenu.Portal>
    </RadixMenu.Root>
  );
}

interface ContextItemProps {
  readonly icon: ReactNode;
  /** The key that does the same. */
  readonly hint?: string;
  readonly isDangerous?: boolean;
  readonly isDisabled?: boolean;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}

export function ContextItem({
  icon,
  hint,
  isDangerous = false,
  isDisabled = false,
  onSelect,
  children,
}: ContextItemProps) {
  return (
    <RadixMenu.Item
      className={classNames(styles['item'], isDangerous && styles['danger'])}
      disabled={isDisabled}
      onSelect={onSelect}
    >
      <span aria-hidden="true">{icon}</span>
      <span>{children}</span>
      {hint !== undefined && <span className={styles['hint']}>{hint}</span>}
    </RadixMenu.Item>
  );
}

export function ContextSeparator() {
  return <RadixMenu.Separator className={styles['separator']} />;
}
