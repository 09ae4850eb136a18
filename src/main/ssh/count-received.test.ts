import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { countReceived } from './count-received.ts';

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
