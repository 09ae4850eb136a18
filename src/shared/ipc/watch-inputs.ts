import { z } from 'zod';
import { moment } from '../moment.ts';
import { endProcessesInput } from '../telemetry/end-processes-input.ts';
import { historyExport, historyPicture, historyQuery } from '../telemetry/history-requests.ts';
import type { IpcOutputs } from './contract.ts';
import { boxId } from './box-id.ts';

/** What is seen on a box, and what is said of it. */
export const watchInputs = {
  /** At most `maxPoints` per series, with minimum and maximum kept. */
  'history:query': historyQuery,
  /** Asks where to, then writes every stored point of the range as CSV. */
  'history:export': historyExport,
  /** Read-only: looks at once at what runs on the box; answers when that is over. */
  'patrol:now': z.strictObject({ boxId }),
  /** The person is done with a run that is gone: it is not shown any more. */
  'patrol:dismiss': z.strictObject({ boxId, key: z.string().min(1).max(200) }),
  /** Read-only: which processes have a GPU's device node open, and what each of them is. */
  'gpu-holders:look': z.strictObject({ boxId }),
  /**
   * Ends processes that the person named one by one, of those that the last look listed. Each is compared again on the box
   * right before the signal, and read back after it.
   */
  'gpu-holders:end': endProcessesInput.extend({ boxId }),
  /** Asks where to, then writes the charts as the window painted them. */
  'history:picture': historyPicture,
  /** The person looks at what is found on this box. */
  'alerts:seen': z.strictObject({ boxId }),
  /** Tells nothing of this alert before that moment, unless it gets worse; null takes it back. */
  'alerts:snooze': z.strictObject({
    boxId,
    alertId: z.uuid(),
    untilMs: moment.nullable(),
  }),
  /** The person says that it is over. Main refuses while a check still sees it. */
  'alerts:dismiss': z.strictObject({ boxId, alertId: z.uuid() }),
} satisfies Partial<Record<keyof IpcOutputs, z.ZodType>>;
