import { expect, it } from 'vitest';
import { parseListeningPorts } from './listening-ports.ts';

const ANY6 = '0'.repeat(32);

it.each([
  ['every address of the box', ['00000000'], '127.0.0.1'],
  ['every address, of the newer kind', [ANY6], '127.0.0.1'],
  ['127.0.0.1', ['0100007F'], '127.0.0.1'],
  ['another of the loopback', ['0101007F'], '127.0.1.1'],
  ['::1 alone', ['00000000000000000000000001000000'], '::1'],
  ['::1 and 127.0.0.1', ['00000000000000000000000001000000', '0100007F'], '127.0.0.1'],
  ['one address of the box', ['0B00A8C0'], '192.168.0.11'],
  ['one as the newer kind has it', ['0000000000000000FFFF00000B00A8C0'], '192.168.0.11'],
  ['::1 and another', ['0B00A8C0', '00000000000000000000000001000000'], '::1'],
  ['one of the newer kind', ['B80D01200000000000000000010000FE'], '2001:db8::fe00:1'],
])('a program that listens at %s is reached', (_what, addresses, host) => {
  const told = addresses.map((address) => `L 8888 ${address} jupyter`).join('\n');
  expect(parseListeningPorts(told)).toEqual({
    ports: [{ port: 8888, program: 'jupyter', host }],
    isCut: false,
    unreadable: 0,
  });
});

it('are as many as the script tells at most, whatever a box makes up', () => {
  const told = Array.from({ length: 9000 }, (_, at) => `L ${String(at + 1)} 0100007F a\n`).join('');
  const { ports, isCut } = parseListeningPorts(told);
  expect([ports?.length, isCut]).toEqual([200, true]);
});
