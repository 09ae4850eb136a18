import type { FoundationChannel } from '../../shared/ipc/foundation-inputs.ts';
import type { Log } from '../log/log.ts';
import type { Foundation } from './foundation.ts';
import { done, type Handlers } from './ipc-router.ts';

export interface FoundationActions {
  readonly showLog: () => void;
  /** The window shows the fleet, or says why it cannot. */
  readonly onWindowShown: () => void;
  readonly quit: () => void;
}

/** The channels that need nothing but the foundation, and so are answered at once. */
export type FoundationHandlers = Pick<Handlers, FoundationChannel>;

export function foundationHandlers(
  { hub, settings, windowMemory, notices }: Foundation,
  actions: FoundationActions,
  log: Log,
  /** What acts is there, and with it the other streams. No window waits for those so much that it would start the loading. */
  servicesLoaded: Promise<unknown>,
): FoundationHandlers {
  return {
    'app:show-log': () => done(actions.showLog),
    'app:shown': () => done(actions.onWindowShown),
    'app:report-crash': ({ message, stack }) =>
      done(() => {
        log.error('the window reported a bug', { message, stack });
        actions.onWindowShown();
      }),
    'app:quit': () => done(actions.quit),
    'stream:open': async ({ stream, key }, clientId) => {
      if (!hub.has(stream, key)) await servicesLoaded;
      return hub.open(clientId, stream, key);
    },
    'stream:close': ({ subscription }, clientId) => done(() => hub.close(clientId, subscription)),
    'settings:change': ({ patch }) => settings.change(patch),
    'remembered:change': ({ patch }) => done(() => windowMemory.change(patch)),
    'notice:dismiss': ({ id }) => done(() => notices.dismiss(id)),
  };
}
