import { err, ok, type Result } from '../result.ts';
import { describeEndpoint } from '../tunnels/describe-endpoint.ts';
import type { Endpoint } from '../tunnels/tunnel.ts';
import { judgeHost, parsePort } from './ssh-address.ts';

/** A port that a command opens on this machine, and where it leads to as the box sees it. */
export interface SshForward {
  readonly listenPort: number;
  readonly target: Endpoint;
}

/** A name, an IPv4 address, or an IPv6 address in brackets. */
const PART = String.raw`(\[[^\]]*\]|[^:/\[\]]*)`;
const FORWARD = new RegExp(`^(?:${PART}:)?(\\d+):${PART}:(\\d+)$`);
const LOOPBACK = ['localhost', '127.0.0.1', '::1'];

/** What `-L` takes: `8080:localhost:8080`, with the address to listen at before it. Refused with a reason that fits behind it. */
export function parseForward(text: string): Result<SshForward, string> {
  const [, bind, listen = '', host = '', port = ''] = FORWARD.exec(text.trim()) ?? [];
  const listenPort = parsePort(listen);
  const target = { host: bare(host), port: parsePort(port) };
  if (listenPort === null || target.port === null || judgeHost(target.host) !== null) {
    return err('not used: this is no port on this machine and one on the box');
  }
  // SECURITY: a pasted line opens nothing to the network; the person does, where the warning stands.
  if (bind !== undefined && !LOOPBACK.includes(bare(bind))) {
    return err('not used: it would let other machines in; add it in the box’s Tunnels tab');
  }
  return ok({ listenPort, target: { host: target.host, port: target.port } });
}

function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

/** "8080 → 8081 on the box"; a machine behind the box by its name. */
export function describeForward({ listenPort, target }: SshForward): string {
  const place = LOOPBACK.includes(target.host)
    ? `${String(target.port)} on the box`
    : describeEndpoint(target);
  return `${String(listenPort)} here → ${place}`;
}
