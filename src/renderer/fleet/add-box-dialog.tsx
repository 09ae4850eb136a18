import { useId, useState, type FormEvent, type KeyboardEvent } from 'react';
import { parseSshCommand, type SshCommand } from '../../shared/boxes/ssh-command.ts';
import type { Problem } from '../../shared/problem.ts';
import { call } from '../state/bridge.ts';
import { boxChosen } from '../state/view.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogFooter } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import {
  defaultName,
  EMPTY_FORM,
  fillFromCommand,
  judgeForm,
  toBoxInput,
  type AddBoxValues,
} from './add-box-form.ts';
import styles from './add-box-dialog.module.css';

const EXAMPLE = 'ssh root@203.0.113.7 -p 17740 -i ~/.ssh/id_ed25519';

export function AddBoxDialog({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [values, setValues] = useState<AddBoxValues>(EMPTY_FORM);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const [isSending, setIsSending] = useState(false);
  const command = parseSshCommand(text);
  const errors = judgeForm(values);

  function pasted(next: string): void {
    setText(next);
    const read = parseSshCommand(next);
    setValues((old) => fillFromCommand(read, old));
    // A pasted value that cannot be right is marked at once; a missing one only when the person has seen the field.
    setTouched(new Set(read.problems.map(({ field }) => field)));
    setRefusal(null);
  }

  function field(name: keyof AddBoxValues) {
    return {
      value: values[name],
      error: touched.has(name) ? (errors[name] ?? null) : null,
      onValue: (value: string) => {
        setValues((old) => ({ ...old, [name]: value }));
        setRefusal(null);
      },
      onBlur: () => values[name] !== '' && setTouched((old) => new Set(old).add(name)),
    };
  }

  async function submitted(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    setTouched(new Set(Object.keys(values)));
    if (Object.keys(errors).length > 0) {
      // After React has marked them.
      setTimeout(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    setIsSending(true);
    const added = await call('box:add', toBoxInput(values));
    setIsSending(false);
    if (added.ok) boxChosen(added.value.id);
    else setRefusal(added.error);
  }

  return (
    <Dialog
      title="Add box"
      description="Paste the ssh command as your platform prints it, or fill in the fields."
      onClose={onClose}
    >
      <form className={styles['form']} noValidate onSubmit={(event) => void submitted(event)}>
        <CommandInput text={text} command={command} onText={pasted} />
        <div className={styles['row']}>
          <Field label="Host" isMono {...field('host')} />
          <Field label="Port" isMono inputMode="numeric" {...field('port')} />
        </div>
        <div className={styles['halves']}>
          <Field label="User" isMono {...field('user')} />
          <Field
            label="Private key file"
            isMono
            hint="Empty: your SSH agent and the usual key files."
            {...field('identityFile')}
          />
        </div>
        <Field label="Name in Leasehold" placeholder={defaultName(values)} {...field('name')} />
        {refusal !== null && (
          <div role="alert">
            <ProblemNote problem={refusal} />
          </div>
        )}
        <p className={styles['promise']}>
          Leasehold remembers the address. Nothing is sent to the box until you connect.
        </p>
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={isSending}>
            Add box
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

interface CommandInputProps {
  readonly text: string;
  readonly command: SshCommand;
  readonly onText: (text: string) => void;
}

/** Takes several lines, because platforms print wrapped commands; Enter submits all the same. */
function CommandInput({ text, command, onText }: CommandInputProps) {
  const id = useId();
  const noteId = useId();
  const problems = command.problems.filter(({ field }) => field === 'command');
  const submitOnEnter = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  };
  return (
    <div className={styles['paste']}>
      <label htmlFor={id}>SSH command</label>
      <textarea
        id={id}
        rows={2}
        autoFocus
        spellCheck={false}
        placeholder={EXAMPLE}
        value={text}
        aria-invalid={problems.length > 0}
        aria-describedby={noteId}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={submitOnEnter}
      />
      <div id={noteId}>
        {problems.map(({ message }) => (
          <p key={message} className={styles['error']}>
            {message}
          </p>
        ))}
        {command.unused.length > 0 && (
          <ul className={styles['unused']} aria-label="Parts that are not used">
            {command.unused.map(({ text: part, because }, i) => (
              <li key={i}>
                <code>{part}</code> {because}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
