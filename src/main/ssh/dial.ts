import { lookup } from 'node:dns/promises';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { err, ok, type Result } from '../../shared/result.ts';

export const CONNECT_TIMEOUT_MS = 15_000;

/** RFC 8305 asks for 250 ms before the next address is tried beside the one that has not answered. */
const NEXT_ADDRESS_AFTER_MS = 250;

export interface Place {
  readonly host: string;
  readonly port: number;
}

export interface Dialled {
  readonly socket: Socket;
  /** The time in which the machine's TCP stack answered: one round trip, without the name's resolution. */
  readonly latencyMs: number;
}

/** As Node reports it. `ABORT_ERR`: the signal. */
export interface DialFailure {
  readonly code: string;
  readonly message: string;
}

export type Resolve = (host: string) => Promise<readonly string[]>;

const ABORTED: DialFailure = { code: 'ABORT_ERR', message: 'aborted' };
const TIMED_OUT: DialFailure = { code: 'ETIMEDOUT', message: 'connect timed out' };

/**
 * TCP to the first of a name's addresses that answers, IPv6 and IPv4 side by side. Not Node's `autoSelectFamily`: that one
 * gives up an address after 250 ms, which is the round trip to many a rented box.
 */
export async function dial(
  { host, port }: Place,
  signal: AbortSignal,
  resolveName: Resolve = resolveHost,
): Promise<Result<Dialled, DialFailure>> {
  let addresses: readonly string[];
  try {
    addresses = isIP(host) === 0 ? await resolveName(host) : [host];
  } catch (cause) {
    return err(toFailure(cause));
  }
  return raceAddresses(interleaved(addresses), port, signal);
}

async function resolveHost(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true, verbatim: true });
  return found.map(({ address }) => address);
}

function raceAddresses(
  addresses: readonly string[],
  port: number,
  signal: AbortSignal,
): Promise<Result<Dialled, DialFailure>> {
  return new Promise((resolve) => {
    const open = new Set<Socket>();
    const failures: DialFailure[] = [];
    let next = 0;
    let nextTimer: NodeJS.Timeout | undefined;
    const timer = setTimeout(
      () => finish(err(mostTelling([...failures, TIMED_OUT]))),
      CONNECT_TIMEOUT_MS,
    );
    const onAbort = (): void => finish(err(ABORTED));

    function finish(result: Result<Dialled, DialFailure>): void {
      clearTimeout(timer);
      clearTimeout(nextTimer);
      signal.removeEventListener('abort', onAbort);
      for (const socket of open) socket.destroy();
      next = addresses.length;
      resolve(result);
    }

    function tryNext(): void {
      clearTimeout(nextTimer);
      const host = addresses[next];
      if (host === undefined) return;
      next += 1;
      const startedAtMs = performance.now();
      const socket = connectTcp({ host, port, noDelay: true });
      open.add(socket);
      socket.once('connect', () => {
        open.delete(socket);
        socket.removeAllListeners();
        finish(ok({ socket, latencyMs: performance.now() - startedAtMs }));
      });
      socket.once('error', (cause) => {
        open.delete(socket);
        failures.push(toFailure(cause));
        if (next < addresses.length) tryNext();
        else if (open.size === 0) finish(err(mostTelling(failures)));
      });
      if (next < addresses.length) nextTimer = setTimeout(tryNext, NEXT_ADDRESS_AFTER_MS);
    }

    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    else if (addresses.length === 0) finish(err({ code: 'ENOTFOUND', message: 'no address' }));
    else tryNext();
  });
}

/** Families by turns, so that one that goes nowhere costs one wait and not many. */
function interleaved(addresses: readonly string[]): readonly string[] {
  const [first = ''] = addresses;
  const own = addresses.filter((address) => isIP(address) === isIP(first));
  const other = addresses.filter((address) => isIP(address) !== isIP(first));
  return own
    .flatMap((address, i) => [address, ...other.slice(i, i + 1)])
    .concat(other.slice(own.length));
}

/** What this computer, its firewall or a router says where no machine was asked. */
export const NO_WAY: readonly string[] = [
  ...['ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN', 'EHOSTDOWN'],
  ...['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EACCES', 'EPERM'],
];

/** "No way to that network" of one family says less than what a machine answered over the other. */

function mostTelling(failures: readonly DialFailure[]): DialFailure {
  return failures.find(({ code }) => !NO_WAY.includes(code)) ?? failures[0] ?? TIMED_OUT;
}

function toFailure(cause: unknown): DialFailure {
  const { code, message } = cause as { code?: unknown; message?: unknown };
  return { code: typeof code === 'string' ? code : 'unknown', message: String(message ?? cause) };
}
