import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { isReachable, listeningHere, socketsHeld, type ListeningRow } from './port-owner.ts';
import { replaceFile } from './replace-file.ts';
import { TENSORBOARD_PORT } from './tensorboard.ts';

const HEAD =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';
/** Nothing listens there: the SSH server itself answers. No process of the box holds its socket. */
const TENSORBOARD = `   0: 0100007F:${TENSORBOARD_PORT.toString(16).toUpperCase()} 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1`;

/** It may go through every process of this computer: no more often than this, however fast the simulated world goes. */
const LOOK_EVERY_MS = 900;

/** What listens on the box, as a kernel's tables: its TensorBoard, and where a tunnel reaches its own processes, which are real. */
export class PortTable {
  readonly #folder: string;
  readonly #isOurs: (pid: number) => Promise<boolean>;
  /** Of all that listened on this computer at the last look: only then somebody has to ask whose it is. */
  #sockets: string | null = null;
  #lookedAtMs = -Infinity;

  constructor(procFolder: string, isOurs: (pid: number) => Promise<boolean>) {
    this.#folder = join(procFolder, 'net');
    this.#isOurs = isOurs;
  }

  async look(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - this.#lookedAtMs < LOOK_EVERY_MS) return;
    this.#lookedAtMs = nowMs;
    const [tcp, tcp6] = await listeningHere();
    const all = [...tcp, ...tcp6];
    const sockets = all.map(({ socket }) => socket).join(' ');
    if (sockets === this.#sockets) return;
    const held = await socketsHeld(this.#isOurs);
    const ours = (rows: readonly ListeningRow[]): readonly string[] =>
      rows.filter((row) => isReachable(row, all, held)).map(({ line }) => line);
    await mkdir(this.#folder, { recursive: true });
    await this.#publish('tcp', [TENSORBOARD, ...ours(tcp)]);
    await this.#publish('tcp6', ours(tcp6));
    this.#sockets = sockets;
  }

  async #publish(name: string, rows: readonly string[]): Promise<void> {
    await replaceFile(join(this.#folder, name), `${[HEAD, ...rows].join('\n')}\n`);
  }
}
