import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { boundReceived, countReceived } from './count-received.ts';

it('counts along with the reader, and lets nothing flow before there is one', async () => {
  const stream = new PassThrough();
  let counted = 0;
  countReceived(stream, (bytes) => (counted += bytes));
  stream.write('abc');
  // The SSH library may read only after it has loaded its ciphers.
  await setImmediate();
  const read: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => read.push(chunk));
  stream.end('de');
  await once(stream, 'end');
  expect(Buffer.concat(read).toString()).toBe('abcde');
  expect(counted).toBe(5);
});

it('counts each byte once, however many count', async () => {
  const stream = new PassThrough();
  const counted = [0, 0, 0];
  counted.forEach((_, i) =>
    countReceived(stream, (bytes) => (counted[i] = (counted[i] ?? 0) + bytes)),
  );
  stream.on('data', () => undefined);
  stream.end('abcde');
  await once(stream, 'end');
  expect(counted).toEqual([5, 5, 5]);
});

it('tells once where more comes than may, and nothing once the bound is lifted', async () => {
  const told: string[] = [];
  const bounded = new PassThrough();
  boundReceived(bounded, 4, () => told.push('bounded'));
  const lifted = new PassThrough();
  const lift = boundReceived(lifted, 4, () => told.push('lifted'));
  for (const stream of [bounded, lifted]) stream.on('data', () => undefined);
  bounded.write('abcd');
  lifted.write('abcd');
  await setImmediate();
  expect(told).toEqual([]);
  lift();
  for (const stream of [bounded, lifted]) stream.write('e');
  for (const stream of [bounded, lifted]) stream.end('f');
  await Promise.all([bounded, lifted].map((stream) => once(stream, 'end')));
  expect(told).toEqual(['bounded']);
});
