import { useId, useState, type KeyboardEvent, type SyntheticEvent } from 'react';
import { parsePort } from '../../shared/boxes/ssh-address.ts';
import {
  parseSshCommand,
  suggestBoxName,
  type SshCommand,
} from '../../shared/boxes/ssh-command.ts';
import type { Problem } from '../../shared/problem.ts';
import { call } from '../state/bridge.ts';
import { Button } from '../ui/button.tsx';
import { DialogFooter } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Refusal } from '../ui/problem-note.tsx';
import { ConnectionFields } from './connection/connection-fields.tsx';
import {
  EMPTY_VALUES,
  fromCommand,
  type ConnectionValues,
} from './connection/connection-values.ts';
import { focusFirstError } from './connection/focus-first-error.ts';
import { sendConnection } from './connection/send-connection.ts';
import { useConnectionForm } from './connection/use-connection-form.ts';
import styles from './add-box-dialog.module.css';

const EXAMPLE = 'ssh root@203.0.113.7 -p 17740 -i ~/.ssh/id_ed25519';
const MAX_NAME = 80;

interface AddBoxFormProps {
  /** With the field for a command above the others. */
  readonly isPasting: boolean;
  readonly onAdded: (boxId: string) => void;
  readonly onClose: () => void;
}

export function AddBoxForm({ isPasting, onAdded, onClose }: AddBoxFormProps) {
  const form = useConnectionForm(EMPTY_VALUES);
  const [text, setText] = useState('');
  const [name, setName] = useState('');
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const [isSending, setIsSending] = useState(false);
  const nameError = name.trim().length > MAX_NAME ? `At most ${MAX_NAME} characters.` : null;

  function pasted(next: string): void {
    setText(next);
    const read = parseSshCommand(next);
    // A pasted value that cannot be right is marked at once; a missing one only when the person has seen the field.
    form.replace(fromCommand(read), wrongFields(read));
    setRefusal(null);
  }

  async function submitted(event: SyntheticEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    form.touch(Object.keys(form.errors));
    if (Object.keys(form.errors).length > 0 || nameError !== null) {
      focusFirstError(event.currentTarget);
      return;
    }
    setIsSending(true);
    const chosen = (name.trim() === '' ? defaultName(form.values) : name.trim()).slice(0, MAX_NAME);
    const added = await sendConnection(form.values, (connection) =>
      call('box:add', { name: chosen, connection }),
    );
    setIsSending(false);
    if (added.ok) onAdded(added.value.id);
    else setRefusal(added.error);
  }

  return (
    <form
      className={styles['form']}
      noValidate
      onChange={() => setRefusal(null)}
      onSubmit={(event) => void submitted(event)}
    >
      {isPasting && <CommandInput text={text} command={parseSshCommand(text)} onText={pasted} />}
      <ConnectionFields form={form} />
      <Field
        label="Name in Leasehold"
        placeholder={defaultName(form.values)}
        value={name}
        error={nameError}
        onValue={setName}
      />
      <Refusal problem={refusal} />
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
  );
}

/** The name that is used when the field is left empty. */
function defaultName({ host, port }: ConnectionValues): string {
  return host === '' ? '' : suggestBoxName(host.trim(), parsePort(port.trim()) ?? 22);
}

function wrongFields({ problems, jumpHosts }: SshCommand): readonly string[] {
  return problems.flatMap(({ field, value }) => {
    if (field === 'jumpHost') return [`hops.${jumpHosts.indexOf(value)}`];
    return field === 'identityFile' ? ['identityFiles.0', 'certificateFiles.0'] : [field];
  });
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
