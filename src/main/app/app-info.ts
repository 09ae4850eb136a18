import { app } from 'electron';
import type { AppInfo } from '../../shared/ipc/contract.ts';
import type { Secrets } from '../secrets/secrets.ts';

export function appInfo(given: {
  readonly dataFolder: string;
  readonly logFile: string;
  readonly secrets: Secrets;
}): AppInfo {
  return {
    version: app.getVersion(),
    electron: process.versions.electron,
    chrome: process.versions['chrome'] ?? 'unknown',
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    // Set by scripts/ when only the old runtime from the registry could be had.
    isFallbackRuntime: process.env['LEASEHOLD_FALLBACK_RUNTIME'] === '1',
    dataFolder: given.dataFolder,
    logFile: given.logFile,
    keyring: given.secrets.keeping(),
  };
}
