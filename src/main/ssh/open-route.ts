import type { Box, JumpHostPlace } from '../../shared/boxes/box.ts';
import type { Hop, Route } from '../../shared/boxes/route.ts';
import type { Problem } from '../../shared/problem.ts';
import { err, ok, unreachable, type Result } from '../../shared/result.ts';
import { SILENCE_MS } from './answers-over.ts';
import { throughCommand } from './command-way.ts';
import { CONNECT_TIMEOUT_MS } from './dial.ts';
import { directWay } from './direct-way.ts';
import { jumpHostMachine, onTheWay, OPEN_TIMEOUT_MS, throughJumpHost } from './jump-way.ts';
import { ANSWER_TIMEOUT_MS, throughProxy, type ProxyOptions } from './proxy-way.ts';
import { HANDSHAKE_TIMEOUT_MS } from './single-connection.ts';
import type { SshConnection } from './ssh-connection.ts';
import type { OpenWay } from './way.ts';

/** Something to log in to: the box, or a jump host in the shape of one. */
export interface Machine {
  readonly box: Box;
  /** Null: the box itself. */
  readonly jumpHost: JumpHostPlace | null;
}

export interface RouteOptions {
  /** Logs in to one machine over this way, with a host key and credentials of its own. */
  readonly logIn: (machine: Machine, openWay: OpenWay) => Promise<Result<SshConnection, Problem>>;
  readonly proxyPassword: ProxyOptions['password'];
}

/** A connection to the box along its route. Whatever was opened on the way ends with it, or with the failure. */
export function openAlongRoute(
  box: Box,
  options: RouteOptions,
): Promise<Result<SshConnection, Problem>> {
  const { route, address } = box;
  switch (route.kind) {
    case 'direct':
      return options.logIn({ box, jumpHost: null }, directWay(address));
    case 'jumps':
      return openThroughJumpHosts(box, route.hops, options);
    case 'command':
      return options.logIn({ box, jumpHost: null }, throughCommand(box, route.command));
    case 'proxy': {
      const { proxy } = route;
      const way = throughProxy({ proxy, target: address, password: options.proxyPassword });
      return options.logIn({ box, jumpHost: null }, way);
    }
    default:
      return unreachable(route);
  }
}

/** Names are looked up without a deadline of ours. */
const SPARE_MS = 10_000;

/** Longer than a try along this route takes that ends by its own deadlines, where it asks no person. */
export function longestTryMs(route: Route): number {
  const direct = CONNECT_TIMEOUT_MS + HANDSHAKE_TIMEOUT_MS + SPARE_MS;
  switch (route.kind) {
    case 'direct':
    case 'command':
      return direct;
    case 'proxy':
      return direct + ANSWER_TIMEOUT_MS;
    case 'jumps':
      return direct + route.hops.length * (OPEN_TIMEOUT_MS + SILENCE_MS + HANDSHAKE_TIMEOUT_MS);
    default:
      return unreachable(route);
  }
}

export interface JumpHost extends Machine {
  readonly jumpHost: JumpHostPlace;
}

/** The machines before the box, in the order in which they are logged in to. */
export function jumpHostsTo(box: Box, hops: readonly Hop[]): readonly JumpHost[] {
  return hops.map(({ address }, index) => ({
    box: jumpHostMachine(box, hops, index),
    jumpHost: { address, position: index + 1, count: hops.length },
  }));
}

/** Logs in to each machine through the one before it. */
async function openThroughJumpHosts(
  box: Box,
  hops: readonly Hop[],
  { logIn }: RouteOptions,
): Promise<Result<SshConnection, Problem>> {
  let before: SshConnection | null = null;
  let way: OpenWay = directWay(hops[0]?.address ?? box.address);
  for (const [index, machine] of jumpHostsTo(box, hops).entries()) {
    const { jumpHost } = machine;
    const opened = await logIn(machine, way);
    if (!opened.ok) {
      before?.close();
      return err(onTheWay(opened.error, jumpHost));
    }
    before = before === null ? opened.value : endingWith(opened.value, before);
    way = throughJumpHost(before, jumpHost, hops[index + 1]?.address ?? box.address);
  }
  const opened = await logIn({ box, jumpHost: null }, way);
  if (!opened.ok) before?.close();
  return opened.ok && before !== null ? ok(endingWith(opened.value, before)) : opened;
}

/** A connection with which the login that carries it ends too, however it ends. */
function endingWith(connection: SshConnection, carrier: SshConnection): SshConnection {
  void connection.closed.then(() => carrier.close());
  return {
    ...connection,
    close: () => {
      connection.close();
      carrier.close();
    },
  };
}
