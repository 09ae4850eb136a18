// Runs in Electron's own runtime, as main does: meets a server and tells for how long nothing else could run meanwhile, and what it took.
import { createDiffieHellmanGroup } from 'node:crypto';
import { meet, type Meeting } from '../src/main/ssh/hostile-meeting.fixture.ts';
import { timeCalls, type FloodOrder } from './flooded-calls.ts';

/** A server to meet; or what the smallest group that nobody could choose would have taken. */
export type UntrustedMeeting = Meeting;
export type UntrustedOrder = UntrustedMeeting | 'group14';

export interface UntrustedFigures {
  /** In time of the processor, of which a busy machine takes none away: as long nothing else had a turn. */
  readonly longestPauseMs: number;
  readonly cpuMs: number;
  /** Before, at most, and after all that is garbage is gone. */
  readonly memoryMiB: readonly [number, number, number];
  readonly ending: string;
}

const RESOLUTION_MS = 1;
const SETTLE_MS = 20;

process.on('message', (message) => {
  if (message === 'end') process.exit(0);
  const order = message as UntrustedOrder | FloodOrder;
  const measured =
    typeof order === 'object' && 'calls' in order ? timeCalls(order) : measure(order);
  void measured.then((figures) => process.send?.(figures));
});

async function measure(order: UntrustedOrder): Promise<UntrustedFigures> {
  const before = await settledMiB();
  const beganMs = cpuMs();
  let [peak, longest, lastMs] = [before, 0, beganMs];
  const look = (): void => {
    peak = Math.max(peak, memoryMiB());
    longest = Math.max(longest, cpuMs() - lastMs);
    lastMs = cpuMs();
  };
  const looks = setInterval(look, RESOLUTION_MS);
  const ending = order === 'group14' ? makeGroup() : (await meet(order)).ending;
  // The last pause counts when the loop has turned after it.
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  clearInterval(looks);
  const figures = { longestPauseMs: longest, cpuMs: cpuMs() - beganMs, ending };
  return { ...figures, memoryMiB: [before, peak, await settledMiB()] };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const memoryMiB = (): number => process.memoryUsage.rss() / 2 ** 20;

async function settledMiB(): Promise<number> {
  for (let n = 0; n < 3; n += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  }
  return memoryMiB();
}

function makeGroup(): string {
  createDiffieHellmanGroup('modp14').generateKeys();
  return 'made';
}
