import { expect, it } from 'vitest';
import { crc32, crcByTable } from './crc32.ts';

it('is the same by the table of the oldest runtime, in one piece and in two', () => {
  const bytes = Buffer.from('123456789');
  for (const crc of [crc32, crcByTable]) {
    expect(crc(bytes)).toBe(0xcbf43926);
    expect(crc(bytes.subarray(4), crc(bytes.subarray(0, 4)))).toBe(0xcbf43926);
  }
});
