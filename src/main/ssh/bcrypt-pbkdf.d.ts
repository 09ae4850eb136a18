declare module 'bcrypt-pbkdf' {
  interface Bcrypt {
    readonly HASHSIZE: number;
    /** One round: 64 bytes of passphrase and 64 of salt, both hashed, into `HASHSIZE` bytes. */
    hash(passphrase: Uint8Array, salt: Uint8Array, out: Uint8Array): void;
  }
  const bcrypt: Bcrypt;
  export default bcrypt;
}
