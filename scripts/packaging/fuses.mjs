import { flipFuses, FuseV1Options, FuseVersion, getCurrentFuseWire } from '@electron/fuses';

/**
 * SECURITY: what a packaged Leasehold can never be talked into, by an environment variable or an argument: being a plain
 * Node, opening a debugger, loading code from outside its checked archive.
 */
export const FUSES = {
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableCookieEncryption]: true,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
};

/** Sets the fuses of a packaged executable, in place. A fuse that this Electron does not have yet is left out. */
export async function setFuses(/** @type {string} */ executable) {
  const present = Object.keys(await getCurrentFuseWire(executable));
  const known = Object.entries(FUSES).filter(([fuse]) => present.includes(fuse));
  await flipFuses(executable, { version: FuseVersion.V1, ...Object.fromEntries(known) });
}
