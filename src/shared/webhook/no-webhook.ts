import type { WebhookState } from './delivery.ts';

/** Apart from the schemas, which a window has no use for. */
export const NO_WEBHOOK: WebhookState = { target: null, deliveries: [] };
