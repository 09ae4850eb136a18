const KEY_FILES: readonly (readonly [RegExp, string])[] = [
  [/ed25519/, 'ssh_host_ed25519_key.pub'],
  [/ecdsa/, 'ssh_host_ecdsa_key.pub'],
  [/rsa/, 'ssh_host_rsa_key.pub'],
];

/** What prints the fingerprint of that key on the box itself, where OpenSSH keeps its keys. */
export function fingerprintCommand(keyType: string): string {
  const file = KEY_FILES.find(([pattern]) => pattern.test(keyType))?.[1] ?? 'ssh_host_*_key.pub';
  return `ssh-keygen -lf /etc/ssh/${file}`;
}
