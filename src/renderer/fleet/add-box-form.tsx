import { useId, useState, type KeyboardEvent, type SyntheticEvent } from 'react';
import { parsePort } from '../../shared/boxes/ssh-address.ts';
import {
  parseSshCommand,
  suggestBoxName,
  type SshCommand,
} from '../../shared/boxes/ssh-command.ts';
import type { Problem } from '../../shared/problem.ts';
import { connectRequested, guessDeclined } from '../state/actions.ts';
import { useRemembered } from '../state/feeds.ts';
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
import { ForwardFields, ProviderField, RentalFields } from './rental/rental-fields.tsx';
import { tellRental } from './rental/tell-rental.ts';
import { useRental } from './rental/use-rental.ts';
import styles from './add-box-dialog.module.css';

const EXAMPLE = 'ssh root@203.0.113.7 -p 17740 -i ~/.ssh/id_ed25519';
const MAX_NAME = 80;
const NONE: readonly string[] = [];

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
  const command = parseSshCommand(isPasting ? text : '');
  const declined = useRemembered((feed) =>
    feed.kind === 'live' ? feed.state.guessesDeclined : NONE,
  );
  const { host, user } = form.values;
  const rental = useRental({ host: host.trim(), user: user.trim() }, command.forwards);
  const usualKeys = rental.last?.identityFiles ?? [];
  // The key that opened the last box of this platform, where neither the command nor the person names one.
  const values =
    form.values.identityFiles.length === 0
      ? { ...form.values, identityFiles: usualKeys }
      : form.values;
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
    const told = rental.read();
    if (told === null || Object.keys(form.errors).length > 0 || nameError !== null) {
      focusFirstError(event.currentTarget);
      return;
    }
    setIsSending(true);
    const chosen = (name.trim() === '' ? defaultName(values) : name.trim()).slice(0, MAX_NAME);
    const added = await sendConnection(values, (connection) =>
      call('box:add', { name: chosen, connection }),
    );
    if (!added.ok) {
      setIsSending(false);
      setRefusal(added.error);
      return;
    }
    await tellRental(added.value, told);
    if (rental.isGuessDeclined) guessDeclined(declined, added.value.id);
    connectRequested(added.value.id);
    onAdded(added.value.id);
  }

  const { profiles, platform, guess, choosePlatform } = rental;
  return (
    <form
      className={styles['form']}
      noValidate
      onChange={() => setRefusal(null)}
      onSubmit={(event) => void submitted(event)}
    >
      {isPasting && <CommandInput text={text} command={command} onText={pasted} />}
      <ForwardFields forwards={command.forwards} left={rental.left} onLeft={rental.leave} />
      <div className={styles['columns']}>
        <div className={styles['column']}>
          <ConnectionFields form={{ ...form, values }} />
        </div>
        <div className={styles['column']}>
          <ProviderField {...{ profiles, platform, guess }} onPlatform={choosePlatform} />
          <RentalFields
            values={rental.values}
            errors={rental.errors}
            last={rental.last}
            onChange={rental.change}
          />
          <Field
            label="Name in Leasehold"
            placeholder={defaultName(values)}
            value={name}
            error={nameError}
            onValue={setName}
          />
        </div>
      </div>
      <DialogFooter note={<Refusal problem={refusal} />}>
        <p className={styles['promise']}>
          Leasehold connects at once, and asks before it trusts a machine that it has not met.
        </p>
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
