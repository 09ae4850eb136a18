import { useEffect, useState } from 'react';
import {
  MAX_SECRET_CHARS,
  tokenName,
  usualSecretPath,
} from '../../../shared/secrets/sent-secret.ts';
import { useAppInfo } from '../../settings/use-app-info.ts';
import { call } from '../../state/bridge.ts';
import { Field } from '../../ui/field.tsx';
import { SecretField } from '../../ui/secret-field.tsx';
import { Switch } from '../../ui/switch.tsx';
import { nameError, pathError, secretHint, type SecretValues } from './secret-values.ts';
import styles from './send-secret.module.css';

interface SecretFieldsProps {
  readonly values: SecretValues;
  readonly isDisabled: boolean;
  readonly onChange: (values: SecretValues) => void;
}

export function SecretFields({ values, isDisabled, onChange }: SecretFieldsProps) {
  const kept = useKeptNames();
  const { name, secret, path, isToBeKept, isFromKeyring } = values;
  const isKnown = name !== '' && kept.includes(tokenName(name));
  // The choice belongs to the name it was made for.
  const named = (next: string): void => {
    const isStillKnown = kept.includes(tokenName(next));
    onChange({ ...values, name: next, isFromKeyring: isFromKeyring && isStillKnown });
  };
  return (
    <fieldset className={styles['fields']} disabled={isDisabled}>
      <Field
        label="Variable"
        hint="The name under which programs look for it; the file is called the same."
        placeholder="WANDB_API_KEY"
        isMono
        maxLength={64}
        autoFocus
        value={name}
        error={nameError(values)}
        onValue={named}
      />
      {isKnown && (
        <Switch
          label="Send the one that is kept on this machine"
          hint="You sent it to a box before and had it kept."
          isOn={isFromKeyring}
          onChange={(isOn) => onChange({ ...values, isFromKeyring: isOn, secret: '' })}
        />
      )}
      {!isFromKeyring && (
        <>
          <SecretField
            label="Secret"
            hint={secretHint(values)}
            maxLength={MAX_SECRET_CHARS}
            value={secret}
            onValue={(value) => onChange({ ...values, secret: value })}
          />
          <Keeping
            isOn={isToBeKept}
            onChange={(isOn) => onChange({ ...values, isToBeKept: isOn })}
          />
        </>
      )}
      <Field
        label="File on the box"
        hint="The folder is created if needed, readable only by you. Choose the box’s own disk, not one that is shared."
        placeholder={usualSecretPath(name === '' ? 'WANDB_API_KEY' : name)}
        isMono
        maxLength={500}
        value={path}
        error={pathError(values)}
        onValue={(value) => onChange({ ...values, path: value })}
      />
    </fieldset>
  );
}

function Keeping({
  isOn,
  onChange,
}: {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}) {
  const state = useAppInfo();
  const keyring = state.kind === 'known' ? state.info.keyring : null;
  return (
    <Switch
      label="Keep it on this machine, to send it to other boxes"
      hint={
        keyring?.isKept === false
          ? `Until you quit; it cannot be kept longer: ${keyring.because}.`
          : 'Encrypted with the key in this system’s keyring; Settings → Secrets forgets it.'
      }
      isOn={isOn}
      onChange={onChange}
    />
  );
}

/** The names of all that is kept, never what it is. */
function useKeptNames(): readonly string[] {
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    void call('secret:list', {}).then((answer) => {
      if (answer.ok) setNames(answer.value.map(({ name }) => name));
    });
  }, []);
  return names;
}
