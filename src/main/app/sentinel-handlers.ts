import type { sentinelInputs } from '../../shared/ipc/sentinel-inputs.ts';
import type { LateHandlers } from './endpoints.ts';
import type { HandlerServices } from './ipc-handlers.ts';

/** What a person waits for on a box. */
export function sentinelHandlers({
  sentinels,
}: Pick<HandlerServices, 'sentinels'>): Pick<LateHandlers, keyof typeof sentinelInputs> {
  return {
    'sentinels:arm': ({ boxId, awaited, forMs }) => sentinels.arm(boxId, awaited, forMs),
    'sentinels:remove': ({ boxId, id }) => sentinels.remove(boxId, id),
  };
}
