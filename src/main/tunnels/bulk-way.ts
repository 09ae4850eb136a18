import { createCipheriv } from 'node:crypto';
import type { Log } from '../log/log.ts';
import type { FastLane } from '../ssh/fast-lane.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import type { OpenStream } from './forward.ts';

/** A box whose tunnels have carried this much is worth a second login and a process; TensorBoard alone never gets there. */
const HEAVY_BYTES = 32 * 1024 * 1024;
/** What `ssh -L` reaches on one core of a small machine. A runtime that encrypts faster than this gains nothing by a detour. */
const FAST_CRYPTO_MB_PER_S = 450;

export interface BulkWay {
  readonly openStream: OpenStream;
  /** Bytes that a tunnel carried. */
  count(bytes: number): void;
  close(): void;
}

export interface BulkWayOptions {
  readonly connection: SshConnection;
  readonly log: Pick<Log, 'info'>;
  readonly heavyBytes?: number;
  /** Measured once at run time: it differs by runtime and machine. */
  readonly isCryptoSlow?: () => boolean;
}

/**
 * Streams to the box: over the link, and once its tunnels have become heavy over the system's ssh, where the runtime's own
 * encryption is what limits them. Whatever the fast way cannot do, the link does.
 */
export function openBulkWay({
  connection,
  log,
  heavyBytes = HEAVY_BYTES,
  isCryptoSlow = hasSlowCrypto,
}: BulkWayOptions): BulkWay {
  let carried = 0;
  let lane: FastLane | null = null;
  let isTried = false;
  const leave = new AbortController();

  async function openLane(): Promise<void> {
    const opened = await connection.openFastLane(leave.signal);
    if (!opened.ok) {
      log.info('no second way for bulk data', { detail: opened.error.detail ?? '' });
    } else if (leave.signal.aborted) {
      opened.value.close();
    } else {
      lane = opened.value;
      log.info('bulk data goes over the system’s ssh');
      void lane.gone.then(() => (lane = null));
    }
  }

  return {
    openStream: async (target, signal) => {
      const opened = await lane?.openStream(target);
      return opened?.ok === true ? opened : connection.openStream(target, signal);
    },
    count: (bytes) => {
      carried += bytes;
      if (isTried || carried < heavyBytes) return;
      isTried = true;
      if (isCryptoSlow()) void openLane();
    },
    close: () => {
      leave.abort();
      lane?.close();
    },
  };
}

let isSlow: boolean | null = null;

function hasSlowCrypto(): boolean {
  isSlow ??= measureCryptoMBPerS() < FAST_CRYPTO_MB_PER_S;
  return isSlow;
}

const PACKET_BYTES = 32 * 1024; // ssh2's
const PACKETS = 16;

/** Encrypts half a megabyte as ssh2 does; a few milliseconds where it is slow. */
export function measureCryptoMBPerS(): number {
  const packet = Buffer.alloc(PACKET_BYTES);
  const startedAtMs = performance.now();
  for (let i = 0; i < PACKETS; i += 1) {
    const cipher = createCipheriv('aes-128-gcm', Buffer.alloc(16), Buffer.alloc(12));
    cipher.update(packet);
    cipher.final();
  }
  return (PACKETS * PACKET_BYTES) / 1000 / (performance.now() - startedAtMs);
}
