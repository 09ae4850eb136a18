import type { Plan } from '../plan/plan.ts';
import type { PlannedFile } from '../plan/planned-file.ts';
import type { WebhookTarget } from '../webhook/delivery.ts';
import type { PushTool } from './post-outcome.ts';
import type { PushCause } from './push-message.ts';
import type { PushLook } from './push-waiter.ts';

/** The waits that a person may choose from. */
export const PUSH_WAITS_H = [24, 72, 168, 336] as const;

/** Exactly what arming would put on the box. SECURITY: of address and token only what `maskTarget` leaves. */
export interface PushPlan {
  /** Main arms what it has shown, by this name, and nothing else. */
  readonly plan: Plan;
  readonly target: WebhookTarget;
  /** The address leads to the box itself, as seen from there. */
  readonly isBoxItself: boolean;
  readonly tool: PushTool;
  readonly maxHours: number;
  readonly folder: string;
  readonly files: readonly PlannedFile[];
  /** What a person will read, in each case. */
  readonly messages: Readonly<Record<PushCause, { readonly title: string; readonly body: string }>>;
  /** What goes over the link into the waiter's memory and into no file: line by line, secrets masked. */
  readonly secretLines: readonly string[];
  /** One waits for this run already, and would be ended. */
  readonly isReplacing: boolean;
  /** How to end it from a terminal. */
  readonly byHand: string;
}

/** What is armed on a box, and where else than to the webhook of Settings could be posted. */
export interface PushView {
  readonly look: PushLook;
  /** The address of its own that was used before; null: none is kept. */
  readonly own: WebhookTarget | null;
}
