import type { Socket } from 'node:net';
import type { Connection } from 'ssh2';

/** What ssh2's server keeps to itself; the tests have it send what no server would. */
interface Inside {
  readonly _sock: Socket;
  readonly _protocol: {
    readonly _packetRW: {
      readonly write: {
        readonly allocStart: number;
        alloc(bytes: number): Buffer;
        finalize(packet: Buffer): Buffer;
      };
    };
    readonly _cipher: { encrypt(packet: Buffer): void };
  };
}

export const socketOf = (server: Connection): Socket => (server as unknown as Inside)._sock;

export function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Any payload, whether it fits what was agreed on or not. */
export function sendRaw(server: Connection, payload: Buffer): void {
  const { _protocol } = server as unknown as Inside;
  const { write } = _protocol._packetRW;
  const at = write.allocStart;
  const packet = write.alloc(payload.length);
  packet.set(payload, at);
  _protocol._cipher.encrypt(write.finalize(packet));
}

/** In rounds, so that the client hears of what was sent, until it hangs up. Tells whether it has borne all of it. */
export async function pour(
  server: Connection,
  payload: Buffer,
  times: number,
  ofEach: number,
): Promise<boolean> {
  const socket = socketOf(server);
  let isGone = !socket.writable;
  const gone = new Promise<void>((resolve) => socket.once('close', resolve));
  void gone.then(() => (isGone = true));
  for (let sent = 0; sent < times && !isGone; sent += ofEach) {
    const upTo = Math.min(times, sent + ofEach);
    for (let n = sent; n < upTo && socket.writable; n += 1) sendRaw(server, payload);
    await Promise.race([gone, new Promise((resolve) => socket.write('', resolve))]);
  }
  return !isGone;
}
