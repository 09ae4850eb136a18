import { useState, type FormEvent } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { nameOf } from './terminal-words.ts';
import { tabChanged, type TerminalTab } from './terminals-store.ts';

const MAX_NAME = 40;

interface RenameTerminalDialogProps {
  readonly tab: TerminalTab;
  readonly onClose: () => void;
}

/** The tab's name in this window only; nothing changes on the box. */
export function RenameTerminalDialog({ tab, onClose }: RenameTerminalDialogProps) {
  const [name, setName] = useState(nameOf(tab));

  function submitted(event: FormEvent): void {
    event.preventDefault();
    const trimmed = name.trim();
    tabChanged(tab.id, { name: trimmed === '' ? null : trimmed });
    onClose();
  }

  return (
    <Dialog title="Rename terminal" onClose={onClose}>
      <form onSubmit={submitted}>
        <Field
          label="Name of this tab"
          hint="Only in Leasehold; a tmux session keeps its name. Empty: the usual name."
          value={name}
          maxLength={MAX_NAME}
          autoFocus
          onFocus={(event) => event.target.select()}
          onValue={setName}
        />
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary">
            Rename
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
