import { readdir, readFile, readlink } from 'node:fs/promises';
import type { PortHolder } from '../../shared/tunnels/tunnel.ts';

const LISTENING = '0A';
const ASK_TIMEOUT_MS = 3000;

/** Which program of this machine listens on a port. Null: the system does not tell us, which says nothing about who it is. */
export function findPortHolder(port: number): Promise<PortHolder | null> {
  switch (process.platform) {
    case 'linux':
      return holderFromProc(port);
    case 'win32':
      return holderFromNetstat(port);
    default:
      return holderFromLsof(port);
  }
}

/** Another user's programs keep their open files to themselves; then the answer is null. */
async function holderFromProc(port: number): Promise<PortHolder | null> {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'latin1').catch(() => '')),
  );
  const sockets = new Set(tables.flatMap((table) => listenerSockets(table, port)));
  if (sockets.size === 0) return null;
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry) || !(await holdsOne(entry, sockets))) continue;
    const name = await readFile(`/proc/${entry}/comm`, 'utf8').catch(() => '');
    return { pid: Number(entry), name: cleanName(name) };
  }
  return null;
}

/** Lines of /proc/net/tcp: `sl local_address rem_address st …`, addresses hexadecimal, the socket's inode tenth. */
export function listenerSockets(table: string, port: number): readonly string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return table.split('\n').flatMap((line) => {
    const fields = line.trim().split(/\s+/);
    const isMatch = fields[1]?.endsWith(suffix) === true && fields[3] === LISTENING;
    return isMatch && fields[9] !== undefined ? [`socket:[${fields[9]}]`] : [];
  });
}

async function holdsOne(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
  const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
  for (const file of files) {
    if (sockets.has(await readlink(`/proc/${pid}/fd/${file}`).catch(() => ''))) return true;
  }
  return false;
}

async function holderFromLsof(port: number): Promise<PortHolder | null> {
  return readLsof(await ask('lsof', ['-nP', `-iTCP:${String(port)}`, '-sTCP:LISTEN', '-Fpc']));
}

/** `p123` and `cpython3` on lines of their own. */
export function readLsof(stdout: string): PortHolder | null {
  const pid = /^p(\d+)$/m.exec(stdout)?.[1];
  const name = /^c(.+)$/m.exec(stdout)?.[1];
  return pid === undefined ? null : { pid: Number(pid), name: cleanName(name ?? '') };
}

async function holderFromNetstat(port: number): Promise<PortHolder | null> {
  const pid = readNetstat(await ask('netstat', ['-ano', '-p', 'TCP']), port);
  if (pid === null) return null;
  const tasks = await ask('tasklist', ['/FI', `PID eq ${String(pid)}`, '/FO', 'CSV', '/NH']);
  return { pid, name: cleanName(/^"([^"]+)"/.exec(tasks.trim())?.[1] ?? '') };
}

/** `  TCP    127.0.0.1:6006    0.0.0.0:0    LISTENING    4242`. The word is translated on other systems, the zero port is not. */
export function readNetstat(stdout: string, port: number): number | null {
  for (const line of stdout.split('\n')) {
    const [protocol, local, remote, , pid] = line.trim().split(/\s+/);
    const isListener = protocol === 'TCP' && remote?.endsWith(':0') === true;
    if (isListener && local?.endsWith(`:${String(port)}`) === true && /^\d+$/.test(pid ?? '')) {
      return Number(pid);
    }
  }
  return null;
}

/** What a program prints, or nothing when it is missing, refuses or takes too long. */
async function ask(file: string, args: readonly string[]): Promise<string> {
  const { execFile } = await import('node:child_process'); // takes milliseconds to load: not at the app's start
  return new Promise((resolve) => {
    execFile(
      file,
      [...args],
      { timeout: ASK_TIMEOUT_MS, windowsHide: true, maxBuffer: 4 * 1024 * 1024 },
      (_cause, stdout) => resolve(stdout),
    );
  });
}

/** A program may call itself anything. */
function cleanName(name: string): string {
  const clean = name.replace(/\p{C}/gu, '').trim().slice(0, 60);
  return clean === '' ? 'a program without a name' : clean;
}
