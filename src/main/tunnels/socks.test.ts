import { describe, expect, it } from 'vitest';
import { SocksHandshake, type SocksStep } from './socks.ts';

const name = (text: string): number[] => [text.length, ...Buffer.from(text)];
const GREETING = [5, 1, 0];

/** What comes of these bytes, however they are cut. */
function talk(bytes: readonly number[], size = bytes.length): SocksStep {
  const handshake = new SocksHandshake();
  let step: SocksStep = { kind: 'wait' };
  for (let at = 0; at < bytes.length; at += size) {
    step = handshake.push(Uint8Array.from(bytes.slice(at, at + size)));
    while (step.kind === 'reply') step = handshake.push(new Uint8Array());
  }
  return step;
}

describe('SocksHandshake', () => {
  it.each([
    ['5, IPv4', [...GREETING, 5, 1, 0, 1, 127, 0, 0, 1, 0x17, 0x76], '127.0.0.1', 6006],
    ['5, name', [...GREETING, 5, 1, 0, 3, ...name('gpu.example'), 0, 80], 'gpu.example', 80],
    [
      '5, IPv6',
      [...GREETING, 5, 1, 0, 4, ...Array<number>(15).fill(0), 1, 0, 80],
      '0:0:0:0:0:0:0:1',
      80,
    ],
    ['4', [4, 1, 0, 80, 10, 0, 0, 7, 0], '10.0.0.7', 80],
    ['4 with a user', [4, 1, 0, 80, 10, 0, 0, 7, 109, 101, 0], '10.0.0.7', 80],
    ['4a', [4, 1, 0, 80, 0, 0, 0, 1, 0, ...Buffer.from('gpu.example'), 0], 'gpu.example', 80],
  ])('reads version %s, in one piece and byte by byte', (_what, bytes, host, port) => {
    for (const size of [bytes.length, 1]) {
      expect(talk(bytes, size)).toMatchObject({ kind: 'connect', target: { host, port } });
    }
  });

  it('keeps what the client sent too early', () => {
    const step = talk([...GREETING, 5, 1, 0, 1, 127, 0, 0, 1, 0, 80, 71, 69, 84]);
    expect(step).toMatchObject({ kind: 'connect' });
    expect(step.kind === 'connect' && [...step.rest]).toEqual([71, 69, 84]);
  });

  it.each([
    ['HTTP', [...Buffer.from('GET / HTTP/1.1')]],
    ['a password only', [5, 1, 2]],
    ['BIND', [...GREETING, 5, 2, 0, 1, 127, 0, 0, 1, 0, 80]],
    ['UDP', [...GREETING, 5, 3, 0, 1, 127, 0, 0, 1, 0, 80]],
    ['an unknown address type', [...GREETING, 5, 1, 0, 9, 1, 2, 3, 4, 0, 80]],
    ['port 0', [...GREETING, 5, 1, 0, 1, 127, 0, 0, 1, 0, 0]],
    ['a name with a line break', [...GREETING, 5, 1, 0, 3, ...name('a\nb'), 0, 80]],
    ['a name like an option', [...GREETING, 5, 1, 0, 3, ...name('-oProxyCommand'), 0, 80]],
    ['an empty name', [...GREETING, 5, 1, 0, 3, 0, 0, 80]],
    ['BIND in version 4', [4, 2, 0, 80, 10, 0, 0, 7, 0]],
    ['a user name without end', [4, 1, 0, 80, 10, 0, 0, 7, ...Array<number>(2000).fill(65)]],
  ])('refuses %s', (_what, bytes) => {
    expect(talk(bytes).kind).toBe('refuse');
  });
});
