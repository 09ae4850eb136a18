import type { Endpoint } from '../../shared/tunnels/tunnel.ts';

/**
 * The server's side of SOCKS 5 (RFC 1928, without a password) and 4/4a, as far as a proxy on the own loopback needs it:
 * CONNECT. Pure: bytes in, the next step out.
 */
export type SocksStep =
  /** More bytes are needed. */
  | { readonly kind: 'wait' }
  /** Send this and go on reading. */
  | { readonly kind: 'reply'; readonly bytes: Uint8Array }
  /** Send this and hang up. */
  | { readonly kind: 'refuse'; readonly bytes: Uint8Array; readonly because: string }
  /** Connect there; then send `granted` or `denied`, and pass on `rest` first. */
  | {
      readonly kind: 'connect';
      readonly target: Endpoint;
      readonly granted: Uint8Array;
      readonly denied: Uint8Array;
      readonly rest: Uint8Array;
    };

const WAIT: SocksStep = { kind: 'wait' };
const CONNECT = 1;
const NO_AUTH = 0;
/** A greeting or request longer than this comes from no SOCKS client. */
const MAX_BYTES = 1024;

/** X'00' succeeded, 1 general failure, 5 connection refused, 7 command not supported, 8 address type not supported. */
const reply5 = (code: number): Uint8Array => Uint8Array.of(5, code, 0, 1, 0, 0, 0, 0, 0, 0);
const reply4 = (code: number): Uint8Array => Uint8Array.of(0, code, 0, 0, 0, 0, 0, 0);
const GRANTED_4 = 0x5a;
const DENIED_4 = 0x5b;

/** Reads one client's handshake. `push` everything that comes until the step is not `wait` or `reply` any more. */
export class SocksHandshake {
  #seen = Buffer.alloc(0);
  #isGreeted = false;

  push(chunk: Uint8Array): SocksStep {
    this.#seen = Buffer.concat([this.#seen, chunk]);
    const step = this.#next();
    if (step.kind !== 'wait' || this.#seen.length <= MAX_BYTES) return step;
    return { kind: 'refuse', bytes: new Uint8Array(), because: 'too long for a SOCKS request' };
  }

  #next(): SocksStep {
    const version = this.#seen[0];
    if (version === undefined) return WAIT;
    if (version === 4) return readRequest4(this.#seen);
    if (version !== 5) {
      return { kind: 'refuse', bytes: new Uint8Array(), because: 'this is no SOCKS client' };
    }
    return this.#isGreeted ? readRequest5(this.#seen) : this.#readGreeting();
  }

  #readGreeting(): SocksStep {
    const count = this.#seen[1];
    if (count === undefined || this.#seen.length < 2 + count) return WAIT;
    const methods = this.#seen.subarray(2, 2 + count);
    if (!methods.includes(NO_AUTH)) {
      return {
        kind: 'refuse',
        bytes: Uint8Array.of(5, 0xff),
        because: 'the client insists on a password',
      };
    }
    this.#seen = this.#seen.subarray(2 + count);
    this.#isGreeted = true;
    return { kind: 'reply', bytes: Uint8Array.of(5, NO_AUTH) };
  }
}

function readRequest5(seen: Buffer): SocksStep {
  if (seen.length < 5) return WAIT;
  const [, command, , type, length = 0] = seen;
  if (command !== CONNECT) {
    return { kind: 'refuse', bytes: reply5(7), because: 'only CONNECT is served' };
  }
  const size = type === 1 ? 4 : type === 4 ? 16 : type === 3 ? length + 1 : null;
  if (size === null) return { kind: 'refuse', bytes: reply5(8), because: 'unknown address type' };
  const end = 4 + size;
  if (seen.length < end + 2) return WAIT;
  const address = seen.subarray(4, end);
  const host = type === 3 ? address.toString('latin1', 1) : formatAddress(address);
  const port = seen.readUInt16BE(end);
  return judgeTarget({ host, port }, reply5(0), reply5(5), reply5(1), seen.subarray(end + 2));
}

function readRequest4(seen: Buffer): SocksStep {
  if (seen.length < 9) return WAIT;
  const userEnd = seen.indexOf(0, 8);
  if (userEnd === -1) return WAIT;
  const refused = reply4(DENIED_4);
  if (seen[1] !== CONNECT) {
    return { kind: 'refuse', bytes: refused, because: 'only CONNECT is served' };
  }
  const port = seen.readUInt16BE(2);
  const address = seen.subarray(4, 8);
  // 4a: 0.0.0.x says that a name follows.
  const hasName = address.readUInt32BE(0) < 256 && address[3] !== 0;
  const nameEnd = hasName ? seen.indexOf(0, userEnd + 1) : userEnd;
  if (nameEnd === -1) return WAIT;
  const host = hasName ? seen.toString('latin1', userEnd + 1, nameEnd) : formatAddress(address);
  const granted = reply4(GRANTED_4);
  return judgeTarget({ host, port }, granted, refused, refused, seen.subarray(nameEnd + 1));
}

function judgeTarget(
  target: Endpoint,
  granted: Uint8Array,
  denied: Uint8Array,
  malformed: Uint8Array,
  rest: Uint8Array,
): SocksStep {
  const isPlain = /^[\w.:-]{1,255}$/.test(target.host) && !target.host.startsWith('-');
  if (!isPlain || target.port === 0) {
    return { kind: 'refuse', bytes: malformed, because: 'not an address' };
  }
  return { kind: 'connect', target, granted, denied, rest };
}

function formatAddress(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_none, i) => bytes.readUInt16BE(i * 2).toString(16));
  return groups.join(':');
}
