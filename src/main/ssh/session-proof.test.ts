import type { Client } from 'ssh2';
import { expect, it } from 'vitest';
import { SessionProof } from './session-proof.ts';
import { field } from './wire-fields.ts';

const SESSION_ID = Buffer.from('the id of the session');

/** A client in whose last key exchange the server has signed. */
function exchanging() {
  const kex: { _sig?: Buffer; sessionID?: Buffer } = {};
  const client = { _protocol: { _kex: kex } } as unknown as Client;
  return { kex, proof: new SessionProof(client) };
}

it('is of the first key exchange, whatever the server shows in later ones', () => {
  const { kex, proof } = exchanging();
  kex._sig = Buffer.from('signed first');
  proof.keyShown(Buffer.from('first key'));
  kex.sessionID = SESSION_ID;
  const binding = proof.agentBinding();
  kex._sig = Buffer.from('signed later');
  proof.keyShown(Buffer.from('another key'));
  expect(proof.agentBinding()).toEqual(binding);
  expect(
    binding?.includes(Buffer.concat(['first key', SESSION_ID, 'signed first'].map(field))),
  ).toBe(true);
});

it('is none before the server has signed', () => {
  const { kex, proof } = exchanging();
  proof.keyShown(Buffer.from('a key that is merely shown'));
  kex.sessionID = SESSION_ID;
  expect(proof.agentBinding()).toBeNull();
});
