import type { RouteKind } from './connection-values.ts';
import { Field } from '../../ui/field.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Switch } from '../../ui/switch.tsx';
import type { ConnectionForm } from './use-connection-form.ts';
import { PathsField } from './paths-field.tsx';
import { RouteFields } from './route-fields.tsx';
import styles from './connection.module.css';

const ROUTES: readonly { readonly value: RouteKind; readonly label: string }[] = [
  { value: 'direct', label: 'Direct' },
  { value: 'jumps', label: 'Jump host' },
  { value: 'socks5', label: 'SOCKS5' },
  { value: 'http', label: 'HTTP proxy' },
  { value: 'command', label: 'ProxyCommand' },
];

/** Where a box is, how the bytes get there, and who logs in. */
export function ConnectionFields({ form }: { readonly form: ConnectionForm }) {
  const { values, change } = form;
  return (
    <>
      <div className={styles['row']}>
        <Field label="Host" isMono {...form.field('host')} />
        <Field label="Port" isMono inputMode="numeric" {...form.field('port')} />
      </div>
      <div className={styles['halves']}>
        <Field label="User" isMono {...form.field('user')} />
        <PathsField
          label="Private key file"
          hint="Leave empty to use your SSH agent and default keys."
          name="identityFiles"
          form={form}
        />
      </div>
      <div className={styles['route']}>
        <span className={styles['label']}>Connect via</span>
        <Segmented
          label="Connect via"
          options={ROUTES}
          value={values.routeKind}
          onChange={(routeKind) => change({ routeKind })}
        />
        <RouteFields form={form} />
      </div>
      <MoreFields form={form} />
    </>
  );
}

/** Open from the start where something in it is set: a fold must not hide what decides the connection. */
function MoreFields({ form }: { readonly form: ConnectionForm }) {
  const { values, change } = form;
  const isUsed =
    values.certificateFiles.length > 0 ||
    values.isOnlyIdentities ||
    values.forwardAgent ||
    values.hostKeyAlias !== '' ||
    values.knownHostsFiles.length > 0 ||
    values.keepaliveEveryS !== '';
  return (
    <details className={styles['more']} open={isUsed || undefined}>
      <summary>Certificates, agent, host key, keepalive</summary>
      <div className={styles['moreFields']}>
        <Switch
          label="Offer only the key files named above"
          hint="A server cuts off after a few wrong keys; an agent may hold many."
          isOn={values.isOnlyIdentities}
          onChange={(isOnlyIdentities) => change({ isOnlyIdentities })}
        />
        <Switch
          label="Lend my SSH agent to terminals on this box"
          hint="So that git or ssh there can use your keys, as with ssh -A. The keys stay on this machine."
          isOn={values.forwardAgent}
          onChange={(forwardAgent) => change({ forwardAgent })}
        />
        {values.forwardAgent && (
          <p className={styles['warning']} role="note">
            <Glyph tone="warn" />
            <span>
              Whoever has root on the box, its owner too, can log in anywhere as you with every key
              of your agent while a terminal is open, unless you bound the key to certain servers
              (ssh-add -h). On a rented machine that is a stranger. To reach a box behind this one,
              a jump host needs no lent agent.
            </span>
          </p>
        )}
        <div className={styles['halves']}>
          <PathsField label="Certificate file" name="certificateFiles" form={form} />
          <PathsField label="Known hosts file" name="knownHostsFiles" form={form} />
        </div>
        <div className={styles['halves']}>
          <Field
            label="Host key alias"
            isMono
            hint="The name under which its host key is looked up."
            {...form.field('hostKeyAlias')}
          />
          <Field
            label="Keepalive interval (seconds)"
            isMono
            inputMode="numeric"
            placeholder="10"
            hint="Maximum 10 s, so a dropped connection is noticed within 30 s."
            {...form.field('keepaliveEveryS')}
          />
        </div>
      </div>
    </details>
  );
}
