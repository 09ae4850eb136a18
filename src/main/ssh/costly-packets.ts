import type { Client } from 'ssh2';
import { readField } from './wire-fields.ts';

const GLOBAL_REQUEST = 80;
/** The same number for all ways to log in; of these, only a round of the server's questions has three texts and a count. */
const INFO_REQUEST = 60;
const TEXTS_BEFORE_COUNT = 3;
/** A question without a text: its length, and whether the answer is shown. */
const MIN_QUESTION_BYTES = 5;

/** Tells about its host keys, for clients that learn new ones. */
const HOST_KEYS = Buffer.from('hostkeys-00@openssh.com');
/** A request by a name that nobody knows: ssh2 refuses it, and reads no further. */
const UNKNOWN_REQUEST = Buffer.from([GLOBAL_REQUEST, 0, 0, 0, 1, '-'.charCodeAt(0)]);

interface Reader {
  read(payload: Buffer): Buffer;
  cleanup(): void;
}
/** ssh2 keeps it to itself, and puts a new reader there at each key exchange. */
interface Internals {
  readonly _protocol: { readonly _packetRW: { read: Reader } };
}

/**
 * SECURITY: ssh2 works on two kinds of packets before it tells anybody of them. Of host keys that a server has, each could be any
 * text of 35 kB, on which its patterns for key files take 0.7 s, and then it has the server prove each, for nobody. For the number
 * of questions that a round claims to have it makes room first: half a second, and 270 MB. Neither gets that far.
 */
export function spareCostlyPackets(client: Client): void {
  const { _packetRW } = (client as unknown as Internals)._protocol;
  let inner = _packetRW.read;
  const guarded: Reader = {
    read: (payload) => spared(inner.read(payload)),
    cleanup: () => inner.cleanup(),
  };
  Object.defineProperty(_packetRW, 'read', {
    get: () => guarded,
    set: (next: Reader) => (inner = next),
  });
}

function spared(payload: Buffer): Buffer {
  if (payload[0] === GLOBAL_REQUEST) {
    const [name, rest] = readField(payload.subarray(1));
    return name?.equals(HOST_KEYS) === true
      ? Buffer.concat([UNKNOWN_REQUEST, rest.subarray(0, 1)])
      : payload;
  }
  // Cut off, it is what it was: a broken packet, which ends the connection.
  return payload[0] === INFO_REQUEST && claimsTooMuch(payload) ? payload.subarray(0, 1) : payload;
}

/** Whether a round claims more questions than fit into its packet. */
function claimsTooMuch(payload: Buffer): boolean {
  let rest = payload.subarray(1);
  for (let text = 0; text < TEXTS_BEFORE_COUNT; text += 1) {
    const [read, after] = readField(rest);
    if (read === null) return false;
    rest = after;
  }
  return rest.length >= 4 && rest.readUInt32BE(0) > (rest.length - 4) / MIN_QUESTION_BYTES;
}
