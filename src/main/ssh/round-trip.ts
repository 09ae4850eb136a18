import type { Client } from 'ssh2';

/** ssh2 has keepalives of its own but offers no single one: who is waiting for an answer to a request, and the request. */
interface Internals {
  readonly _callbacks: ((refused?: unknown) => void)[];
  readonly _protocol: { ping(): void };
}

/** Asks the server for any answer. "No" is one too (true); when the connection ends, ssh2 gives everybody an error (false). */
export function roundTrip(client: Client): Promise<boolean> {
  const { _callbacks, _protocol } = client as unknown as Internals;
  return new Promise((resolve) => {
    _callbacks.push((refused) => resolve(!(refused instanceof Error)));
    _protocol.ping();
  });
}
