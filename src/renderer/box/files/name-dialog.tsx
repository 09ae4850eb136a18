import { useState, type FormEvent } from 'react';
import { newNameFault } from '../../../shared/files/new-name.ts';
import type { Problem } from '../../../shared/problem.ts';
import type { Result } from '../../../shared/result.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Refusal } from '../../ui/problem-note.tsx';

interface NameDialogProps {
  readonly title: string;
  /** The button that does it. */
  readonly act: string;
  readonly name: string;
  readonly onName: (name: string) => Promise<Result<null, Problem>>;
  /** It is done under this name. */
  readonly onDone: (name: string) => void;
  readonly onClose: () => void;
}

/** Asks for the name of an entry: a new folder, or one that gets another name. */
export function NameDialog({ title, act, name: old, onName, onDone, onClose }: NameDialogProps) {
  const [name, setName] = useState(old);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const fault = newNameFault(name);
  const isAble = fault === null && name !== old && !isBusy;

  async function submitted(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!isAble) return;
    setIsBusy(true);
    const answer = await onName(name);
    setIsBusy(false);
    if (answer.ok) onDone(name);
    else setRefusal(answer.error);
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={(event) => void submitted(event)}>
        <Field
          label="Name"
          isMono
          value={name}
          error={name === old ? null : fault}
          autoFocus
          onFocus={(event) => selectStem(event.target)}
          onValue={setName}
        />
        <Refusal problem={refusal} />
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={!isAble}>
            {act}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

/** What a file is seldom renamed for is its ending. */
function selectStem(input: HTMLInputElement): void {
  const dot = input.value.lastIndexOf('.');
  input.setSelectionRange(0, dot > 0 ? dot : input.value.length);
}
