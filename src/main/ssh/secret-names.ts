import type { LockedKey } from './identity-file.ts';
import type { PromptRound } from './person.ts';

/** Names under which passwords and passphrases are kept: shown in Settings, so they say what they are. */
export function passwordName(boxId: string): string {
  return `password:${boxId}`;
}

export function passphraseName({ id, label }: Pick<LockedKey, 'id' | 'label'>): string {
  const plain = label
    .toLowerCase()
    .replace(/[^a-z0-9._-]/g, '-')
    .slice(0, 60);
  return `passphrase:${plain}:${id}`;
}

// "Password:", "root's password:", "(root@host) Password:", as PAM and OpenSSH word it.
const PASSWORD = /^(?:\([^)]*\)\s*)?(?:\S+['’]s\s+)?password\s*(?:for\s+\S+\s*)?:?\s*$/i;

/** Whether a round of the server's questions only asks for the account's password, which may be remembered. */
export function isPasswordRound({ prompts }: PromptRound): boolean {
  const [only, ...more] = prompts;
  return only !== undefined && more.length === 0 && !only.isEchoed && PASSWORD.test(only.text);
}
