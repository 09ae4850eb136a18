import type { Alert } from '../alerts/alert.ts';
import { byBox } from './meter-stream.ts';
import type { StreamKind } from './stream.ts';

/** The alerts of each box that are not over. */
export const alertsStream = byBox<readonly Alert[]>();

/** Of one box those that are over, the newest end first; null: not read yet. */
export type AlertLog = readonly Alert[] | null;

export const alertLogStream: StreamKind<AlertLog, AlertLog> = { apply: (_old, next) => next };
