import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os';

/** Why a link may be dead without anybody having said so. */
export type WakeReason = 'resumed' | 'unlocked' | 'time-jumped' | 'network-changed';

export interface Clocks {
  /** Goes on while the machine sleeps, and can be set. */
  readonly wallMs: number;
  /** Cannot be set; on Linux it stands still while the machine sleeps, elsewhere it goes on. */
  readonly steadyMs: number;
}

export interface WakeWatchOptions {
  readonly onWake: (reason: WakeReason) => void;
  /** What the system itself says; returns how to stop listening. */
  readonly watchSystem: (tell: (reason: WakeReason) => void) => () => void;
  readonly readClocks?: () => Clocks;
  readonly readInterfaces?: typeof networkInterfaces;
}

/** Node is told nothing when an address comes or goes, so it looks: a few dozen microseconds each time. */
const LOOK_EVERY_MS = 2000;
/** Clocks that are set by the network move in small steps, and a busy machine looks late. Sleep takes longer than both. */
const JUMP_MS = 5000;
/** Waking, an address that comes and one more that follows are one event with some aftershocks. */
const REST_MS = 2000;

/**
 * Tells when this machine has woken or come to another network. Not every system reports that, and none reports all of
 * it, so there are three witnesses: the system, the clocks and the addresses. Returns how to stop.
 */
export function watchWake({
  onWake,
  watchSystem,
  readClocks = () => ({ wallMs: Date.now(), steadyMs: performance.now() }),
  readInterfaces = networkInterfaces,
}: WakeWatchOptions): () => void {
  let clocks = readClocks();
  let addresses = reachableBy(readInterfaces());
  let rest: NodeJS.Timeout | null = null;
  let aftershock: WakeReason | null = null;

  function tell(reason: WakeReason): void {
    addresses = reachableBy(readInterfaces());
    // Without a network nothing can be found out, and its return is news of its own. What was up may yet survive.
    if (addresses === '') return;
    if (rest !== null) {
      aftershock = reason;
      return;
    }
    rest = setTimeout(() => {
      rest = null;
      const late = aftershock;
      aftershock = null;
      if (late !== null) tell(late);
    }, REST_MS);
    rest.unref();
    onWake(reason);
  }

  function look(): void {
    const before = clocks;
    clocks = readClocks();
    const hasJumped = isJump(before, clocks);
    const seen = reachableBy(readInterfaces());
    const hasMoved = seen !== addresses;
    addresses = seen;
    if (hasJumped) tell('time-jumped');
    else if (hasMoved) tell('network-changed');
  }

  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  const stopListening = watchSystem(tell);
  return () => {
    clearInterval(timer);
    if (rest !== null) clearTimeout(rest);
    stopListening();
  };
}

/** Between two looks the clocks went apart, or went on together without us. */
function isJump(before: Clocks, after: Clocks): boolean {
  const wallMs = after.wallMs - before.wallMs;
  const steadyMs = after.steadyMs - before.steadyMs;
  return Math.abs(wallMs - steadyMs) > JUMP_MS || steadyMs > LOOK_EVERY_MS + JUMP_MS;
}

/** The addresses with which another machine can be reached, in one text to compare. */
function reachableBy(interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>): string {
  return Object.entries(interfaces)
    .flatMap(([name, infos = []]) =>
      infos
        .filter(({ internal, address }) => !internal && !isLinkLocal(address))
        .map(({ cidr, address }) => `${name} ${cidr ?? address}`),
    )
    .sort()
    .join('\n');
}

/** Every interface has one, also those without a network: containers bring and take many. */
function isLinkLocal(address: string): boolean {
  return address.startsWith('fe80:') || address.startsWith('169.254.');
}
