import type { BoxConnection } from '../box.ts';
import type { ConfigBox } from './config-boxes.ts';
import type { ConfigNote } from './config-file.ts';

/** A Host entry as the window lists it. */
export interface ListedHost extends ConfigBox {
  /** Tells this very content apart from every other; main acts only on what the person has seen. */
  readonly digest: string | null;
}

/** What the person's SSH config says right now. */
export interface ConfigListing {
  /** Those that exist. Empty: there is no SSH config on this machine. */
  readonly files: readonly string[];
  readonly hosts: readonly ListedHost[];
  readonly notes: readonly ConfigNote[];
}

/** A box that came from the config, where the entry now says something else. */
export interface ConfigChange {
  readonly boxId: string;
  readonly host: string;
  readonly digest: string;
  readonly connection: BoxConnection;
}

export interface ConfigState {
  /** Counts up when the files on disk have changed. */
  readonly revision: number;
  readonly changes: readonly ConfigChange[];
}

export interface ImportOutcome {
  readonly added: readonly string[];
  readonly refused: readonly { readonly host: string; readonly because: string }[];
}
