import type { Box } from './box.ts';

/** How the person wants to log in to a box, in ssh_config's terms. */
export interface BoxLogin {
  /** Private key files; empty: the agent and the usual files. */
  readonly identityFiles: readonly string[];
  readonly certificateFiles: readonly string[];
  /** Offer no key but the named ones, also not from the agent. */
  readonly isOnlyIdentities: boolean;
  readonly forwardAgent: boolean;
}

/** `installedKey`: the key that was put on this box from here, for boxes that name none. */
export function loginOf(box: Box, installedKey: string | null = null): BoxLogin {
  const named = box.identityFile ?? installedKey;
  return {
    identityFiles: named === null ? [] : [named],
    certificateFiles: [],
    isOnlyIdentities: box.identityFile !== null,
    forwardAgent: false,
  };
}
