import { FuseV1Options } from '@electron/fuses';
import { expect, it } from 'vitest';
import { FUSES } from './fuses.mjs';

// e2e/packaged.spec.ts reads them from the packed executable; this says which, whatever that one is told.
it.each<[keyof typeof FuseV1Options, boolean]>([
  ['RunAsNode', false],
  ['EnableCookieEncryption', true],
  ['EnableNodeOptionsEnvironmentVariable', false],
  ['EnableNodeCliInspectArguments', false],
  ['EnableEmbeddedAsarIntegrityValidation', true],
  ['OnlyLoadAppFromAsar', true],
  ['LoadBrowserProcessSpecificV8Snapshot', false],
  ['GrantFileProtocolExtraPrivileges', false],
])('the fuse %s is set to %s', (fuse, isOn) => {
  expect(FUSES[FuseV1Options[fuse]]).toBe(isOn);
});

it('leaves none to Electron’s default', () => {
  const fuses = Object.values(FuseV1Options).filter((each) => typeof each === 'number');
  expect(Object.keys(FUSES).map(Number).sort()).toEqual(fuses.sort());
});
