// Everything that is loaded while the window's own process starts: the schema library, SSH and the database cost about a
// hundred milliseconds, which nobody waits for here. index.ts imports this file only after the window is made.
import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import type { ApproveCommand } from '../boxes/approved-route.ts';
import type { TerminalPort } from '../terminal/terminal.ts';
import type { ReadyPage } from '../tunnels/service-desk.ts';
import { appInfo } from './app-info.ts';
import { createHandlers } from './ipc-handlers.ts';
import { createRouter, type Route } from './ipc-router.ts';
import { openServices, type ServiceOptions, type Services } from './services.ts';

export interface Core extends Services {
  /** Answers the window's messages. */
  readonly route: Route;
}

export interface CoreOptions extends ServiceOptions {
  readonly approveCommand: ApproveCommand;
  readonly chooseFile: (suggested: string) => Promise<string | null>;
  readonly openExternal: (url: string) => Promise<Result<null, Problem>>;
  readonly openOwnPort: (url: string) => Promise<Result<null, Problem>>;
  readonly openServiceWindow: (page: ReadyPage) => void;
  readonly openBoxLink: (url: string) => Promise<Result<null, Problem>>;
  readonly handOverPort: (clientId: number, terminalId: string) => TerminalPort | null;
  readonly showLog: () => void;
  readonly quit: () => void;
}

export async function openCore(options: CoreOptions): Promise<Core> {
  const { folders, log } = options;
  const services = await openServices(options);
  const handlers = createHandlers({
    ...services,
    ...options,
    appInfo: () =>
      appInfo({ dataFolder: folders.data, logFile: log.file, secrets: services.secrets }),
  });
  return { ...services, route: createRouter(handlers, log.child('ipc')) };
}
