import { z } from 'zod';
import { MAX_INPUT_CHARS } from './port-messages.ts';
import { terminalSize } from './terminal.ts';

/** SECURITY: main parses everything that comes out of a port with this. */
export const terminalRequest = z.discriminatedUnion('kind', [
  /** xterm has parsed that many bytes more. */
  z.strictObject({
    kind: z.literal('ack'),
    bytes: z
      .int()
      .min(1)
      .max(2 ** 31),
  }),
  z.strictObject({ kind: z.literal('input'), text: z.string().min(1).max(MAX_INPUT_CHARS) }),
  /** Mouse reports of old protocols: one byte each character. */
  z.strictObject({ kind: z.literal('binary'), text: z.string().min(1).max(MAX_INPUT_CHARS) }),
  z.strictObject({ kind: z.literal('resize'), size: terminalSize }),
  z.strictObject({ kind: z.literal('close') }),
]);
export type TerminalRequest = z.infer<typeof terminalRequest>;
