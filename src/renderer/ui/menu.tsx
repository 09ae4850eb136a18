import { Check } from 'lucide-react';
import * as DropdownMenu from 'radix-ui/dropdown-menu';
import type { ReactElement, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './menu.module.css';

interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactElement;
  /** The button was already pressed while this menu was still loading. */
  readonly isOpenAtFirst?: boolean;
  readonly children: ReactNode;
}

/** A menu on a button. Not modal, because Radix's modal menus put a <style> element into the page (see dialog.tsx). */
export function Menu({ trigger, isOpenAtFirst = false, children }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false} defaultOpen={isOpenAtFirst}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className={styles['menu']}
          align="end"
          sideOffset={6}
          collisionPadding={8}
          loop
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface MenuItemProps {
  readonly icon?: ReactNode;
  readonly hint?: string;
  readonly isDangerous?: boolean;
  /** Stays in its place, with a hint that says what is missing. */
  readonly isDisabled?: boolean;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}

export function MenuItem({
  icon,
  hint,
  isDangerous = false,
  isDisabled = false,
  onSelect,
  children,
}: MenuItemProps) {
  return (
    <DropdownMenu.Item
      className={classNames(styles['item'], isDangerous && styles['danger'])}
      disabled={isDisabled}
      onSelect={onSelect}
    >
      <span aria-hidden="true">{icon}</span>
      <span>{children}</span>
      {hint !== undefined && <span className={styles['hint']}>{hint}</span>}
    </DropdownMenu.Item>
  );
}

interface MenuCheckboxProps extends Omit<
  MenuItemProps,
  'icon' | 'isDangerous' | 'isDisabled' | 'onSelect'
> {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** Stays open when switched, so that several can be set in one go. */
export function MenuCheckbox({ hint, isOn, onChange, children }: MenuCheckboxProps) {
  return (
    <DropdownMenu.CheckboxItem
      className={styles['item']}
      checked={isOn}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
    >
      <span className={styles['mark']}>
        <DropdownMenu.ItemIndicator>
          <Check size={15} aria-hidden="true" />
        </DropdownMenu.ItemIndicator>
      </span>
      <span>{children}</span>
      {hint !== undefined && <span className={styles['hint']}>{hint}</span>}
    </DropdownMenu.CheckboxItem>
  );
}

export function MenuLabel({ children }: { readonly children: ReactNode }) {
  return <DropdownMenu.Label className={styles['label']}>{children}</DropdownMenu.Label>;
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className={styles['separator']} />;
}
