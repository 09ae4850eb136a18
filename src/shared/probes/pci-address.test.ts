import { expect, it } from 'vitest';
import { normalPciAddress } from './pci-address.ts';

it.each([
  ['0000:3b:00', '0000:3b:00'],
  ['00000000:3B:00.0', '0000:3b:00'],
  ['0008:01:00.0', '0008:01:00'],
  ['00010000:01:00.0', '10000:01:00'],
  [' 0000:10:1c ', '0000:10:1c'],
  ['3b:00.0', null],
  ['0000:3b:00.9', null],
  ['', null],
])('writes %j as %j', (printed, address) => {
  expect(normalPciAddress(printed)).toBe(address);
});
