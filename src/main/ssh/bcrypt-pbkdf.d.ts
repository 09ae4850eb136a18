declare module 'bcrypt-pbkdf' {
  export const HASHSIZE: number;
  /** One round: 64 bytes of passphrase and 64 of salt, both hashed, into `HASHSIZE` bytes. */
  export function hash(passphrase: Uint8Array, salt: Uint8Array, out: Uint8Array): void;
}
