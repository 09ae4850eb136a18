import { useState, type FormEvent } from 'react';
import type { Problem } from '../../shared/problem.ts';
import { call } from '../state/bridge.ts';
import { selectEntry, useFleet } from '../state/feeds.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogFooter } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Refusal } from '../ui/problem-note.tsx';

interface RenameBoxDialogProps {
  readonly boxId: string;
  readonly onClose: () => void;
}

const MAX_NAME = 80;

export function RenameBoxDialog({ boxId, onClose }: RenameBoxDialogProps) {
  const oldName = useFleet((feed) => selectEntry(boxId)(feed)?.box.name ?? '');
  const [name, setName] = useState(oldName);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const error = judgeName(name.trim());

  async function submitted(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (error !== null) return;
    const renamed = await call('box:rename', { boxId, name: name.trim() });
    if (renamed.ok) onClose();
    else setRefusal(renamed.error);
  }

  return (
    <Dialog title={`Rename ${oldName}`} onClose={onClose}>
      <form onSubmit={(event) => void submitted(event)}>
        <Field
          label="Name in Leasehold"
          value={name}
          error={error}
          autoFocus
          onFocus={(event) => event.target.select()}
          onValue={setName}
        />
        <Refusal problem={refusal} />
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={error !== null}>
            Rename
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

function judgeName(name: string): string | null {
  if (name === '') return 'Give it a name.';
  return name.length > MAX_NAME ? `A name has at most ${MAX_NAME} characters.` : null;
}
