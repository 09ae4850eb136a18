import { Plus, X } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import type { HopValues } from './connection-values.ts';
import type { ConnectionForm } from './use-connection-form.ts';
import styles from './connection.module.css';

const MAX_HOPS = 8; // as in shared/boxes/route.ts, whose schema the window does not load

/** What the chosen kind of route still has to be told. */
export function RouteFields({ form }: { readonly form: ConnectionForm }) {
  switch (form.values.routeKind) {
    case 'direct':
      return null;
    case 'jumps':
      return <HopFields form={form} />;
    case 'command':
      return (
        <Field
          label="Proxy command"
          isMono
          placeholder="ssh -W %h:%p gate.example"
          hint="Runs on this computer in your shell. %h is the host, %p the port, %r the user, %n the name in your SSH config."
          {...form.field('command')}
        />
      );
    case 'socks5':
    case 'http':
      return <ProxyFields form={form} />;
  }
}

function HopFields({ form }: { readonly form: ConnectionForm }) {
  const { hops } = form.values;
  const setHop = (index: number, part: Partial<HopValues>): void =>
    form.change({ hops: hops.map((hop, i) => (i === index ? { ...hop, ...part } : hop)) });
  return (
    <>
      <p className={styles['hint']}>
        From here to the box, in this order. Each is logged in to like a box, and each shows its own
        host key.
      </p>
      {hops.map((hop, index) => (
        <div key={index} className={styles['hop']}>
          <Field
            label={`Jump host ${index + 1}`}
            isMono
            placeholder="user@gate.example:22"
            value={hop.to}
            error={form.shownError(`hops.${index}`)}
            onValue={(to) => setHop(index, { to })}
            onBlur={() => {
              if (hop.to !== '') form.touch([`hops.${index}`]);
            }}
          />
          <Field
            label={`Key file for jump host ${index + 1}`}
            isMono
            value={hop.identityFile}
            error={form.shownError(`hopFiles.${index}`)}
            onValue={(identityFile) => setHop(index, { identityFile })}
            onBlur={() => form.touch([`hopFiles.${index}`])}
          />
          <Button
            look="quiet"
            isIcon
            aria-label={`Remove jump host ${index + 1}`}
            disabled={hops.length === 1}
            onClick={() => form.change({ hops: hops.filter((_hop, i) => i !== index) })}
          >
            <X size={14} aria-hidden />
          </Button>
        </div>
      ))}
      {hops.length < MAX_HOPS && (
        <Button
          look="quiet"
          size="small"
          onClick={() => form.change({ hops: [...hops, { to: '', identityFile: '' }] })}
        >
          <Plus size={13} aria-hidden /> Add jump host
        </Button>
      )}
    </>
  );
}

function ProxyFields({ form }: { readonly form: ConnectionForm }) {
  return (
    <>
      <div className={styles['row']}>
        <Field label="Proxy host" isMono {...form.field('proxyHost')} />
        <Field label="Proxy port" isMono inputMode="numeric" {...form.field('proxyPort')} />
      </div>
      <div className={styles['halves']}>
        <Field
          label="Proxy user"
          isMono
          hint="Leave empty if it needs no login."
          {...form.field('proxyUser')}
        />
        <Field
          label="Proxy password"
          type="password"
          hint="Leave empty to keep the stored one, if there is one."
          {...form.field('proxyPassword')}
        />
      </div>
    </>
  );
}
