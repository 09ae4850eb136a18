import { useState } from 'react';
import { boxChosen, type AddBoxWay } from '../state/view.ts';
import { Dialog } from '../ui/dialog.tsx';
import { focusGoesToPage } from '../ui/return-focus.ts';
import { Segmented } from '../ui/segmented.tsx';
import { AddBoxForm } from './add-box-form.tsx';
import { ImportPanel } from './import/import-panel.tsx';
import styles from './add-box-dialog.module.css';

const WAYS = [
  { value: 'command', label: 'Paste a command' },
  { value: 'form', label: 'Fill in a form' },
  { value: 'import', label: 'From SSH config' },
] as const satisfies readonly { readonly value: AddBoxWay; readonly label: string }[];

const DESCRIPTIONS: Readonly<Record<AddBoxWay, string>> = {
  command: 'Paste the SSH command from your provider. You can edit the details below.',
  form: 'Enter where the box answers SSH and how it is reached.',
  import: 'Choose hosts from the SSH config of this computer.',
};

interface AddBoxDialogProps {
  readonly firstWay: AddBoxWay;
  readonly onClose: () => void;
}

export function AddBoxDialog({ firstWay, onClose }: AddBoxDialogProps) {
  const [way, setWay] = useState(firstWay);
  /** The box is what the person looks at from now on, not the button that the dialog came from. */
  function added(boxId: string): void {
    focusGoesToPage();
    boxChosen(boxId);
  }
  return (
    <Dialog title="Add box" description={DESCRIPTIONS[way]} onClose={onClose} isWide>
      <div className={styles['ways']}>
        <Segmented label="How to add it" options={WAYS} value={way} onChange={setWay} />
      </div>
      {way === 'import' ? (
        <ImportPanel onClose={onClose} />
      ) : (
        <AddBoxForm isPasting={way === 'command'} onAdded={added} onClose={onClose} />
      )}
    </Dialog>
  );
}
