import { z } from 'zod';
import { planRef } from '../plan/plan-schema.ts';
import { pushWaiterId, pushWanted } from '../push/push-input.ts';
import { boxId } from './box-id.ts';

/** What a box tells by itself when a run ends. */
export const pushInputs = {
  /** Read-only: which waiters are on the box, and what came of each. */
  'push:look': z.strictObject({ boxId }),
  /** Exactly what arming would put on the box. Changes nothing there; an address that was typed stays in main. */
  'push:plan': pushWanted.extend({ boxId }),
  /** Posts one message from the box at once. */
  'push:test': z.strictObject({ boxId, plan: planRef }),
  /** Arms what the plan has shown, and nothing else; answers after the waiter was read back. */
  'push:arm': z.strictObject({ boxId, plan: planRef }),
  /** Ends exactly this waiter and removes what it left on the box; read back after it. */
  'push:end': z.strictObject({ boxId, id: pushWaiterId }),
} as const;
