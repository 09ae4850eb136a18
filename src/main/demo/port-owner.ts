import { readdir, readFile, readlink } from 'node:fs/promises';

const LISTENING = '0A';

/**
 * Whether a process that `isOurs` accepts listens on this port of the loopback or of all addresses. Only Linux can tell
 * without a helper program; elsewhere the answer is no, so that a tunnel never reaches what is not the box's.
 */
export async function isPortOwned(
  port: number,
  isOurs: (pid: number) => Promise<boolean>,
): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'latin1').catch(() => '')),
  );
  const sockets = new Set(tables.flatMap((table) => findListeners(table, port)));
  if (sockets.size === 0) return false;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  for (const pid of pids) {
    if ((await isOurs(pid)) && (await holdsSocket(pid, sockets))) return true;
  }
  return false;
}

/** Lines of /proc/net/tcp: `sl local_address rem_address st …`, with hexadecimal addresses and the socket's inode as tenth. */
export function findListeners(table: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return table.split('\n').flatMap((line) => {
    const fields = line.trim().split(/\s+/);
    const [local, state, inode] = [fields[1], fields[3], fields[9]];
    const isMatch = local?.endsWith(suffix) === true && state === LISTENING;
    return isMatch && inode !== undefined ? [`socket:[${inode}]`] : [];
  });
}

async function holdsSocket(pid: number, sockets: ReadonlySet<string>): Promise<boolean> {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
  for (const descriptor of descriptors) {
    const target = await readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => '');
    if (sockets.has(target)) return true;
  }
  return false;
}
