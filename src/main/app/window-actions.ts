import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import type { ApproveCommand } from '../boxes/approved-route.ts';
import type { ApproveRehearsal } from '../runs/request/rehearsal-runner.ts';
import type { ApproveUpload } from '../files/file-transfers.ts';
import type { Secret } from '../secrets/secret.ts';
import type { TerminalPort } from '../terminal/terminal.ts';
import type { SavedKind } from './choose-file.ts';
import type { ReadyPage } from '../tunnels/service-opener.ts';
import type { WorkerHost } from '../workers/workers.ts';

/** What only the desktop around the window can do for a message: dialogs, the clipboard, the browser, ports. */
export interface WindowActions {
  readonly approveCommand: ApproveCommand;
  readonly approveRehearsal: ApproveRehearsal;
  /** Asks the person where to save; null: they cancelled. */
  readonly chooseFile: (suggested: string, kind: SavedKind) => Promise<string | null>;
  /** Asks the person for a folder; null: they cancelled. */
  readonly chooseFolder: () => Promise<string | null>;
  /** Asks the person which files to send; null: they cancelled. */
  readonly chooseFiles: () => Promise<readonly string[] | null>;
  /** Asks the person for a program; null: they cancelled. */
  readonly chooseProgram: () => Promise<string | null>;
  /** What they dropped on the window last, once. */
  readonly takeDropped: () => readonly string[];
  readonly approveUpload: ApproveUpload;
  /** Lets the person drag these on, over the window’s border; the mouse button is held. */
  readonly startDrag: (files: readonly string[]) => Result<null, Problem>;
  /** Asks the person which request file to read; null: they cancelled. */
  readonly chooseRequestFile: () => Promise<string | null>;
  /** Fine also where the person cancels. */
  readonly printPage: () => Promise<Result<null, Problem>>;
  /** The page that is shown, as it would be printed. */
  readonly pagePdf: () => Promise<Result<Buffer, Problem>>;
  readonly openExternal: (url: string) => Promise<Result<null, Problem>>;
  /** Shows it in the system's file manager. */
  readonly openFolder: (folder: string) => Promise<Result<null, Problem>>;
  readonly openOwnPort: (url: string) => Promise<Result<null, Problem>>;
  readonly openServiceWindow: (page: ReadyPage) => void;
  readonly copySecret: (secret: Secret) => void;
  readonly openBoxLink: (url: string) => Promise<Result<null, Problem>>;
  /** A process of its own for what is too heavy for main. */
  readonly startWorker: () => WorkerHost;
  /** Gives the window its end of a terminal's port; null where the window is gone. */
  readonly handOverPort: (clientId: number, terminalId: string) => TerminalPort | null;
}
