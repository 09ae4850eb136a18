import { readdir, readFile, readlink } from 'node:fs/promises';

const LISTENING = '0A';

/** Where a tunnel may end, in the order in which `localhost` is tried. */
const LOOPBACK = ['127.0.0.1', '::1'] as const;
export type LoopbackAddress = (typeof LOOPBACK)[number];

/** A line of /proc/net/tcp at which something listens, and its socket as it stands in a process's descriptors. */
export interface ListeningRow {
  readonly line: string;
  readonly port: number;
  /** The addresses of the loopback at which it may be the one that answers. */
  readonly answersAt: readonly LoopbackAddress[];
  readonly socket: string;
}

// As the kernel prints them. All of IPv6 is all of IPv4 as well, unless the socket says otherwise, which no table tells.
const ANSWERS_AT: Readonly<Record<string, readonly LoopbackAddress[]>> = {
  '0100007F': ['127.0.0.1'],
  '00000000': ['127.0.0.1'],
  '0000000000000000FFFF00000100007F': ['127.0.0.1'],
  '0000000000000000FFFF000000000000': ['127.0.0.1'],
  '00000000000000000000000001000000': ['::1'],
  '00000000000000000000000000000000': ['127.0.0.1', '::1'],
};

/**
 * The addresses of the loopback at which this port is that of a process that `isOurs` accepts, and of nobody else. Only Linux
 * can tell without a helper program; elsewhere there is none, so that a tunnel never reaches what is not the box's.
 */
export async function ownedAt(
  port: number,
  isOurs: (pid: number) => Promise<boolean>,
): Promise<readonly LoopbackAddress[]> {
  const rows = (await listeningHere()).flat().filter((row) => row.port === port);
  if (rows.length === 0) return [];
  const held = await socketsHeld(isOurs);
  return LOOPBACK.filter((address) => isOwned(address, rows, held));
}

/** What listens on this computer, by IPv4 and by IPv6. */
export async function listeningHere(): Promise<
  readonly [tcp: readonly ListeningRow[], tcp6: readonly ListeningRow[]]
> {
  if (process.platform !== 'linux') return [[], []];
  const read = async (name: string): Promise<readonly ListeningRow[]> =>
    listeningRows(await readFile(`/proc/net/${name}`, 'latin1').catch(() => ''));
  return Promise.all([read('tcp'), read('tcp6')]);
}

/** Whether a tunnel reaches this row, which is one of all rows: it is held, and at some address nothing else may answer. */
export function isReachable(
  row: ListeningRow,
  rows: readonly ListeningRow[],
  held: ReadonlySet<string>,
): boolean {
  const samePort = rows.filter(({ port }) => port === row.port);
  return held.has(row.socket) && row.answersAt.some((each) => isOwned(each, samePort, held));
}

function isOwned(
  address: LoopbackAddress,
  samePort: readonly ListeningRow[],
  held: ReadonlySet<string>,
): boolean {
  const answering = samePort.filter(({ answersAt }) => answersAt.includes(address));
  return answering.length > 0 && answering.every(({ socket }) => held.has(socket));
}

/** Lines of /proc/net/tcp: `sl local_address rem_address st …`, with hexadecimal addresses and the socket's inode as tenth. */
export function listeningRows(table: string): readonly ListeningRow[] {
  return table.split('\n').flatMap((line) => {
    const fields = line.trim().split(/\s+/);
    const [local = '', state, inode] = [fields[1], fields[3], fields[9]];
    if (state !== LISTENING || inode === undefined) return [];
    const [address = '', port = ''] = local.split(':');
    const answersAt = ANSWERS_AT[address] ?? [];
    return [{ line, port: parseInt(port, 16), answersAt, socket: `socket:[${inode}]` }];
  });
}

/** Every socket of the processes that `isOurs` accepts. What they inherited of the app, such as its debugging port, stays the app's. */
export async function socketsHeld(
  isOurs: (pid: number) => Promise<boolean>,
): Promise<ReadonlySet<string>> {
  const held = new Set<string>();
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of pids.map(Number)) {
    if (await isOurs(pid)) for (const socket of await socketsOf(pid)) held.add(socket);
  }
  for (const socket of await socketsOf(process.pid)) held.delete(socket);
  return held;
}

async function socketsOf(pid: number): Promise<readonly string[]> {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const targets = await Promise.all(
    descriptors.map((each) => readlink(`/proc/${pid}/fd/${each}`).catch(() => '')),
  );
  return targets.filter((target) => target.startsWith('socket:'));
}
