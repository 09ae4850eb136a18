import type { pushInputs } from '../../shared/ipc/push-inputs.ts';
import type { LateHandlers } from './endpoints.ts';
import type { HandlerServices } from './ipc-handlers.ts';

/** What a box tells by itself when a run ends. */
export function pushHandlers({
  pushDesk,
}: Pick<HandlerServices, 'pushDesk'>): Pick<LateHandlers, keyof typeof pushInputs> {
  return {
    'push:look': ({ boxId }) => pushDesk.look(boxId),
    'push:plan': ({ boxId, ...wanted }) => pushDesk.plan(boxId, wanted),
    'push:test': ({ boxId, planId }) => pushDesk.test(boxId, planId),
    'push:arm': ({ boxId, planId }) => pushDesk.arm(boxId, planId),
    'push:end': ({ boxId, id }) => pushDesk.end(boxId, id),
  };
}
