import { createHash } from 'node:crypto';
import type { Box } from '../../shared/boxes/box.ts';
import { HOP_ID } from './jump-way.ts';
import type { LockedKey } from './identity-file.ts';
import type { PromptRound } from './person.ts';

const JUMP_HOST = 'jump-host-';

/** A box owns its password. A jump host is a place, and each account there has its own; names of secrets are plain. */
export function passwordOwner({ id, address }: Pick<Box, 'id' | 'address'>): string {
  if (!id.startsWith(HOP_ID)) return id;
  const account = JSON.stringify([id, address.user]);
  return `${JUMP_HOST}${createHash('sha256').update(account).digest('hex').slice(0, 32)}`;
}

/** Names under which passwords and passphrases are kept: shown in Settings, so they say what they are. */
export function passwordName(boxId: string): string {
  return `password:${boxId}`;
}

export function isJumpHostPassword(name: string): boolean {
  return name.startsWith(passwordName(JUMP_HOST));
}

export function passphraseName({ id, label }: Pick<LockedKey, 'id' | 'label'>): string {
  const plain = label
    .toLowerCase()
    .replace(/[^a-z0-9._-]/g, '-')
    .slice(0, 60);
  return `passphrase:${plain}:${id}`;
}

// "Password:", "root's password:", "(root@host) Password:", as PAM and OpenSSH word it.
const PASSWORD =
  /^(?:\([^)]*\)\s*)?(?:\S+['’]s\s+)?password(?:\s*for\s+[^\s:]+(?::+[^\s:]+)*)?\s*(?::\s*)?$/i;

/** Whether a round of the server's questions only asks for the account's password, which may be remembered. */
export function isPasswordRound({ prompts }: PromptRound): boolean {
  const [only, ...more] = prompts;
  return only !== undefined && more.length === 0 && !only.isEchoed && PASSWORD.test(only.text);
}
