/** A public key on this machine that can be installed on a box. */
export interface PublicKeyChoice {
  /** The `.pub` file. */
  readonly file: string;
  readonly type: string;
  readonly fingerprint: string;
  readonly comment: string;
  /** As a platform's page and authorized_keys take it. */
  readonly line: string;
}

/** What came of installing a key; said only after a new log-in with that very key. */
export interface InstalledKey {
  /** The private half, with which Leasehold logs in from now on. */
  readonly keyFile: string;
  readonly fingerprint: string;
  /** `present`: the box had it already, nothing was written. */
  readonly outcome: 'added' | 'present';
}

/** One password or passphrase that Leasehold knows: its name, never what it is. */
export interface StoredSecret {
  readonly name: string;
  /** Encrypted with the system's keyring; otherwise it ends when the app does. */
  readonly isKept: boolean;
}
