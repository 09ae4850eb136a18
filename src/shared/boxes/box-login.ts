import type { Box } from './box.ts';
import type { Login } from './login.ts';

/** `installedKey`: the key that was put on this box from here, for boxes that name none. */
export function loginOf({ login }: Box, installedKey: string | null = null): Login {
  if (installedKey === null || login.identityFiles.length > 0) return login;
  return { ...login, identityFiles: [installedKey] };
}
