import { X } from 'lucide-react';
import * as AlertDialog from 'radix-ui/alert-dialog';
import * as RadixDialog from 'radix-ui/dialog';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { useReturnFocus } from './return-focus.ts';
import styles from './dialog.module.css';

// Radix's own Overlay is left out on purpose: it alone wraps react-remove-scroll, which puts a <style> element into the
// page, and our CSP (style-src 'self') refuses that. The page itself never scrolls, so nothing is lost: focus trap,
// Escape, hiding the rest from screen readers and giving the focus back all live in Content.

interface DialogProps {
  readonly title: string;
  readonly description?: string;
  /** For a table. */
  readonly isWide?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog that is open as long as it is rendered. */
export function Dialog({ title, description, isWide = false, onClose, children }: DialogProps) {
  const returnFocus = useReturnFocus();
  return (
    <RadixDialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <RadixDialog.Portal>
        <div className={styles['backdrop']} />
        <RadixDialog.Content
          className={classNames(styles['dialog'], isWide && styles['isWide'])}
          onCloseAutoFocus={returnFocus}
          {...(description === undefined && { 'aria-describedby': undefined })}
        >
          <div className={styles['head']}>
            <RadixDialog.Title className={styles['title']}>{title}</RadixDialog.Title>
            <RadixDialog.Close asChild>
              <Button look="quiet" size="small" isIcon aria-label="Close">
                <X size={16} />
              </Button>
            </RadixDialog.Close>
          </div>
          {description !== undefined && (
            <RadixDialog.Description className={styles['description']}>
              {description}
            </RadixDialog.Description>
          )}
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

interface DialogFooterProps {
  /** Why the last try failed: in sight with the buttons, however long the form above them is. */
  readonly note?: ReactNode;
  readonly children: ReactNode;
}

export function DialogFooter({ note, children }: DialogFooterProps) {
  return (
    <div className={styles['footer']}>
      {note}
      <div className={styles['buttons']}>{children}</div>
    </div>
  );
}

/** The shell of the command palette: a dialog without a frame of its own. */
export function PaletteDialog({
  title,
  onClose,
  children,
}: Omit<DialogProps, 'description' | 'isWide'>) {
  const returnFocus = useReturnFocus();
  return (
    <RadixDialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <RadixDialog.Portal>
        <div className={styles['backdrop']} />
        <RadixDialog.Content
          className={classNames(styles['dialog'], styles['palette'])}
          onCloseAutoFocus={returnFocus}
          aria-describedby={undefined}
        >
          <RadixDialog.Title className="sr-only">{title}</RadixDialog.Title>
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

interface ConfirmDialogProps {
  readonly title: string;
  readonly description: string;
  /** The button that does it. */
  readonly confirm: string;
  readonly cancel: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** Why the last try failed. */
  readonly children?: ReactNode;
}

/** Asks before something that cannot be undone. The safe button comes first and has the focus. */
export function ConfirmDialog({
  title,
  description,
  confirm,
  cancel,
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps) {
  const returnFocus = useReturnFocus();
  return (
    <AlertDialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <AlertDialog.Portal>
        <div className={styles['backdrop']} />
        <AlertDialog.Content
          aria-modal
          className={classNames(styles['dialog'], styles['narrow'])}
          onCloseAutoFocus={returnFocus}
        >
          <AlertDialog.Title className={styles['title']}>{title}</AlertDialog.Title>
          <AlertDialog.Description className={styles['description']}>
            {description}
          </AlertDialog.Description>
          {children}
          <DialogFooter>
            <AlertDialog.Cancel asChild>
              <Button>{cancel}</Button>
            </AlertDialog.Cancel>
            <Button look="danger" onClick={onConfirm}>
              {confirm}
            </Button>
          </DialogFooter>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
