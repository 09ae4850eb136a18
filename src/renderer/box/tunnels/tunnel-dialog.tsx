import { useState, type FormEvent } from 'react';
import type { Problem } from '../../../shared/problem.ts';
import type { Tunnel, TunnelKind } from '../../../shared/tunnels/tunnel.ts';
import { call } from '../../state/bridge.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { Refusal } from '../../ui/problem-note.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Switch } from '../../ui/switch.tsx';
import {
  defaultTunnelName,
  EMPTY_TUNNEL,
  judgeTunnelForm,
  listenPortOf,
  toDraft,
  valuesOf,
  type TunnelValues,
} from './tunnel-form.ts';
import styles from './tunnels.module.css';

interface TunnelDialogProps {
  readonly boxId: string;
  /** Null: a new one. */
  readonly tunnel: Tunnel | null;
  /** Of a new one, where it is known already. */
  readonly targetPort?: number | null;
  readonly onClose: () => void;
}

const KINDS: readonly { readonly value: TunnelKind; readonly label: string }[] = [
  { value: 'local', label: 'From here to the box' },
  { value: 'remote', label: 'From the box to here' },
  { value: 'dynamic', label: 'SOCKS proxy' },
];

const KIND_HINTS: Readonly<Record<TunnelKind, string>> = {
  local: 'Opens a port on this machine. What connects to it reaches the port on the box.',
  remote: 'Opens a port on the box. What connects to it there reaches the port on this machine.',
  dynamic: 'Opens a proxy on this machine. Programs that use it reach whatever the box can reach.',
};

/** Adds a tunnel or changes one. */
export function TunnelDialog({ boxId, tunnel, targetPort = null, onClose }: TunnelDialogProps) {
  const [values, setValues] = useState<TunnelValues>(
    tunnel === null
      ? { ...EMPTY_TUNNEL, targetPort: targetPort === null ? '' : String(targetPort) }
      : valuesOf(tunnel),
  );
  const [isTried, setIsTried] = useState(false);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const errors = judgeTunnelForm(values);
  const shown = isTried ? errors : {};

  function set(part: Partial<TunnelValues>): void {
    setValues((old) => ({ ...old, ...part }));
    setRefusal(null);
  }

  async function submitted(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    setIsTried(true);
    if (Object.keys(errors).length > 0) {
      // After React has marked them.
      setTimeout(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    const draft = toDraft(values, tunnel?.service ?? null);
    const kept = await (tunnel === null
      ? call('tunnel:add', { boxId, draft })
      : call('tunnel:change', { boxId, tunnelId: tunnel.id, draft }));
    if (kept.ok) onClose();
    else setRefusal(kept.error);
  }

  const isRemote = values.kind === 'remote';
  return (
    <Dialog
      title={tunnel === null ? 'Add tunnel' : `Change ${tunnel.name}`}
      description={KIND_HINTS[values.kind]}
      onClose={onClose}
    >
      <form className={styles['form']} noValidate onSubmit={(event) => void submitted(event)}>
        <Segmented
          label="Direction"
          options={KINDS}
          value={values.kind}
          onChange={(kind) => set({ kind })}
        />
        {values.kind !== 'dynamic' && (
          <div className={styles['pair']}>
            <Field
              label={isRemote ? 'Local host' : 'Remote host'}
              isMono
              value={values.targetHost}
              error={shown.targetHost ?? null}
              onValue={(targetHost) => set({ targetHost })}
            />
            <Field
              label={isRemote ? 'Local port' : 'Port on the box'}
              isMono
              autoFocus
              inputMode="numeric"
              placeholder="6006"
              value={values.targetPort}
              error={shown.targetPort ?? null}
              onValue={(targetPort) => set({ targetPort })}
            />
          </div>
        )}
        <div className={styles['pair']}>
          <Field
            label="Name"
            placeholder={defaultTunnelName(values)}
            value={values.name}
            onValue={(name) => set({ name })}
          />
          <Field
            label={isRemote ? 'Port to open on the box' : 'Port to open here'}
            isMono
            inputMode="numeric"
            placeholder={listenPortOf(values) || '1080'}
            value={values.listenPort}
            error={shown.listenPort ?? null}
            onValue={(listenPort) => set({ listenPort })}
          />
        </div>
        {values.kind !== 'dynamic' && (
          <Switch
            label="HTTP service"
            hint="Checks with GET / and shows Open. Off: a check only opens a connection."
            isOn={values.isWeb}
            onChange={(isWeb) => set({ isWeb })}
          />
        )}
        <Switch
          label={isRemote ? 'Allow other machines to connect' : 'Allow other devices on my network'}
          hint={
            isRemote
              ? 'Off: only programs on the box reach it. The box’s SSH server must allow more (GatewayPorts).'
              : 'Off: only programs on this machine reach it.'
          }
          isOn={values.isExposed}
          onChange={(isExposed) => set({ isExposed })}
        />
        {values.isExposed && (
          <p className={styles['warning']} role="status">
            <Glyph tone="warn" />
            <span>
              {isRemote
                ? 'Everybody who can reach the box can use this port and reach this machine through it, without a password.'
                : 'Everybody in your network can use this port and reach the box through it, without a password.'}
            </span>
          </p>
        )}
        <Refusal problem={refusal} />
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary">
            {tunnel === null ? 'Add tunnel' : 'Save'}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
