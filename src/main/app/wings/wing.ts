import type { GotchaBook } from '../../gotchas/gotcha-book.ts';
import type { OnboxScripts } from '../../onbox/onbox-scripts.ts';
import type { RootLog } from '../../log/log.ts';
import type { NewsQueue } from '../../news/news-queue.ts';
import type { ProfileBook } from '../../profiles/profile-book.ts';
import type { Database } from '../../storage/database.ts';
import type { LateHandlers } from '../endpoints.ts';
import type { Foundation } from '../foundation.ts';
import type { WindowActions } from '../window-actions.ts';

export interface ServiceFolders {
  readonly data: string;
  /** The demo box's simulated tools. */
  readonly demoTools: string;
  /** The scripts that run on boxes. */
  readonly onbox: string;
  /** What is run beside a proof. */
  readonly verify: string;
  /** The facts of the platforms, as they ship. */
  readonly profiles: string;
  /** The catalog of gotchas, as it ships. */
  readonly gotchas: string;
}

/** What every wing stands on. The roster is there before whoever fills it, so that no wing waits for another. */
export interface Ground extends Omit<Foundation, 'database' | 'close'> {
  readonly database: Database;
  readonly folders: ServiceFolders;
  readonly log: RootLog;
  readonly scripts: OnboxScripts;
  readonly profiles: ProfileBook;
  readonly gotchas: GotchaBook;
  /** Where a wing puts what a person is to be told. */
  readonly news: NewsQueue;
  /** What only the desktop around the window can do. */
  readonly desktop: WindowActions;
}

/** Verbs that end work on a box, or delete there: their handlers stand with the gate, which gives out the pass for each. */
export type GatedChannel =
  | 'runs:end'
  | 'gpu-holders:end'
  | 'files:delete'
  | 'secret:remove-from-box';

/** One part of what acts: it opens its services over the ground and over wings that are open already, and answers for them. */
export interface Wing {
  /** What its channels do. */
  readonly handlers: Partial<LateHandlers>;
  /** This machine woke or changed its network: what was due meanwhile is looked at now. */
  readonly wake?: () => void;
  /** At the start, and only where the whole list could be read: what is kept of boxes that are not in it can go. */
  readonly sweep?: (listed: readonly string[]) => void;
  readonly close: () => Promise<void>;
}
