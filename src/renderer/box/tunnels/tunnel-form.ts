import { judgeHost, judgePort, parsePort } from '../../../shared/boxes/ssh-address.ts';
import type {
  Tunnel,
  TunnelDraft,
  TunnelKind,
  TunnelService,
} from '../../../shared/tunnels/tunnel.ts';

/** What stands in the fields: text, as a person types it. */
export interface TunnelValues {
  readonly name: string;
  readonly kind: TunnelKind;
  readonly isWeb: boolean;
  readonly listenPort: string;
  readonly targetHost: string;
  readonly targetPort: string;
  readonly isExposed: boolean;
}

export const EMPTY_TUNNEL: TunnelValues = {
  name: '',
  kind: 'local',
  isWeb: true,
  listenPort: '',
  targetHost: '127.0.0.1',
  targetPort: '',
  isExposed: false,
};

export function valuesOf(tunnel: Tunnel): TunnelValues {
  const { name, kind, service, listenPort, isExposed, target } = tunnel;
  return {
    name,
    kind,
    isWeb: service !== 'tcp',
    listenPort: String(listenPort),
    targetHost: target?.host ?? EMPTY_TUNNEL.targetHost,
    targetPort: target === null ? '' : String(target.port),
    isExposed,
  };
}

/** The local port follows the remote one until it is typed: that is what people expect of a forward. */
export function listenPortOf({ kind, listenPort, targetPort }: TunnelValues): string {
  return listenPort === '' && kind === 'local' ? targetPort : listenPort;
}

export type TunnelErrors = Partial<Record<'listenPort' | 'targetHost' | 'targetPort', string>>;

/** A field with a mistake and what is wrong with it. Main checks again with its own schema. */
export function judgeTunnelForm(values: TunnelValues): TunnelErrors {
  const errors: Record<string, string | null> = { listenPort: judgePort(listenPortOf(values)) };
  if (values.kind !== 'dynamic') {
    errors['targetHost'] = judgeHost(values.targetHost);
    errors['targetPort'] = judgePort(values.targetPort);
  }
  return Object.fromEntries(
    Object.entries(errors).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

export function defaultTunnelName(values: TunnelValues): string {
  if (values.kind === 'dynamic') return 'SOCKS proxy';
  const port = values.targetPort === '' ? '…' : values.targetPort;
  return values.kind === 'local' ? `Port ${port} of the box` : `Port ${port} of this machine`;
}

/** `kept`: what the tunnel leads to so far, which the form does not show. */
export function toDraft(values: TunnelValues, kept: TunnelService | null): TunnelDraft {
  const { name, kind, isWeb, isExposed, targetHost, targetPort } = values;
  const special = kept === 'tensorboard' || kept === 'jupyter' ? kept : 'http';
  return {
    name: name.trim() === '' ? defaultTunnelName(values) : name,
    kind,
    service: kind === 'dynamic' || !isWeb ? 'tcp' : kind === 'remote' ? 'http' : special,
    listenPort: parsePort(listenPortOf(values)) ?? 0,
    isExposed,
    target: kind === 'dynamic' ? null : { host: targetHost, port: parsePort(targetPort) ?? 0 },
  };
}
