import type { Client } from 'ssh2';
import { expect, it } from 'vitest';
import { endsCloseOthers } from './dropbear-fault.ts';

it.each([
  ['dropbear_2022.81', false],
  ['dropbear_2022.82', true],
  ['dropbear_2024.85', true],
  ['dropbear_2024.86', false],
  ['dropbear_2025.87', false],
  ['dropbear_0.52', false],
  ['dropbear', true],
  ['dropbear_unknown', true],
  ['OpenSSH_9.6p1', false],
])('of %s it is taken that the end of a program closes others: %s', (software, isSo) => {
  expect(endsCloseOthers({ _remoteVer: software } as unknown as Client)).toBe(isSo);
});
