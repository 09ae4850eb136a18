import { safeStorage } from 'electron';
import type { Keeping, Vault } from '../secrets/secrets.ts';

/** The system's keyring through Electron. Asked each time: a keyring can be unlocked while the app runs. */
export function keyringVault(): Vault {
  return {
    isAvailable: judgeKeyring,
    encrypt: (text) => safeStorage.encryptString(text),
    decrypt: (encrypted) => safeStorage.decryptString(encrypted),
  };
}

function judgeKeyring(): Keeping {
  if (!safeStorage.isEncryptionAvailable()) {
    return { isKept: false, because: 'this system offers no keyring to keep secrets in' };
  }
  // SECURITY: "basic_text" encrypts with a password that everybody knows. Runtimes before 27 cannot tell their backend,
  // but also do not call that one available.
  const { getSelectedStorageBackend } = safeStorage as Partial<typeof safeStorage>;
  const isPlain =
    process.platform === 'linux' && getSelectedStorageBackend?.call(safeStorage) === 'basic_text';
  return isPlain
    ? { isKept: false, because: 'this system’s keyring stores secrets without real encryption' }
    : { isKept: true };
}
