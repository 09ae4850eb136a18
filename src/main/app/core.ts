// Loaded while the window's own process starts: what answers its first questions. What acts comes after the first picture,
// so that this stays as cheap as it is, whatever Leasehold learns to do (decision 7).
import './plain-schemas.ts';
import { foundationInputs } from '../../shared/ipc/foundation-inputs.ts';
import { foundationHandlers, type FoundationActions } from './foundation-handlers.ts';
import { openFoundation, type Foundation } from './foundation.ts';
import { createRouter, type Route } from './ipc-router.ts';
import { endpointsOf, findIn, type Endpoints } from './endpoints.ts';
import { holdDataFolder } from '../storage/hold-data-folder.ts';
import type { ServiceOptions, Services } from './services.ts';

export interface Core extends Pick<Foundation, 'hub' | 'settings' | 'windowMemory' | 'notices'> {
  /** Answers the window's messages. */
  readonly route: Route;
  /** Everything that acts, loaded with the first call. */
  readonly services: () => Promise<Services>;
  /** Ends links, the demo box and open files; resolves when nothing is left. */
  close(): Promise<void>;
}

export interface CoreOptions extends ServiceOptions, FoundationActions {}

interface Late {
  readonly services: Services;
  readonly endpoints: Endpoints;
}

export async function openCore(options: CoreOptions): Promise<Core> {
  const { folders, log } = options;
  const foundation = await openFoundation(folders.data, log);
  const { hub, settings, windowMemory, notices } = foundation;
  let opening: Promise<Late> | null = null;
  let onOpening: (late: Promise<Late>) => void = () => undefined;
  const opened = new Promise<Late>((resolve) => (onOpening = resolve));
  let isClosing = false;
  const late = async (): Promise<Late> => {
    // What comes now would act on a database that is about to be closed.
    if (isClosing && opening === null) throw new Error('Leasehold is closing');
    opening ??= openLate(foundation, options);
    onOpening(opening);
    return opening;
  };
  const ipcLog = log.child('ipc');
  const endpoints = endpointsOf(
    foundationInputs,
    foundationHandlers(foundation, options, ipcLog, opened),
  );
  const find = findIn(endpoints, async () => (await late()).endpoints);
  return {
    hub,
    settings,
    windowMemory,
    notices,
    route: createRouter(find, ipcLog),
    services: async () => (await late()).services,
    close: async () => {
      // First: a window that closes need not see how everything ends.
      hub.dispose();
      isClosing = true;
      try {
        await (await opening)?.services.close();
      } finally {
        await foundation.close();
      }
    },
  };
}

/** For the app itself, which must be the only one over its data. Null: another one is. */
export async function openOnlyCore(options: CoreOptions): Promise<Core | null> {
  const release = holdDataFolder(options.folders.data, options.log);
  if (release === null) return null;
  const core = await openCore(options);
  return {
    ...core,
    close: async () => {
      try {
        await core.close();
      } finally {
        release();
      }
    },
  };
}

async function openLate(foundation: Foundation, options: CoreOptions): Promise<Late> {
  const [{ ipcInputs }, { openServices }] = await Promise.all([
    import('../../shared/ipc/contract.ts'),
    import('./services.ts'),
  ]);
  const services = await openServices(foundation, options);
  return { services, endpoints: endpointsOf(ipcInputs, services.handlers) };
}
