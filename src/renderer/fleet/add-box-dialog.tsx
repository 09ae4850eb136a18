import { useState } from 'react';
import { boxChosen } from '../state/view.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { AddBoxForm } from './add-box-form.tsx';
import styles from './add-box-dialog.module.css';

const WAYS = [
  { value: 'command', label: 'Paste a command' },
  { value: 'form', label: 'Fill in a form' },
] as const;
type Way = (typeof WAYS)[number]['value'];

const DESCRIPTIONS: Readonly<Record<Way, string>> = {
  command: 'Paste the ssh command as your platform prints it; correct what it got wrong.',
  form: 'Say where the box answers SSH and how it is reached.',
};

export function AddBoxDialog({ onClose }: { readonly onClose: () => void }) {
  const [way, setWay] = useState<Way>('command');
  return (
    <Dialog title="Add box" description={DESCRIPTIONS[way]} onClose={onClose}>
      <div className={styles['ways']}>
        <Segmented label="How to add it" options={WAYS} value={way} onChange={setWay} />
      </div>
      <AddBoxForm isPasting={way === 'command'} onAdded={boxChosen} onClose={onClose} />
    </Dialog>
  );
}
