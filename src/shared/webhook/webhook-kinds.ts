// Apart from the schemas, so that the window does not load the schema library for a list.

/** What the other end of a webhook understands. */
export const webhookKinds = ['ntfy', 'slack', 'json'] as const;
export type WebhookKind = (typeof webhookKinds)[number];
