import type { WebhookKind } from '../../shared/webhook/webhook-kinds.ts';
import { SecretField } from '../ui/secret-field.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { Switch } from '../ui/switch.tsx';

export const WEBHOOK_KIND_WORDS: Readonly<Record<WebhookKind, string>> = {
  ntfy: 'ntfy',
  slack: 'Slack',
  json: 'JSON',
};

const KINDS = (Object.keys(WEBHOOK_KIND_WORDS) as WebhookKind[]).map((value) => ({
  value,
  label: WEBHOOK_KIND_WORDS[value],
}));
const ADDRESS_HINTS: Readonly<Record<WebhookKind, string>> = {
  ntfy: 'The address of your topic, as in https://ntfy.sh/my-topic.',
  slack: 'The address of an incoming webhook of your workspace.',
  json: 'Whatever takes a POST with JSON.',
};

/** As it is typed. */
export interface WebhookValues {
  readonly kind: WebhookKind;
  readonly url: string;
  readonly token: string;
  readonly isPlainAllowed: boolean;
}

export const EMPTY_WEBHOOK: WebhookValues = {
  kind: 'ntfy',
  url: '',
  token: '',
  isPlainAllowed: false,
};

interface WebhookFieldsProps {
  readonly label: string;
  readonly values: WebhookValues;
  /** A token is kept, which the window does not know. */
  readonly hadToken: boolean;
  /** The page of docs that tells the fields of the JSON. */
  readonly fieldsIn: string;
  readonly onChange: (values: WebhookValues) => void;
}

/** Where to post: what takes it, its address and what lets in. */
export function WebhookFields({ label, values, hadToken, fieldsIn, onChange }: WebhookFieldsProps) {
  const { kind, url, token, isPlainAllowed } = values;
  return (
    <>
      <Segmented
        label={label}
        options={KINDS}
        value={kind}
        onChange={(chosen) => onChange({ ...values, kind: chosen })}
      />
      <SecretField
        label="Address"
        placeholder="https://…"
        hint={`${ADDRESS_HINTS[kind]}${kind === 'json' ? ` Its fields are in ${fieldsIn}.` : ''} It is kept with your secrets: whoever knows it can write there.`}
        value={url}
        maxLength={2000}
        autoFocus
        onValue={(typed) => onChange({ ...values, url: typed })}
      />
      {kind !== 'slack' && (
        <SecretField
          label="Access token, if it wants one"
          placeholder={hadToken ? 'enter it again, or it is forgotten' : 'none'}
          hint="Sent as “Authorization: Bearer …”, or as you type it where it begins with another scheme. Kept with your secrets."
          value={token}
          maxLength={4000}
          onValue={(typed) => onChange({ ...values, token: typed })}
        />
      )}
      <Switch
        label="Allow http://"
        hint="Only for an address in your own network: anybody on the way can read what is sent, the token too."
        isOn={isPlainAllowed}
        onChange={(isOn) => onChange({ ...values, isPlainAllowed: isOn })}
      />
    </>
  );
}
