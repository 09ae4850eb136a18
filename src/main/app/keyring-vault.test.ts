import { describe, expect, it, vi } from 'vitest';
import { keyringVault } from './keyring-vault.ts';

const electron = vi.hoisted(() => ({
  safeStorage: {} as Record<string, () => unknown>,
}));
vi.mock('electron', () => electron);

/** What Electron says of the system's keyring. */
function withKeyring(isAvailable: boolean, backend?: string): void {
  electron.safeStorage = {
    isEncryptionAvailable: () => isAvailable,
    ...(backend !== undefined && { getSelectedStorageBackend: () => backend }),
  };
  vi.stubGlobal('process', { ...process, platform: 'linux' });
}

describe('the system’s keyring', () => {
  it.each<[string, boolean, string | undefined, boolean]>([
    ['none', false, undefined, false],
    ['one', true, 'gnome_libsecret', true],
    ['one of a runtime that cannot tell its kind', true, undefined, true],
    // Chromium calls it available, and encrypts with a password that everybody knows.
    ['one that encrypts with a known password', true, 'basic_text', false],
  ])('is asked for: %s', (_what, isAvailable, backend, isKept) => {
    withKeyring(isAvailable, backend);
    try {
      expect(keyringVault().isAvailable()).toMatchObject({ isKept });
    } finally {
      vi.unstubAllGlobals();
    }
  });
});
